#include "render/html/html.h"

#include <fmt/format.h>

#include "render/html/pen.h"
#include "render/html/script.h"
#include "render/html/section.h"
#include "render/html/style.h"

namespace mha::render {
namespace {

std::string script_id(std::size_t script) { return fmt::format("part-{}", script + 1); }
std::string step_id(std::size_t script, std::size_t step) {
  return fmt::format("part-{}-{}", script + 1, step + 1);
}
constexpr const char* kNextId = "next";

void write_head(HtmlPen& pen, const std::string& title) {
  pen.open("head");
  pen.line();
  pen.empty("meta", {{"charset", "utf-8"}});
  pen.line();
  pen.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  pen.line();
  pen.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  pen.line();
  // Whatever a label were to smuggle in, nothing is fetched and nothing but our script runs.
  pen.empty("meta", {{"http-equiv", "Content-Security-Policy"},
                     {"content", fmt::format("default-src 'none'; style-src 'unsafe-inline'; script-src "
                                             "'sha256-{}'; base-uri 'none'; form-action 'none'",
                                             page_script_hash())}});
  pen.line();
  pen.element("title", {}, title);
  pen.line();
  pen.open("style");
  pen.markup(style_sheet());
  pen.close();
  pen.line();
  pen.close();
  pen.line();
}

void write_link(HtmlPen& pen, const std::string& id, const std::string& text) {
  pen.element("a", {{"href", "#" + id}}, text);
}

void write_contents_of(HtmlPen& pen, const report::Report& report) {
  const auto item = [&](const std::string& id, const std::string& text) {
    pen.open("li");
    write_link(pen, id, text);
    pen.close();
    pen.line();
  };
  item("main", "What was printed");
  for (std::size_t n = 1; n <= report.figures.size(); ++n) {
    item(figure_id(n), report.figures[n - 1].title);
  }
  if (!report.explanation.next.empty()) item(kNextId, "Where to go next");
}

void write_contents_of(HtmlPen& pen, const std::vector<report::Script>& scripts) {
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    pen.open("li");
    write_link(pen, script_id(i), scripts[i].explanation.title);
    pen.line();
    pen.open("ol");
    pen.line();
    for (std::size_t k = 0; k < scripts[i].steps.size(); ++k) {
      pen.open("li");
      write_link(pen, step_id(i, k), scripts[i].steps[k].explanation.title);
      pen.close();
      pen.line();
    }
    pen.close();
    pen.close();
    pen.line();
  }
  pen.open("li");
  write_link(pen, kNextId, "Where to go next");
  pen.close();
  pen.line();
}

void write_contents(HtmlPen& pen, const report::Document& document) {
  pen.open("nav", {{"aria-labelledby", "contents"}});
  pen.element("h2", {{"id", "contents"}}, "Contents");
  pen.line();
  pen.open("ol");
  pen.line();
  if (document.is_one_command()) {
    write_contents_of(pen, document.scripts.front().steps.front());
  } else {
    write_contents_of(pen, document.scripts);
  }
  pen.close();
  pen.close();
  pen.line();
}

/// One report is the whole page, whose header says what it shows.
void write_main(HtmlPen& pen, const report::Report& report, bool full, PageNumbering& numbers) {
  pen.open("div", {{"class", "alone"}});
  pen.line();
  write_body(pen, report, full, numbers);
  pen.close();
  pen.open("div", {{"id", kNextId}});
  write_next(pen, report.explanation.next, "h2");
  pen.close();
  pen.line();
}

void write_main(HtmlPen& pen, const report::Document& document, bool full, PageNumbering& numbers) {
  for (std::size_t i = 0; i < document.scripts.size(); ++i) {
    const report::Script& script = document.scripts[i];
    const std::string id = script_id(i);
    pen.open("section", {{"class", "script"}, {"id", id}});
    pen.line();
    pen.element("h2", {}, script.explanation.title);
    write_paragraph(pen, script.explanation.shows);
    write_command(pen, "run " + script.name, full, " script-command");
    for (std::size_t k = 0; k < script.steps.size(); ++k) {
      const report::Report& step = script.steps[k];
      const std::string place = step_id(i, k);
      pen.open("section", {{"class", "step"}, {"id", place}});
      pen.line();
      pen.element("h3", {}, step.explanation.title);
      write_paragraph(pen, step.explanation.shows);
      write_body(pen, step, full, numbers);
      write_next(pen, step.explanation.next, "h4");
      pen.close();
      pen.line();
    }
    pen.close();
    pen.line();
  }
  pen.open("div", {{"class", "more"}, {"id", kNextId}});
  write_next(pen, document.explanation.next, "h2");
  pen.close();
  pen.line();
}

}  // namespace

std::string html(const report::Document& document, const PageOptions& options) {
  const report::Explanation& about = document.explanation;
  HtmlPen pen;
  pen.markup("<!DOCTYPE html>\n");
  pen.open("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
  pen.line();
  write_head(pen, about.title + " · mha " + document.command_line);
  pen.open("body");
  pen.line();
  pen.element("a", {{"class", "skip"}, {"href", "#main"}}, "Skip to the results");
  pen.line();
  pen.open("div", {{"class", "page"}});
  pen.line();
  pen.open("header");
  pen.element("h1", {}, about.title);
  write_paragraph(pen, about.shows, "lede");
  write_paragraph(pen, about.letters);
  if (!document.is_one_command()) write_command(pen, document.command_line, options.full);
  pen.close();
  pen.line();
  write_contents(pen, document);
  pen.open("main", {{"id", "main"}});
  pen.line();
  PageNumbering numbers;
  if (document.is_one_command()) {
    write_main(pen, document.scripts.front().steps.front(), options.full, numbers);
  } else {
    write_main(pen, document, options.full, numbers);
  }
  pen.close();
  pen.line();
  pen.open("footer");
  pen.element("p", {}, "Made by " + options.program + ". This page asks for nothing outside itself.");
  pen.close();
  pen.line();
  pen.close();
  pen.line();
  pen.open("script");
  pen.markup(page_script());
  pen.close();
  pen.line();
  pen.close();
  pen.line();
  pen.close();
  pen.line();
  return pen.written();
}

}  // namespace mha::render
