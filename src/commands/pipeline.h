#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/counts.h"
#include "input/layers/model.h"
#include "lessons/09-multi-head-attention/pipeline.h"
#include "report/report.h"

namespace mha::commands {

/// Heads with values, and what mixes them: the lesson's two-head pipeline at which size, or a person's own.
struct PipelineOptions {
  Index T = lesson09::kPipelineTokens;
  double gain = lesson09::kGain;
  std::string wo = "mixing";  ///< one of lesson09::kOutputProjections; for filterbank also kEveryProjection
  input::ModelOptions own = {};  ///< whose file is empty for the lesson's pipeline
};

inline const std::string kEveryProjection = "all";

/// Concat · W_O + b_O for one W_O.
struct Projection {
  std::string name;                       ///< mixing, identity, swap; empty for a person's own
  Matrix W_O;                             ///< H·d_v × d_model
  report::LazyMatrix O;                   ///< T_q × d_model
  std::vector<report::LazyMatrix> terms;  ///< T_q × d_model: what each head adds to O
};

struct Pipeline {
  std::shared_ptr<const input::Model> model;
  std::vector<report::LazyMatrix> head_outputs;     ///< O_h, T_q × d_v each
  report::LazyMatrix O_concat;                      ///< T_q × H·d_v, all of them
  std::vector<Projection> projections;              ///< none where a person's own file has no W_O
  std::optional<analysis::ParameterCounts> counts;  ///< where the widths are known
  std::string source;                               ///< for titles: `gain 3`, `model.npz`
  report::Object parameters;

  [[nodiscard]] Index H() const { return static_cast<Index>(model->heads.size()); }
  [[nodiscard]] Index d_v() const { return model->heads.front().V->cols(); }
  /// For titles: `T = 6`, or `T_q = 2, T_k = 5`.
  [[nodiscard]] std::string sizes() const;
  /// `A_1 X W_V^1 W_O^(1)`, or with V_1 where X is not known. `h` is what to put for the head.
  [[nodiscard]] std::string term(const std::string& h) const;
  /// The axes of its figures: the columns of Concat (h1.1, h1.2, …), the heads set apart; the channels
  /// d1, d2, … of O; the tokens.
  [[nodiscard]] report::Axis concat_axis() const;
  [[nodiscard]] report::Axis token_axis() const;
};

report::Axis channel_axis();

/// The pipeline asked for. Throws std::invalid_argument when it cannot be held, when a score or an output
/// would overflow, and for a file without V.
Pipeline pipeline_of(const PipelineOptions& options);

/// The same of a layer that was read already.
Pipeline pipeline_of(std::shared_ptr<const input::Model> model);

}  // namespace mha::commands
