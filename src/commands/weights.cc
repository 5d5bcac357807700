#include "commands/weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "attention/causal_attention.h"

namespace mha::commands {
namespace {

report::LazyMatrix attention_matrix(const SharedHead& head) {
  const Index T = head->Q.rows();
  return {T, T, [head](Index first, Block A) { attention::attention_weights(head->Q, head->K, first, A); }};
}

}  // namespace

report::Report weights(const HeadOptions& options) {
  report::Report report{"weights", head_parameters(options), {}, {}};
  report::List heads;
  SharedHead uniform;
  for (const SharedHead& head : lesson_heads(options)) {
    const report::LazyMatrix A = attention_matrix(head);
    report.lines.push_back({fmt::format("Head {} — {}:", head->number, head->name), A});
    heads.push_back({report::Object{
        {"head", {static_cast<report::Count>(head->number)}}, {"name", {head->name}}, {"A", {A}}}});
    if (head->number == 4) uniform = head;
  }
  report.results = {{"heads", {std::move(heads)}}};

  if (uniform) {
    const Index r = std::min<Index>(4, options.T);
    const Matrix row = attention_matrix(uniform).read(r - 1, 1);
    report.lines.push_back({fmt::format("Head 4 row {}:", r), report::Vector{Matrix(row.transpose())}});
  }
  return report;
}

}  // namespace mha::commands
