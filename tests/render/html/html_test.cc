#include "render/html/html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "commands/commands.h"
#include "render/html/assets.h"
#include "render/text/text.h"
#include "tests/support/figures.h"
#include "tests/support/process.h"

namespace mha::test {
namespace {

/// As `mha COMMAND --html` writes it, without --input.
std::string page_of(report::Document document, bool full = false) {
  std::erase_if(document.explanation.next,
                [](const report::NextStep& step) { return step.after == report::NextStep::After::kFile; });
  for (report::Script& script : document.scripts) {
    for (report::Report& step : script.steps) {
      std::erase_if(step.explanation.next, [](const report::NextStep& next) {
        return next.after == report::NextStep::After::kFile;
      });
    }
  }
  return render::html(document, {.program = "mha 1", .full = full});
}

/// A document of every kind.
std::vector<report::Document> documents() {
  commands::ParamsOptions table;
  table.H = {1, 2};
  const commands::RankOptions ranks;
  commands::ExerciseOptions solution;
  solution.number = 4;
  solution.solution = true;
  return {commands::run({}),
          commands::weights({}),
          commands::concat({}),
          commands::params({}),
          commands::params(table),
          commands::filterbank({{}, commands::BankProjection::kAll}),
          commands::entropy({}),
          commands::rank(ranks),
          commands::verify(),
          commands::exercise({}),
          commands::exercise(solution),
          commands::run(
              {commands::LessonScript::kHeadConcatenation, commands::LessonScript::kHeadConcatenation})};
}

std::vector<std::string> values_of(const std::vector<Element>& elements, const std::string& attribute) {
  std::vector<std::string> values;
  for (const Element& element : elements) {
    for (const auto& [key, value] : element.attributes) {
      if (key == attribute) values.push_back(value);
    }
  }
  return values;
}

/// The printed blocks: the code in each pre.
std::vector<std::string> printed_blocks(const std::vector<Element>& elements) {
  std::vector<std::string> blocks;
  for (std::size_t i = 1; i < elements.size(); ++i) {
    if (elements[i].name == "code" && elements[i - 1].name == "pre") blocks.push_back(elements[i].text);
  }
  return blocks;
}

std::string as_text(const report::Document& document, bool full = false) {
  std::ostringstream text;
  render::text(document, full, text);
  return text.str();
}

std::size_t count_of(const std::vector<Element>& elements, const std::string& name) {
  return static_cast<std::size_t>(
      std::count_if(elements.begin(), elements.end(), [&](const Element& e) { return e.name == name; }));
}

TEST(Html, IsWellFormedWithUniqueIdsAndLinksThatLead) {
  for (const report::Document& document : documents()) {
    const std::vector<Element> elements = parse_xml(page_of(document));
    const std::vector<std::string> ids = values_of(elements, "id");
    const std::set<std::string> unique(ids.begin(), ids.end());
    EXPECT_EQ(unique.size(), ids.size());
    std::vector<std::string> wanted;
    for (const std::string& link : values_of(elements, "href")) {
      ASSERT_EQ(link.at(0), '#') << "a link that leaves the page: " << link;
      wanted.push_back(link.substr(1));
    }
    EXPECT_GE(wanted.size(), 2U);
    for (const char* name : {"aria-labelledby", "aria-describedby"}) {
      for (const std::string& id : values_of(elements, name)) wanted.push_back(id);
    }
    for (const std::string& id : wanted) EXPECT_EQ(unique.count(id), 1U) << id;
  }
}

TEST(Html, HeadingsAreInOrderAndLandmarksAreThere) {
  for (const report::Document& document : documents()) {
    const std::vector<Element> elements = parse_xml(page_of(document));
    char level = '0';
    for (const Element& element : elements) {
      if (element.name.size() != 2 || element.name[0] != 'h' || element.name[1] == 'r') continue;
      EXPECT_LE(element.name[1], level + 1) << element.text;
      EXPECT_NE(element.text, "");
      level = element.name[1];
    }
    for (const char* name : {"h1", "main", "nav", "header", "footer"}) {
      EXPECT_EQ(count_of(elements, name), 1U) << name;
    }
    EXPECT_EQ(elements.at(0).attribute("lang"), "en");
  }
}

TEST(Html, PrintedBlocksAreTheTerminalsBytes) {
  for (const report::Document& document : documents()) {
    for (const bool full : {false, true}) {
      std::string all;
      for (const std::string& block : printed_blocks(parse_xml(page_of(document, full)))) all += block;
      EXPECT_EQ(all, std::regex_replace(as_text(document, full), std::regex("===.*===\n"), ""));
    }
  }
}

TEST(Html, EveryFigureStandsInItWithItsDescription) {
  for (const report::Document& document : documents()) {
    const std::vector<Element> elements = parse_xml(page_of(document));
    std::size_t figures = 0;
    for (const Element& element : elements) {
      if (element.name != "svg") continue;
      ++figures;
      EXPECT_EQ(element.attribute("role"), "img");
      EXPECT_GT(std::stod(element.attribute("width")), 80.0);
      EXPECT_GT(std::stod(element.attribute("height")), 80.0);
    }
    EXPECT_EQ(figures, count_of(elements, "figcaption"));
    EXPECT_EQ(figures, count_of(elements, "figure"));
  }
  EXPECT_EQ(count_of(parse_xml(page_of(commands::run({}))), "figure"), 7U);
}

TEST(Html, LoadsNothing) {
  const std::string page = page_of(commands::run({}));
  const std::vector<Element> elements = parse_xml(page);
  for (const char* attribute : {"src", "srcset", "action", "data", "xlink:href", "style", "onclick"}) {
    EXPECT_EQ(values_of(elements, attribute), std::vector<std::string>{}) << attribute;
  }
  for (const char* element : {"link", "img", "iframe", "object", "embed", "image", "use", "base", "form"}) {
    EXPECT_EQ(count_of(elements, element), 0U) << element;
  }
  for (const char* word : {"url(", "@import", "@font-face", "http:", "https:"}) {
    const std::string without_namespaces = std::regex_replace(page, std::regex("xmlns=\"[^\"]*\""), "");
    EXPECT_EQ(without_namespaces.find(word), std::string::npos) << word;
  }
}

/// In base 64 (RFC 4648), of a text in hexadecimal digits.
std::string base64(const std::string& hex) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const char digit : hex) {
    for (int bit = 3; bit >= 0; --bit)
      bits += (std::stoi(std::string(1, digit), nullptr, 16) >> bit & 1) != 0 ? '1' : '0';
  }
  std::string result;
  for (std::size_t i = 0; i < bits.size(); i += 6) {
    std::string six = bits.substr(i, 6);
    six.resize(6, '0');
    result += kDigits[std::stoi(six, nullptr, 2)];
  }
  while (result.size() % 4 != 0) result += '=';
  return result;
}

TEST(Html, ItsPolicyLetsItsOwnScriptRunAndNoOther) {
  const std::string script(render::page_script());
  const std::string hash =
      base64(shell("printf %s \"$SCRIPT\" | sha256sum", {{"SCRIPT", script}}).out.substr(0, 64));
  EXPECT_EQ(render::page_script_hash(), hash) << "the script has changed: this is its hash now";
  std::size_t policies = 0;
  for (const Element& element : parse_xml(page_of(commands::verify()))) {
    if (element.attribute("http-equiv") != "Content-Security-Policy") continue;
    ++policies;
    EXPECT_NE(element.attribute("content").find("default-src 'none'"), std::string::npos);
    EXPECT_NE(element.attribute("content").find("'sha256-" + hash + "'"), std::string::npos);
  }
  EXPECT_EQ(policies, 1U);
}

TEST(Html, StyleAndScriptAreTheSameInHtmlAndInXml) {
  for (const std::string& code : {std::string(render::page_script()), render::style_sheet()}) {
    EXPECT_EQ(code.find_first_of("<&"), std::string::npos);
    EXPECT_EQ(code.find("]]>"), std::string::npos);
  }
}

TEST(Html, TooltipsGivePlaceAndValueInFull) {
  const Matrix A = (Matrix(2, 2) << 1.0, 0.0, 1.0 / 3.0, 2.0 / 3.0).finished();
  report::Report report("weights");
  report.figures = {one_heatmap(A, report::Scale::kWeight, attention::Mask::kCausal)};
  std::vector<std::string> tooltips;
  for (const Element& element : parse_xml(page_of(report))) {
    if (element.name == "title" && element.text.starts_with("row ")) tooltips.push_back(element.text);
  }
  EXPECT_EQ(tooltips, (std::vector<std::string>{"row t1, column t1: 1", "row t1, column t2: masked",
                                                "row t2, column t1: 0.3333333333333333",
                                                "row t2, column t2: 0.6666666666666666"}));
}

TEST(Html, LabelsShowAsTextWhateverTheyHold) {
  const std::vector<std::pair<std::string, std::string>> labels = {
      {"</script><script>alert(1)</script>", "</script><script>alert(1)</script>"},
      {"<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"},
      {"</code></pre></title></style>", "</code></pre></title></style>"},
      {"a&amp;b \" ' ]]>", "a&amp;b \" ' ]]>"},
      {"\u202Etxt\u2066", "\uFFFDtxt\uFFFD"},
      {"\x1b[31m\x07\r\x7f", "\uFFFD[31m\uFFFD\uFFFD\uFFFD"},
      {"\xff\xfe", "\uFFFD\uFFFD"},
      {"שלום 🙂", "שלום 🙂"}};
  for (const auto& [label, shown] : labels) {
    SCOPED_TRACE(shown);
    report::Report report("command " + label, {{label, label}});
    report.lines = {{label, report::Table{{label}, {{label}}}}};
    report.command_line = label;
    report.explanation.title = report.command;
    report.figures = {{label,
                       label,
                       label,
                       1,
                       false,
                       {{label, report::Heatmap{Matrix(Matrix::Ones(1, 1)),
                                                report::Scale::kSigned,
                                                nullptr,
                                                {label, [text = label](Index) { return text; }},
                                                {label, [text = label](Index) { return text; }},
                                                label}}}}};
    const std::vector<Element> elements = parse_xml(page_of(report));
    const std::vector<Element> harmless = parse_xml(page_of([&report] {
      report::Report plain = report;
      plain.command = "command x";
      return plain;
    }()));
    EXPECT_EQ(elements.size(), harmless.size());
    std::map<std::string, std::vector<std::string>> found;
    for (const Element& element : elements) found[element.name].push_back(element.text);
    EXPECT_EQ(found["h1"], std::vector<std::string>{"command " + shown});
    EXPECT_EQ(found["dt"], std::vector<std::string>{shown});
    EXPECT_EQ(found["bdi"], (std::vector<std::string>{shown, shown}));  // the parameter's value, the caption
    EXPECT_EQ(found["code"].at(0), "mha " + shown);
    EXPECT_NE(found["code"].at(1).find(shown), std::string::npos);
    EXPECT_EQ(count_of(elements, "script"), 1U);
    EXPECT_EQ(count_of(elements, "img"), 0U);
  }
}

TEST(Html, IsTheSameBytesOnEveryRunAndUnderTwoMegabytes) {
  const std::string lesson = page_of(commands::run({}));
  EXPECT_EQ(lesson, page_of(commands::run({})));
  EXPECT_LT(lesson.size(), 2000000U);
  commands::HeadOptions heads;
  heads.source.T = 2000;
  commands::RankOptions ranks;
  ranks.heads = heads;
  EXPECT_LT(page_of(commands::weights(heads)).size(), 2000000U);
  EXPECT_LT(page_of(commands::rank(ranks)).size(), 2000000U);
}

TEST(Html, ExplainsEveryCommandAndScript) {
  const report::Document lesson = commands::run({});
  for (const report::Script& script : lesson.scripts) {
    EXPECT_NE(script.explanation.shows, "") << script.name;
    for (const report::Report& step : script.steps) {
      EXPECT_NE(step.explanation.shows, "") << step.command;
      EXPECT_FALSE(step.explanation.equations.empty()) << step.command;
      EXPECT_FALSE(step.explanation.next.empty()) << step.command;
    }
  }
  for (const report::Document& document : documents()) EXPECT_NE(document.explanation.shows, "");
}

TEST(Html, LeadsToCommandsThatSucceedAndNotInACircle) {
  std::set<std::string> tried;
  for (const report::Document& document : documents()) {
    const std::vector<Element> elements = parse_xml(page_of(document));
    for (const Element& element : elements) {
      if (element.name != "code" || element.within == "" || !element.text.starts_with("mha ")) continue;
      if (element.text.starts_with("mha bench")) continue;  // it takes minutes under sanitizers
      if (!tried.insert(element.text).second) continue;
      const Outcome outcome = shell(element.text + " > /dev/null");
      EXPECT_EQ(outcome.status, 0) << element.text << "\n" << outcome.err;
    }
  }
  EXPECT_GE(tried.size(), 25U);
}

}  // namespace
}  // namespace mha::test
