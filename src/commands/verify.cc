#include "commands/commands.h"

#include <array>
#include <string>
#include <vector>

#include "lessons/09-multi-head-attention/lesson.h"

namespace mha::commands {
namespace {

/// Decimals of a computed number: enough to see how far from the expected one it is.
int computed_places(const lesson09::Check& check) {
  if (check.places > 0) return 6;
  return check.ok() ? 0 : 12;
}

report::List list_of(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

report::Report verify(const std::vector<lesson09::Check>& expected) {
  report::Report report("verify");
  report::Table table{{"what", "expected", "computed", ""}, {}};
  report::List checks;
  for (const lesson09::Check& check : expected) {
    table.rows.push_back({check.what, report::Decimals{check.expected, check.places},
                          report::Decimals{check.computed, computed_places(check)},
                          std::string(check.ok() ? "ok" : "NOT OK")});
    checks.push_back(report::Object{{"what", check.what},
                                    {"expected", one_or_list(list_of(check.expected))},
                                    {"computed", one_or_list(list_of(check.computed))},
                                    {"ok", check.ok()}});
    report.ok = report.ok && check.ok();
  }
  report.results = {{"checks", std::move(checks)}};
  report.lines = {{std::move(table)}};
  report.explanation = {
      "The lesson's numbers, checked",
      "Every number that the lesson states, to as many decimals as it gives, and beside it what "
      "is computed here.",
      {},
      {{"run", "the scripts that these numbers come from"}, {"exercise", "six questions to go on with"}}};
  return report;
}

constexpr std::array kVerifyExamples = {"mha verify", "mha verify --format json"};
const Command kVerify = {
    "verify",
    "check every number that the lesson states",
    "Computes the lesson's expected numbers and says of each whether it comes out. The exit status is 1\n"
    "if one does not.",
    kVerifyExamples,
    false,
    [](options::Options&) -> Work { return [] { return report::Document(verify()); }; }};

}  // namespace mha::commands
