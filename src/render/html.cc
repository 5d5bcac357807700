#include "render/html.h"

#include <fmt/format.h>

#include "render/html_pen.h"
#include "render/html_script.h"
#include "render/html_section.h"
#include "render/html_style.h"

namespace mha::render {
namespace {

using Scripts = std::vector<report::Script>;

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

void write_contents_of(HtmlPen& pen, const Scripts& scripts) {
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
  std::visit([&](const auto& content) { write_contents_of(pen, content); }, document);
  pen.close();
  pen.close();
  pen.line();
}

/// One report is the whole page, whose header says what it shows.
void write_main(HtmlPen& pen, const report::Report& report, const Page& page, PageNumbering& numbers) {
  pen.open("div", {{"class", "alone"}});
  pen.line();
  write_body(pen, report, page.full, numbers);
  pen.close();
  pen.open("div", {{"id", kNextId}});
  write_next(pen, report.explanation.next, "h2");
  pen.close();
  pen.line();
}

void write_main(HtmlPen& pen, const Scripts& scripts, const Page& page, PageNumbering& numbers) {
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    const report::Script& script = scripts[i];
    const std::string id = script_id(i);
    pen.open("section", {{"class", "script"}, {"id", id}});
    pen.line();
    pen.element("h2", {}, script.explanation.title);
    write_paragraph(pen, script.explanation.shows);
    write_command(pen, "run " + script.name, page.full, " script-command");
    for (std::size_t k = 0; k < script.steps.size(); ++k) {
      const report::Report& step = script.steps[k];
      const std::string place = step_id(i, k);
      pen.open("section", {{"class", "step"}, {"id", place}});
      pen.line();
      pen.element("h3", {}, step.explanation.title);
      write_paragraph(pen, step.explanation.shows);
      write_body(pen, step, page.full, numbers);
      write_next(pen, step.explanation.next, "h4");
      pen.close();
      pen.line();
    }
    pen.close();
    pen.line();
  }
  pen.open("div", {{"class", "more"}, {"id", kNextId}});
  write_next(pen, page.about.next, "h2");
  pen.close();
  pen.line();
}

}  // namespace

std::string html(const report::Document& document, const Page& page) {
  HtmlPen pen;
  pen.markup("<!DOCTYPE html>\n");
  pen.open("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
  pen.line();
  write_head(pen, page.about.title + " · mha " + page.words);
  pen.open("body");
  pen.line();
  pen.element("a", {{"class", "skip"}, {"href", "#main"}}, "Skip to the results");
  pen.line();
  pen.open("div", {{"class", "page"}});
  pen.line();
  pen.open("header");
  pen.element("h1", {}, page.about.title);
  write_paragraph(pen, page.about.shows, "lede");
  write_paragraph(pen, page.about.letters);
  if (std::holds_alternative<Scripts>(document)) write_command(pen, page.words, page.full);
  pen.close();
  pen.line();
  write_contents(pen, document);
  pen.open("main", {{"id", "main"}});
  pen.line();
  PageNumbering numbers;
  std::visit([&](const auto& content) { write_main(pen, content, page, numbers); }, document);
  pen.close();
  pen.line();
  pen.open("footer");
  pen.element("p", {}, "Made by " + page.program + ". This page asks for nothing outside itself.");
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
