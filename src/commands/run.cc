#include "commands/run.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "commands/concat.h"
#include "commands/entropy.h"
#include "commands/filterbank.h"
#include "commands/params.h"
#include "commands/rank.h"
#include "commands/weights.h"

namespace mha::commands {
namespace {

struct LessonScript {
  const char* name;
  std::vector<report::Report> (*steps)();
};

std::vector<report::Report> multi_head_weights() {
  const HeadOptions heads;
  const RankOptions ranks;
  return {weights(heads), rank(ranks), entropy(heads)};
}

std::vector<report::Report> head_concatenation() {
  const PipelineOptions pipeline;
  const ParamsOptions counts;
  return {concat(pipeline), params(counts)};
}

std::vector<report::Report> filter_bank_identity() {
  PipelineOptions bank;
  bank.wo = kEveryProjection;
  RankOptions flops;
  flops.H_big = {1, 4, 8, 16};
  report::Report counts = rank(flops);
  counts.figures.clear();  // the FLOPs are what is looked at here; multi_head_weights draws the ranks
  counts.command_line = "rank --H-big 1,4,8,16";
  report::Report identities = filterbank(bank);
  identities.command_line = "filterbank --wo all";
  return {std::move(identities), std::move(counts)};
}

constexpr std::array kScripts = {
    LessonScript{"multi_head_weights", multi_head_weights},
    LessonScript{"head_concatenation", head_concatenation},
    LessonScript{"filter_bank_identity", filter_bank_identity},
};

}  // namespace

const std::vector<std::string>& script_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LessonScript& script : kScripts) all.emplace_back(script.name);
    return all;
  }();
  return names;
}

report::Document run(const std::vector<std::string>& names) {
  std::vector<report::Script> scripts;
  for (const std::string& name : names.empty() ? script_names() : names) {
    const auto* const script =
        std::find_if(kScripts.begin(), kScripts.end(), [&](const LessonScript& s) { return s.name == name; });
    if (script == kScripts.end()) throw std::invalid_argument("no script is called '" + name + "'");
    scripts.push_back({name, {}, script->steps()});
  }
  return {{}, std::move(scripts)};
}

}  // namespace mha::commands
