#include "render/html/html.h"

#include <fmt/format.h>

#include "render/html/assets.h"
#include "render/html/section.h"

namespace mha::render {
namespace {

std::string script_id(std::size_t script) { return fmt::format("part-{}", script + 1); }
std::string step_id(std::size_t script, std::size_t step) {
  return fmt::format("part-{}-{}", script + 1, step + 1);
}
constexpr const char* kNextId = "next";

void write_head(XmlWriter& page, const std::string& title) {
  page.open_line("head");
  page.empty_line("meta", {{"charset", "utf-8"}});
  page.empty_line("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  page.empty_line("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  // Even if a label smuggled markup in, nothing would be fetched and no script but ours would run.
  page.empty_line("meta",
                  {{"http-equiv", "Content-Security-Policy"},
                   {"content", fmt::format("default-src 'none'; style-src 'unsafe-inline'; script-src "
                                           "'sha256-{}'; base-uri 'none'; form-action 'none'",
                                           page_script_hash())}});
  page.element_line("title", {}, title);
  page.open("style");
  page.markup(style_sheet());
  page.close_line();
  page.close_line();
}

void write_item(XmlWriter& page, const std::string& id, const std::string& text) {
  page.open("li");
  page.element("a", {{"href", "#" + id}}, text);
  page.close_line();
}

void write_contents_of(XmlWriter& page, const report::Report& report) {
  write_item(page, "main", "Output");
  for (std::size_t n = 1; n <= report.figures.size(); ++n) {
    write_item(page, figure_id(n), report.figures[n - 1].title);
  }
  if (!report.explanation.next.empty()) write_item(page, kNextId, kNextHeading);
}

void write_contents_of(XmlWriter& page, const std::vector<report::Script>& scripts) {
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    page.open("li");
    page.element_line("a", {{"href", "#" + script_id(i)}}, scripts[i].explanation.title);
    page.open_line("ol");
    for (std::size_t k = 0; k < scripts[i].steps.size(); ++k) {
      write_item(page, step_id(i, k), scripts[i].steps[k].explanation.title);
    }
    page.close();
    page.close_line();
  }
  write_item(page, kNextId, kNextHeading);
}

void write_contents(XmlWriter& page, const report::Document& document) {
  page.open("nav", {{"aria-labelledby", "contents"}});
  page.element_line("h2", {{"id", "contents"}}, "Contents");
  page.open_line("ol");
  if (document.is_one_command()) {
    write_contents_of(page, document.scripts.front().steps.front());
  } else {
    write_contents_of(page, document.scripts);
  }
  page.close();
  page.close_line();
}

/// One report is the whole page, whose header says what it shows.
void write_main(XmlWriter& page, const report::Report& report, bool full, PageNumbering& numbers) {
  page.open_line("div", {{"class", "alone"}});
  write_body(page, report, full, numbers);
  page.close();
  page.open("div", {{"id", kNextId}});
  write_next(page, report.explanation.next, "h2");
  page.close_line();
}

void write_main(XmlWriter& page, const report::Document& document, bool full, PageNumbering& numbers) {
  for (std::size_t i = 0; i < document.scripts.size(); ++i) {
    const report::Script& script = document.scripts[i];
    page.open_line("section", {{"class", "script"}, {"id", script_id(i)}});
    page.element("h2", {}, script.explanation.title);
    write_paragraph(page, script.explanation.shows);
    write_command(page, "run " + script.name, full, " script-command");
    for (std::size_t k = 0; k < script.steps.size(); ++k) {
      const report::Report& step = script.steps[k];
      page.open_line("section", {{"class", "step"}, {"id", step_id(i, k)}});
      page.element("h3", {}, step.explanation.title);
      write_paragraph(page, step.explanation.shows);
      write_body(page, step, full, numbers);
      write_next(page, step.explanation.next, "h4");
      page.close_line();
    }
    page.close_line();
  }
  page.open("div", {{"class", "more"}, {"id", kNextId}});
  write_next(page, document.explanation.next, "h2");
  page.close_line();
}

}  // namespace

std::string html(const report::Document& document, const PageOptions& options) {
  const report::Explanation& about = document.explanation;
  XmlWriter page;
  page.markup("<!DOCTYPE html>\n");
  page.open_line("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
  write_head(page, about.title + " · mha " + document.command_line);
  page.open_line("body");
  page.element_line("a", {{"class", "skip"}, {"href", "#main"}}, "Skip to the results");
  page.open_line("div", {{"class", "page"}});
  page.open("header");
  page.element("h1", {}, about.title);
  write_paragraph(page, about.shows, "lede");
  write_paragraph(page, about.letters);
  if (!document.is_one_command()) write_command(page, document.command_line, options.full);
  page.close_line();
  write_contents(page, document);
  page.open_line("main", {{"id", "main"}});
  PageNumbering numbers;
  if (document.is_one_command()) {
    write_main(page, document.scripts.front().steps.front(), options.full, numbers);
  } else {
    write_main(page, document, options.full, numbers);
  }
  page.close_line();
  page.open("footer");
  page.element("p", {}, "Made by " + options.program + ". This page loads nothing from the network.");
  page.close_line();
  page.close_line();
  page.open("script");
  page.markup(page_script());
  page.close_line();
  page.close_line();
  page.close_line();
  return page.written();
}

}  // namespace mha::render
