#include "render/html/html.h"

#include <fmt/format.h>

#include "render/html/assets.h"
#include "render/html/section.h"

namespace mha::render {
namespace {

std::string script_id(std::size_t script) { return fmt::format("part-{}", script + 1); }
std::string step_id(std::size_t script, std::size_t step) {
  return fmt::format("{}-{}", script_id(script), step + 1);
}
constexpr const char* kNextId = "next";

Markup item(const std::string& id, const std::string& text) {
  return markup("<li><a href=\"#{}\">{}</a></li>\n", id, text);
}

Markup contents_of(const report::Report& report) {
  Markup list = item("main", "Output");
  for (std::size_t n = 1; n <= report.figures.size(); ++n) {
    list += item(figure_id(n), report.figures[n - 1].title);
  }
  if (!report.explanation.next.empty()) list += item(kNextId, kNextHeading);
  return list;
}

Markup contents_of(const std::vector<report::Script>& scripts) {
  Markup list;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    Markup steps;
    for (std::size_t k = 0; k < scripts[i].steps.size(); ++k) {
      steps += item(step_id(i, k), scripts[i].steps[k].explanation.title);
    }
    list += markup("<li><a href=\"#{}\">{}</a>\n<ol>\n{}</ol></li>\n", script_id(i),
                   scripts[i].explanation.title, steps);
  }
  list += item(kNextId, kNextHeading);
  return list;
}

/// The page's header already says what a single report shows.
Markup body_of(const report::Report& report, bool full) {
  PageNumbering numbers;
  return markup("<div class=\"alone\">\n{}</div><div id=\"{}\">{}</div>\n", section(report, full, numbers),
                kNextId, next_steps(report.explanation.next, 2));
}

Markup body_of(const report::Document& document, bool full) {
  PageNumbering numbers;
  Markup body;
  for (std::size_t i = 0; i < document.scripts.size(); ++i) {
    const report::Script& script = document.scripts[i];
    Markup steps;
    for (std::size_t k = 0; k < script.steps.size(); ++k) {
      const report::Explanation& about = script.steps[k].explanation;
      steps += markup("<section class=\"step\" id=\"{}\">\n<h3>{}</h3>{}{}{}</section>\n", step_id(i, k),
                      about.title, paragraph(about.shows), section(script.steps[k], full, numbers),
                      next_steps(about.next, 4));
    }
    body += markup("<section class=\"script\" id=\"{}\">\n<h2>{}</h2>{}{}{}</section>\n", script_id(i),
                   script.explanation.title, paragraph(script.explanation.shows),
                   command("run " + script.name, full, " script-command"), steps);
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
                about.shows.empty() ? Markup{} : markup("<p class=\"lede\">{}</p>\n", prose(about.shows)),
                paragraph(about.letters), alone ? Markup{} : command(document.command_line, options.full),
                alone ? contents_of(first) : contents_of(document.scripts),
                alone ? body_of(first, options.full) : body_of(document, options.full), options.program,
                Markup{std::string(page_script())})
      .code;
}

}  // namespace mha::render
