#include "render/html/section.h"

#include <fmt/format.h>

#include <sstream>

#include "render/html/equations.h"
#include "render/overloaded.h"
#include "render/svg/svg.h"
#include "render/text/number.h"
#include "render/text/text.h"

namespace mha::render {
namespace {

/// A box that scrolls by itself where what is in it is wider than the page; by the keyboard too.
void open_scroll(HtmlPen& pen, const std::string& label) {
  pen.open("div", {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", label}});
}

std::string value_text(const report::Value& value) {
  return std::visit(Overloaded{
                        [](bool yes) { return std::string(yes ? "yes" : "no"); },
                        [](report::Count count) { return fmt::to_string(count); },
                        [](double number) { return shortest(number); },
                        [](const std::string& text) { return text; },
                        [](const report::List& list) {
                          std::string joined;
                          for (const report::Value& item : list) {
                            joined += (joined.empty() ? "" : ", ") + value_text(item);
                          }
                          return joined;
                        },
                        [](const auto&) { return std::string("…"); },
                    },
                    value.data);
}

void write_parameters(HtmlPen& pen, const report::Object& parameters) {
  if (parameters.empty()) return;
  pen.open("dl", {{"class", "parameters"}});
  for (const report::Member& parameter : parameters) {
    pen.open("div");
    pen.element("dt", {}, parameter.name);
    pen.open("dd");
    pen.label(value_text(parameter.value));
    pen.close();
    pen.close();
  }
  pen.close();
  pen.line();
}

void write_printed(HtmlPen& pen, const report::Report& report, bool full, PageNumbering& numbers) {
  std::ostringstream printed;
  text(report, full, printed);
  pen.open("div", {{"class", "terminal"}});
  write_command(pen, report.command_line, full);
  open_scroll(pen, fmt::format("Output {}: mha {}", ++numbers.blocks, report.command_line));
  pen.open("pre");
  pen.element("code", {}, printed.str());
  pen.close();
  pen.close();
  pen.close();
  pen.line();
}

void write_figure(HtmlPen& pen, const report::Figure& figure, PageNumbering& numbers) {
  const std::size_t n = ++numbers.figures;
  const std::string id = figure_id(n);
  const std::string caption = id + "-caption";
  pen.open("figure", {{"id", id}});
  pen.line();
  open_scroll(pen, fmt::format("Figure {}: {}", n, figure.title));
  pen.line();
  pen.markup(svg_in_page(figure, id, caption));
  pen.close();
  pen.line();
  pen.open("figcaption", {{"id", caption}});
  pen.element("b", {}, fmt::format("Figure {}.", n));
  pen.text(" ");
  pen.label(figure.description);
  pen.close();
  pen.close();
  pen.line();
}

}  // namespace

std::string figure_id(std::size_t n) { return fmt::format("figure-{}", n); }

void write_paragraph(HtmlPen& pen, const std::string& sentences, const std::string& css_class) {
  if (sentences.empty()) return;
  pen.open("p", css_class.empty() ? Attributes{} : Attributes{{"class", css_class}});
  pen.prose(sentences);
  pen.close();
  pen.line();
}

void write_command(HtmlPen& pen, const std::string& command_line, bool full,
                   const std::string& more_classes) {
  pen.open("p", {{"class", "command" + more_classes}});
  pen.element("code", {}, "mha " + command_line + (full ? " --full" : ""));
  pen.close();
  pen.line();
}

void write_next(HtmlPen& pen, const std::vector<report::NextStep>& next, const std::string& heading) {
  if (next.empty()) return;
  pen.open("div", {{"class", "next"}});
  pen.element(heading, {}, "Where to go next");
  pen.open("ul");
  pen.line();
  for (const report::NextStep& step : next) {
    pen.open("li");
    pen.open("span", {{"class", "command"}});
    pen.element("code", {}, "mha " + step.command_line);
    pen.close();
    pen.open("span", {{"class", "why"}});
    pen.prose(step.shows);
    pen.close();
    pen.close();
    pen.line();
  }
  pen.close();
  pen.close();
  pen.line();
}

void write_body(HtmlPen& pen, const report::Report& report, bool full, PageNumbering& numbers) {
  for (const report::Equation equation : report.explanation.equations) {
    pen.open("div", {{"class", "equation"}});
    pen.markup(math_ml(equation));
    pen.close();
    pen.line();
  }
  write_parameters(pen, report.parameters);
  write_printed(pen, report, full, numbers);
  for (const report::Figure& figure : report.figures) write_figure(pen, figure, numbers);
}

}  // namespace mha::render
