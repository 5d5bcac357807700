// A decimal comma and digits in groups, in force in C and in C++, change nothing.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/request.h"
#include "options/values.h"
#include "render/html/html.h"
#include "render/terminal/terminal.h"
#include "render/text/json.h"
#include "render/text/text.h"
#include "tests/support/german_locale.h"
#include "tests/support/temporary_directory.h"
#include "text/number.h"

namespace mha::test {
namespace {

/// Numbers that a careless `<<` would write with a comma or with their thousands apart.
report::Report awkward_numbers() {
  report::Report report("");
  report.lines = {{"x", 1.5, report::Count{1234567}, 1234567.5},
                  {report::LazyMatrix(Matrix(Matrix::Constant(1234, 2, 0.5)))},
                  {report::Vector{Matrix(Matrix::Constant(1234, 1, 12345.5))}}};
  report.results = {{"x", {1234567.5}}, {"n", {report::Count{1234567}}}};
  return report;
}

/// Everything that the commands print, as text, as JSON and as pages, made and written under the locale in
/// force.
std::string everything() {
  const TemporaryFile half("half.json", R"({"A": [[1, 0], [0.5, 0.5]]})");
  const std::vector<std::vector<std::string>> requests = {
      {"weights", "--gain", "2.5", "--T", "9"},
      {"concat"},
      {"params"},
      {"params", "--d-model", "1600", "--H", "1,25", "--bias"},
      {"filterbank", "--wo", "all"},
      {"entropy"},
      {"rank"},
      {"run"},
      {"verify"},
      {"weights", "--input", half.path()}};
  std::ostringstream out;  // takes the global locale as it is made, as a program's stream would
  std::vector<report::Document> documents = {awkward_numbers()};
  for (const auto& arguments : requests) documents.push_back(cli::read_request(arguments).work());
  for (const report::Document& document : documents) {
    render::text(document, false, out);
    render::text(document, true, out);
    render::json(document, out);
    out << render::html(document, {.program = "mha"});
    if (!document.is_one_command()) continue;
    for (const report::Figure& figure : document.figures()) render::terminal(figure, {}, out);
  }
  out << cli::read_request({"--help"}).text << cli::read_request({"weights", "--help"}).text;
  std::string text = out.str();  // but for the directory, which is another each time
  for (std::size_t at = text.find(half.path()); at != std::string::npos; at = text.find(half.path(), at))
    text.replace(at, half.path().size(), "half.json");
  return text;
}

TEST(Locale, WithADecimalCommaChangesNothing) {
  const std::string before = everything();
  const GermanLocale german;
  std::array<char, 32> half{};
  std::snprintf(half.data(), half.size(), "%.1f", 0.5);
  std::ostringstream stream;
  stream << 1234567 << ' ' << 0.5;
  ASSERT_STREQ(half.data(), "0,5") << "the locale is not in force";
  ASSERT_EQ(stream.str(), "1.234.567 0,5") << "the locale is not in force";

  EXPECT_EQ(everything(), before);
  EXPECT_EQ(text::shortest(1.0986122886681098), "1.0986122886681098");
  EXPECT_EQ(text::fixed(1234567.25, 6), "1234567.250000");
  EXPECT_EQ(text::parse_double("2.5"), 2.5);
  EXPECT_EQ(text::parse_double("2,5"), std::nullopt);
}

}  // namespace
}  // namespace mha::test
