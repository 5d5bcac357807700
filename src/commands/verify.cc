#include "commands/verify.h"

#include <array>
#include <string>
#include <vector>

#include "lessons/09-multi-head-attention/expected.h"

namespace mha::commands {
namespace {

/// Decimals of a computed number: enough to see how far from the expected one it is.
int computed_places(const lesson09::Check& check) {
  if (check.places > 0) return 6;
  return check.ok() ? 0 : 12;
}

/// A single number as itself, several as a list.
report::Value value(const std::vector<double>& numbers) {
  if (numbers.size() == 1) return {numbers.front()};
  report::List list;
  for (const double number : numbers) list.push_back({number});
  return {std::move(list)};
}

}  // namespace

report::Report verify() { return verify(lesson09::expected_numbers()); }

report::Report verify(const std::vector<lesson09::Check>& expected) {
  report::Report report("verify");
  report::Table table{{"what", "expected", "computed", ""}, {}};
  report::List checks;
  for (const lesson09::Check& check : expected) {
    table.rows.push_back({check.what, report::Decimals{check.expected, check.places},
                          report::Decimals{check.computed, computed_places(check)},
                          std::string(check.ok() ? "ok" : "NOT OK")});
    checks.push_back({report::Object{{"what", {check.what}},
                                     {"expected", value(check.expected)},
                                     {"computed", value(check.computed)},
                                     {"ok", {check.ok()}}}});
    report.ok = report.ok && check.ok();
  }
  report.results = {{"checks", {std::move(checks)}}};
  report.lines = {{std::move(table)}};
  report.explanation = {
      "The lesson's numbers, checked",
      "Every number that the lesson states, to as many decimals as it gives, and beside it what "
      "is computed here.",
      {},
      {{"run", "the scripts that these numbers come from"}, {"exercise", "six questions to go on with"}}};
  return report;
}

constexpr std::array kExamples = {"mha verify", "mha verify --format json"};
const Command kVerify = {
    "verify",
    "check every number that the lesson states",
    "Computes the lesson's expected numbers and says of each whether it comes out. The exit "
    "status is 1\nif one does not.",
    kExamples,
    false,
    [](options::Options&) -> Work { return [] { return report::Document(verify()); }; }};

}  // namespace mha::commands
