#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/counts.h"
#include "commands/layers.h"
#include "report/report.h"

/// What the commands that go through Concat and W_O have in common.
namespace mha::commands {

/// Concat · W_O + b_O for one W_O.
struct Projection {
  std::string name;                       ///< mixing, identity, swap; empty for a file's
  Matrix W_O;                             ///< H·d_v × d_model
  report::LazyMatrix O;                   ///< T_q × d_model
  std::vector<report::LazyMatrix> terms;  ///< T_q × d_model: what each head adds to O
};

struct Pipeline {
  SharedLayer layer;
  std::vector<report::LazyMatrix> head_outputs;     ///< O_h, T_q × d_v each
  report::LazyMatrix O_concat;                      ///< T_q × H·d_v, all of them
  std::vector<Projection> projections;              ///< none where W_O is not known
  std::optional<analysis::ParameterCounts> counts;  ///< where the widths are known
  std::string title = {};                           ///< for titles: `gain 3`, `model.npz`
  report::Object parameters = {};

  [[nodiscard]] Index H() const { return layer->H(); }
  [[nodiscard]] Index d_v() const { return layer->heads.front().V->cols(); }
  /// `A_1 X W_V^1 W_O^(1)`, or with V_1 where X is not known. `h` is what to put for the head.
  [[nodiscard]] std::string term(const std::string& h) const;
  /// The axes of its figures: the columns of Concat (h1.1, h1.2, …), the heads set apart; the tokens.
  [[nodiscard]] report::Axis concat_axis() const;
  [[nodiscard]] report::Axis token_axis() const;
};

/// The channels d1, d2, … of O.
report::Axis channel_axis();

/// Declares the options of a command that has a Source `source` and a choice of projections `wo`.
template <typename Chosen>
void declare_pipeline(options::Options& options, Chosen& chosen) {
  declare_source(options, chosen.source, std::to_string(lesson09::kPipelineTokens),
                 "size of head 1's queries and keys");
  options.choice("--wo", chosen.wo, "the output projection W_O").with_input(options::Input::kExcludes);
}

/// The pipeline with these output projections of the lesson, or with the file's own. Throws
/// std::invalid_argument as load_pipeline does, when an output would overflow, and for a file without V.
Pipeline pipeline_of(const Source& source, const std::vector<lesson09::Projection>& projections);

/// The pipeline of a layer that is loaded, with its own W_O.
Pipeline pipeline_of(const SharedLayer& layer);

/// The sizes of a layer and what its projections count; none where a width is not known or not every head's.
struct SizesAndCounts {
  analysis::BlockSizes sizes;
  analysis::ParameterCounts counts;
};
std::optional<SizesAndCounts> counts_of(const attention::Layer& layer);

/// The lesson's line `parameters: W_Q, W_K, W_V = …   W_O = …   total = …`, with `  biases = …` before the
/// total where there are any.
report::Line parameter_line(const analysis::ParameterCounts& counts);

}  // namespace mha::commands
