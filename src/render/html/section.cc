#include "render/html/section.h"

#include <fmt/format.h>

#include <sstream>

#include "render/html/equations.h"
#include "render/svg/svg.h"
#include "render/text/number.h"
#include "render/text/text.h"

namespace mha::render {
namespace {

/// A box with its own scroll bar where its content is wider than the page; the keyboard scrolls it too.
void open_scroll(XmlWriter& page, const std::string& label) {
  page.open("div", {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", label}});
}

std::string value_text(bool yes) { return yes ? "yes" : "no"; }
std::string value_text(report::Count count) { return fmt::to_string(count); }
std::string value_text(double number) { return shortest(number); }
std::string value_text(const std::string& text) { return text; }
template <typename Other>
std::string value_text(const Other&) {
  return "…";
}
std::string value_text(const report::List& list) {
  std::string joined;
  for (const report::Value& item : list) {
    joined += joined.empty() ? "" : ", ";
    joined += std::visit([](const auto& data) { return value_text(data); }, item.data);
  }
  return joined;
}

void write_parameters(XmlWriter& page, const report::Object& parameters) {
  if (parameters.empty()) return;
  page.open("dl", {{"class", "parameters"}});
  for (const report::Member& parameter : parameters) {
    page.open("div");
    page.element("dt", {}, parameter.name);
    page.open("dd");
    page.label(std::visit([](const auto& data) { return value_text(data); }, parameter.value.data));
    page.close();
    page.close();
  }
  page.close_line();
}

void write_printed(XmlWriter& page, const report::Report& report, bool full, PageNumbering& numbers) {
  std::ostringstream printed;
  text(report, full, printed);
  page.open("div", {{"class", "terminal"}});
  write_command(page, report.command_line, full);
  open_scroll(page, fmt::format("Output {}: mha {}", ++numbers.blocks, report.command_line));
  page.open("pre");
  page.element("code", {}, printed.str());
  page.close();
  page.close();
  page.close_line();
}

void write_figure(XmlWriter& page, const report::Figure& figure, PageNumbering& numbers) {
  const std::size_t n = ++numbers.figures;
  const std::string id = figure_id(n);
  const std::string caption = id + "-caption";
  page.open_line("figure", {{"id", id}});
  open_scroll(page, fmt::format("Figure {}: {}", n, figure.title));
  page.markup("\n");
  page.markup(svg_in_page(figure, id, caption));
  page.close_line();
  page.open("figcaption", {{"id", caption}});
  page.element("b", {}, fmt::format("Figure {}.", n));
  page.text(" ");
  page.label(figure.description);
  page.close();
  page.close_line();
}

}  // namespace

std::string figure_id(std::size_t n) { return fmt::format("figure-{}", n); }

void write_paragraph(XmlWriter& page, const std::string& sentences, const std::string& css_class) {
  if (sentences.empty()) return;
  page.open("p", css_class.empty() ? Attributes{} : Attributes{{"class", css_class}});
  page.prose(sentences);
  page.close_line();
}

void write_command(XmlWriter& page, const std::string& command_line, bool full,
                   const std::string& more_classes) {
  page.open("p", {{"class", "command" + more_classes}});
  page.element("code", {}, "mha " + command_line + (full ? " --full" : ""));
  page.close_line();
}

void write_next(XmlWriter& page, const std::vector<report::NextStep>& next, const std::string& heading) {
  if (next.empty()) return;
  page.open("div", {{"class", "next"}});
  page.element(heading, {}, kNextHeading);
  page.open_line("ul");
  for (const report::NextStep& step : next) {
    page.open("li");
    page.open("span", {{"class", "command"}});
    page.element("code", {}, "mha " + step.command_line);
    page.close();
    page.open("span", {{"class", "why"}});
    page.prose(step.shows);
    page.close();
    page.close_line();
  }
  page.close();
  page.close_line();
}

void write_body(XmlWriter& page, const report::Report& report, bool full, PageNumbering& numbers) {
  for (const report::Equation equation : report.explanation.equations) {
    page.open("div", {{"class", "equation"}});
    page.markup(math_ml(equation));
    page.close_line();
  }
  write_parameters(page, report.parameters);
  write_printed(page, report, full, numbers);
  for (const report::Figure& figure : report.figures) write_figure(page, figure, numbers);
}

}  // namespace mha::render
