#include "render/html/section.h"

#include <fmt/format.h>

#include <sstream>

#include "render/svg/svg.h"
#include "render/text/text.h"
#include "text/number.h"

namespace mha::render {
namespace {

/// A box with its own scroll bar where its content is wider than the page; the keyboard scrolls it too.
Markup scroll_box(const std::string& label, const Markup& content) {
  return markup(R"(<div class="scroll" role="region" tabindex="0" aria-label="{}">{}</div>)", label, content);
}

std::string value_text(bool yes) { return yes ? "yes" : "no"; }
std::string value_text(report::Count count) { return fmt::to_string(count); }
std::string value_text(double number) { return text::shortest(number); }
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

Markup parameters(const report::Object& given) {
  if (given.empty()) return {};
  Markup list;
  for (const report::Member& parameter : given) {
    list += markup("<div><dt>{}</dt><dd><bdi>{}</bdi></dd></div>", parameter.name,
                   std::visit([](const auto& data) { return value_text(data); }, parameter.value.data));
  }
  return markup("<dl class=\"parameters\">{}</dl>\n", list);
}

Markup output(const report::Report& report, bool full, PageNumbering& numbers) {
  std::ostringstream printed;
  text(report, full, printed);
  return markup("<div class=\"terminal\">{}{}</div>\n", command(report.command_line, full),
                scroll_box(fmt::format("Output {}: mha {}", ++numbers.blocks, report.command_line),
                           markup("<pre><code>{}</code></pre>", printed.str())));
}

Markup figure(const report::Figure& figure, PageNumbering& numbers) {
  const std::string name = fmt::format("Figure {}", ++numbers.figures);
  const std::string id = figure_id(numbers.figures);
  const std::string caption = id + "-caption";
  return markup(R"(<figure id="{}">
{}
<figcaption id="{}"><b>{}.</b> <bdi>{}</bdi></figcaption></figure>
)",
                id, scroll_box(name + ": " + figure.title, Markup{"\n" + svg_in_page(figure, id, caption)}),
                caption, name, figure.description);
}

}  // namespace

std::string figure_id(std::size_t n) { return fmt::format("figure-{}", n); }

Markup paragraph(const std::string& sentences) {
  return sentences.empty() ? Markup{} : markup("<p>{}</p>\n", prose(sentences));
}

Markup command(const std::string& command_line, bool full, const std::string& more_classes) {
  return markup("<p class=\"command{}\"><code>mha {}{}</code></p>\n", more_classes, command_line,
                full ? " --full" : "");
}

Markup next_steps(const std::vector<report::NextStep>& steps, int level) {
  if (steps.empty()) return {};
  Markup list;
  for (const report::NextStep& step : steps) {
    list +=
        markup("<li><span class=\"command\"><code>mha {}</code></span><span class=\"why\">{}</span></li>\n",
               step.command_line, prose(step.shows));
  }
  const std::string heading = fmt::format("h{}", level);
  return markup("<div class=\"next\"><{}>{}</{}><ul>\n{}</ul></div>\n", heading, kNextHeading, heading, list);
}

Markup section(const report::Report& report, bool full, PageNumbering& numbers) {
  Markup made;
  for (const report::Equation equation : report.explanation.equations) {
    made += markup("<div class=\"equation\">{}</div>\n", math_ml(equation));
  }
  made += parameters(report.parameters);
  made += output(report, full, numbers);
  for (const report::Figure& drawn : report.figures) made += figure(drawn, numbers);
  return made;
}

}  // namespace mha::render
