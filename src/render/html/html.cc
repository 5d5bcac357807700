#include "render/html/html.h"

#include <fmt/format.h>

#include <sstream>

#include "render/html/assets.h"
#include "render/html/equations.h"
#include "render/markup.h"
#include "render/svg/svg.h"
#include "render/text/text.h"
#include "text/number.h"

namespace mha::render {
namespace {

constexpr const char* kNextHeading = "Next steps";
constexpr const char* kNextId = "next";

std::string script_id(std::size_t script) { return fmt::format("part-{}", script + 1); }
std::string step_id(std::size_t script, std::size_t step) {
  return fmt::format("{}-{}", script_id(script), step + 1);
}
std::string figure_id(std::size_t n) { return fmt::format("figure-{}", n); }

/// What is on the page so far.
struct Page {
  bool full;  ///< printed blocks are whole
  std::size_t blocks = 0;
  std::size_t figures = 0;
};

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

/// A paragraph of our own text; nothing if it is empty.
Markup paragraph(const std::string& sentences, const Markup& attributes = {}) {
  return sentences.empty() ? Markup{} : markup("<p{}>{}</p>\n", attributes, prose(sentences));
}

/// A command line to copy, with the program's name, and with --full where blocks are whole.
Markup command(const std::string& command_line, const Page& page, const std::string& more_classes = "") {
  return markup("<p class=\"command{}\"><code>mha {}{}</code></p>\n", more_classes, command_line,
                page.full ? " --full" : "");
}

/// Commands to try next, under a heading of that level; nothing if there are none.
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

Markup parameters(const report::Object& given) {
  if (given.empty()) return {};
  Markup list;
  for (const report::Member& parameter : given) {
    list += markup("<div><dt>{}</dt><dd><bdi>{}</bdi></dd></div>", parameter.name,
                   std::visit([](const auto& data) { return value_text(data); }, parameter.value.data));
  }
  return markup("<dl class=\"parameters\">{}</dl>\n", list);
}

/// A box with its own scroll bar where its content is wider than the page; the keyboard scrolls it too.
Markup scroll_box(const std::string& label, const Markup& content) {
  return markup(R"(<div class="scroll" role="region" tabindex="0" aria-label="{}">{}</div>)", label, content);
}

Markup output(const report::Report& report, Page& page) {
  std::ostringstream printed;
  text(report, page.full, printed);
  return markup("<div class=\"terminal\">{}{}</div>\n", command(report.command_line, page),
                scroll_box(fmt::format("Output {}: mha {}", ++page.blocks, report.command_line),
                           markup("<pre><code>{}</code></pre>", printed.str())));
}

Markup figure(const report::Figure& figure, Page& page) {
  const std::string name = fmt::format("Figure {}", ++page.figures);
  const std::string id = figure_id(page.figures);
  const std::string caption = id + "-caption";
  return markup(R"(<figure id="{}">
{}
<figcaption id="{}"><b>{}.</b> <bdi>{}</bdi></figcaption></figure>
)",
                id, scroll_box(name + ": " + figure.title, Markup{"\n" + svg_in_page(figure, id, caption)}),
                caption, name, figure.description);
}

/// The equations, the parameters, the command and its output, the figures.
Markup section(const report::Report& report, Page& page) {
  Markup made;
  for (const report::Equation equation : report.explanation.equations) {
    made += markup("<div class=\"equation\">{}</div>\n", math_ml(equation, report.explanation.attends));
  }
  made += parameters(report.parameters);
  made += output(report, page);
  for (const report::Figure& drawn : report.figures) made += figure(drawn, page);
  return made;
}

/// An entry of the contents.
Markup link(const std::string& id, const std::string& text) {
  return markup("<li><a href=\"#{}\">{}</a></li>\n", id, text);
}

Markup contents_of(const report::Report& report) {
  Markup list = link("main", "Output");
  for (std::size_t n = 1; n <= report.figures.size(); ++n) {
    list += link(figure_id(n), report.figures[n - 1].title);
  }
  if (!report.explanation.next.empty()) list += link(kNextId, kNextHeading);
  return list;
}

Markup contents_of(const std::vector<report::Script>& scripts) {
  Markup list;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    Markup steps;
    for (std::size_t k = 0; k < scripts[i].steps.size(); ++k) {
      steps += link(step_id(i, k), scripts[i].steps[k].explanation.title);
    }
    list += markup("<li><a href=\"#{}\">{}</a>\n<ol>\n{}</ol></li>\n", script_id(i),
                   scripts[i].explanation.title, steps);
  }
  list += link(kNextId, kNextHeading);
  return list;
}

/// The page's header already says what a single report shows.
Markup body_of(const report::Report& report, Page& page) {
  return markup("<div class=\"alone\">\n{}</div><div id=\"{}\">{}</div>\n", section(report, page), kNextId,
                next_steps(report.explanation.next, 2));
}

Markup body_of(const report::Document& document, Page& page) {
  Markup body;
  for (std::size_t i = 0; i < document.scripts.size(); ++i) {
    const report::Script& script = document.scripts[i];
    Markup steps;
    for (std::size_t k = 0; k < script.steps.size(); ++k) {
      const report::Explanation& about = script.steps[k].explanation;
      steps += markup("<section class=\"step\" id=\"{}\">\n<h3>{}</h3>{}{}{}</section>\n", step_id(i, k),
                      about.title, paragraph(about.shows), section(script.steps[k], page),
                      next_steps(about.next, 4));
    }
    body += markup("<section class=\"script\" id=\"{}\">\n<h2>{}</h2>{}{}{}</section>\n", script_id(i),
                   script.explanation.title, paragraph(script.explanation.shows),
                   command("run " + script.name, page, " script-command"), steps);
  }
  body +=
      markup("<div class=\"more\" id=\"{}\">{}</div>\n", kNextId, next_steps(document.explanation.next, 2));
  return body;
}

}  // namespace

std::string html(const report::Document& document, const PageOptions& options) {
  const report::Explanation& about = document.explanation;
  const bool alone = document.is_one_command();
  const report::Report& first = document.scripts.front().steps.front();
  Page page{options.full};
  // Even if a label smuggled markup in, nothing would be fetched and no script but ours would run.
  return markup(R"(<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'"/>
<title>{} · mha {}</title>
<style>{}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
<div class="page">
<header><h1>{}</h1>{}{}{}</header>
<nav aria-labelledby="contents"><h2 id="contents">Contents</h2>
<ol>
{}</ol></nav>
<main id="main">
{}</main>
<footer><p>Made by {}. This page loads nothing from the network.</p></footer>
</div>
<script>{}</script>
</body>
</html>
)",
                page_script_hash(), about.title, document.command_line, Markup{style_sheet()}, about.title,
                paragraph(about.shows, {" class=\"lede\""}), paragraph(about.letters),
                alone ? Markup{} : command(document.command_line, page),
                alone ? contents_of(first) : contents_of(document.scripts),
                alone ? body_of(first, page) : body_of(document, page), options.program,
                Markup{std::string(page_script())})
      .code;
}

}  // namespace mha::render
