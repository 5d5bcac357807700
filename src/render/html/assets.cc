#include "render/html/assets.h"

#include <fmt/format.h>

#include "render/colors.h"
#include "render/svg/svg_writer.h"

namespace mha::render {
namespace {

constexpr const char* kSheet = R"(
:root {
  color-scheme: light dark;
  --paper: #f7f8fa; --surface: #ffffff; --terminal: #f1f3f7;
  --ink: #22262c; --quiet: #565e69; --rule: #d9dde3; --accent: #1c5fae; --mark: #e8f0fb;
  --axis: #9aa1ab; --grid: #e6e8ec; --masked: #d5d8dd; --ceiling: #b9bec6; --shade: #22262c33;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #13161a; --surface: #1a1e24; --terminal: #0f1216;
    --ink: #e5e8ec; --quiet: #a6afba; --rule: #343b45; --accent: #8dbbf3; --mark: #1f2c3f;
    --axis: #6c7581; --grid: #2c323b; --masked: #3c434d; --ceiling: #666f7b; --shade: #00000099;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 var(--sans);
}
a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 0.06em; }
a:hover { text-decoration-thickness: 0.12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--surface); z-index: 1; }
.page { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; margin: 0; }
h1 { font-size: clamp(1.75rem, 1.35rem + 1.8vw, 2.5rem); letter-spacing: -0.015em; }
h2 { font-size: 1.6rem; letter-spacing: -0.01em; }
h3 { font-size: 1.25rem; }
.next h2, .next h3, .next h4 { font-size: 1rem; }
p { margin: 0.75rem 0; max-width: 44rem; overflow-wrap: anywhere; }
.lede { color: var(--quiet); font-size: 1.125rem; }
bdi { overflow-wrap: anywhere; }
code { font-family: var(--mono); font-size: 0.9em; }
header .command { margin-top: 1.25rem; }
nav { margin: 2rem 0 0; padding: 1rem 1.25rem; border: 1px solid var(--rule); border-radius: 10px; background: var(--surface); }
nav h2 { font-size: 0.875rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--quiet); }
nav ol { list-style: none; margin: 0.5rem 0 0; padding: 0; }
nav ol ol { margin: 0 0 0.5rem 1rem; }
nav a { display: inline-block; padding: 0.2rem 0; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
nav ol ol a { font-size: 0.9375rem; }
.script { margin-top: 4rem; padding-top: 2rem; border-top: 2px solid var(--rule); }
.step { margin-top: 3rem; }
.alone { margin-top: 2rem; }
.equation { margin: 1.25rem 0; overflow-x: auto; overflow-y: hidden; padding: 0.25rem 0; }
sub { line-height: 0; font-size: 0.75em; }
math { font-size: 1.2rem; font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", math, "DejaVu Serif", serif; }
math[display="block"] { margin: 0; width: fit-content; }
.parameters { display: flex; flex-wrap: wrap; gap: 0.375rem 0.5rem; margin: 1rem 0; }
.parameters div { display: flex; gap: 0.5rem; padding: 0.1rem 0.7rem; border: 1px solid var(--rule); border-radius: 1rem; background: var(--surface); font-size: 0.875rem; max-width: 100%; }
.parameters dt { color: var(--quiet); }
.parameters dd { margin: 0; font-family: var(--mono); font-size: 0.9em; line-height: 1.75; overflow-wrap: anywhere; min-width: 0; }
.terminal { margin: 1rem 0 1.5rem; border: 1px solid var(--rule); border-radius: 10px; background: var(--terminal); overflow: hidden; }
.command { display: flex; align-items: center; gap: 0.6rem; max-width: none; margin: 0; padding: 0.5rem 0.6rem 0.5rem 1rem; min-height: 2.75rem; }
.terminal .command { border-bottom: 1px solid var(--rule); background: var(--surface); }
header .command, .script-command { border: 1px solid var(--rule); border-radius: 10px; background: var(--surface); width: fit-content; max-width: 100%; }
.command code { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; }
.command code::before { content: "$ " / ""; color: var(--quiet); user-select: none; -webkit-user-select: none; }
.command button { flex: none; margin-left: auto; white-space: nowrap; font: 0.8125rem/1 var(--sans); padding: 0.4rem 0.7rem; min-height: 1.75rem; color: var(--ink); background: var(--paper); border: 1px solid var(--rule); border-radius: 6px; cursor: pointer; }
.command button:hover { background: var(--mark); border-color: var(--accent); }
.scroll { overflow-x: auto; max-width: 100%; }
.terminal .scroll { --under: var(--terminal); }
figure .scroll { --under: var(--surface); }
.terminal .scroll, figure .scroll {
  background: linear-gradient(to right, var(--under) 30%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--under) 30%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / 0.75rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / 0.75rem 100% no-repeat scroll;
}
pre { margin: 0; padding: 0.9rem 1rem; font: 0.875rem/1.5 var(--mono); width: max-content; min-width: 100%; direction: ltr; unicode-bidi: isolate; tab-size: 8; }
pre code { font-size: 1em; }
figure { margin: 1.75rem 0; border: 1px solid var(--rule); border-radius: 10px; background: var(--surface); overflow: hidden; }
figure svg { display: block; height: auto; max-width: max(100%, 42rem); margin: 0 auto; font-family: Helvetica, Arial, "Liberation Sans", sans-serif; }
figure svg.large { max-width: none; }
figcaption { padding: 0.75rem 1.25rem 1rem; border-top: 1px solid var(--rule); color: var(--quiet); font-size: 0.9375rem; line-height: 1.5; overflow-wrap: anywhere; }
figcaption b { color: var(--ink); }
.next { margin: 1.5rem 0; padding: 0.9rem 1.25rem 1rem; border-left: 4px solid var(--accent); background: var(--mark); border-radius: 0 10px 10px 0; }
.next ul { list-style: none; margin: 0.5rem 0 0; padding: 0; }
.next li { margin: 0.5rem 0; }
.next .command { display: inline-flex; min-height: 0; padding: 0; background: none; vertical-align: middle; max-width: 100%; }
.next .command button { margin: 0; padding: 0.3rem 0.6rem; min-height: 1.5rem; }
.next .why { display: block; color: var(--ink); font-size: 0.9375rem; line-height: 1.45; }
.more { margin-top: 4rem; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--rule); color: var(--quiet); font-size: 0.875rem; }
.status { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (min-width: 75rem) {
  .page { max-width: 82rem; display: grid; grid-template-columns: 15rem minmax(0, 1fr); column-gap: 3.5rem; }
  header, footer { grid-column: 2; }
  nav { grid-column: 1; grid-row: 1 / span 3; align-self: start; position: sticky; top: 1.5rem; margin: 0; max-height: calc(100vh - 3rem); overflow-y: auto; background: none; border: 0; padding: 0.5rem 0; }
  main { grid-column: 2; min-width: 0; }
}
@media (max-width: 40rem) {
  .page { padding: 1.5rem 1rem 3rem; }
  body { font-size: 1rem; }
  .lede { font-size: 1.0625rem; }
  pre { font-size: 0.8125rem; }
  math { font-size: 1.05rem; }
  .script { margin-top: 3rem; }
}
@media print {
  :root { --paper: #ffffff; --terminal: #ffffff; --mark: #ffffff; }
  body { font-size: 10.5pt; line-height: 1.45; }
  .page { display: block; max-width: none; padding: 0; }
  nav { position: static; max-height: none; border: 0; padding: 0; }
  .skip, .command button, .status { display: none; }
  .scroll { overflow: visible; }
  pre { font-size: 7.6pt; width: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  figure svg { max-width: 100%; max-height: 21cm; }
  figure, .terminal, .next, .equation { break-inside: avoid; }
  h1, h2, h3, h4, .command, .equation, .parameters, .step p:has(+ .equation) { break-after: avoid; }
  .script { break-before: page; margin-top: 0; padding-top: 0; border: 0; }
  a { color: inherit; text-decoration: none; }
}
)";

/// The figures' text and lines, coloured for light paper, take the page's colours. Data keep theirs.
std::string figure_rules() {
  std::string rules;
  const auto rule = [&](const char* element, const char* property, Rgb color, const char* variable) {
    rules += fmt::format("figure {0}[{1}=\"{2}\"] {{ {1}: var({3}); }}\n", element, property, hex(color),
                         variable);
  };
  rule("text", "fill", kInk, "--ink");
  rule("text", "fill", kQuiet, "--quiet");
  rule("path", "stroke", kRule, "--axis");
  rule("path", "stroke", kGrid, "--grid");
  rule("path", "stroke", kCeiling, "--ceiling");
  rule("rect", "fill", kMasked, "--masked");
  rule("path", "fill", kWhite, "--surface");
  rule("g", "fill", kWhite, "--surface");
  return rules;
}

}  // namespace

std::string style_sheet() { return kSheet + figure_rules(); }

std::string_view page_script() {
  return R"(
"use strict";
{
  const status = document.createElement("p");
  status.className = "status";
  status.setAttribute("role", "status");
  document.querySelector("footer").append(status);
  const select = code => getSelection().selectAllChildren(code);
  for (const code of document.querySelectorAll(".command code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy " + code.textContent);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
        status.textContent = "Copied " + code.textContent;
      } catch {
        select(code);
        button.textContent = "Selected";
        status.textContent = "Selected " + code.textContent;
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    code.after(button);
  }
}
)";
}

std::string_view page_script_hash() { return "V/Smmwm9Fh4ZXvBjeIzSz0jr0hLGvstfb5zgI/asL8w="; }

}  // namespace mha::render
