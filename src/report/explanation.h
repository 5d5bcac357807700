#pragma once

#include <string>
#include <vector>

/// What a page explains beside the numbers, for a reader who has only the page. Plain sentences, no
/// formatting.
namespace mha::report {

/// The equations that a page can show.
enum class Equation {
  kAttentionWeights,  ///< A_h = softmax(Q_h K_hᵀ / √d_k + M)
  kScoreRank,         ///< rank(Q_h K_hᵀ) ≤ d_k
  kScoreFlops,        ///< 2 T² d = H · 2 T² d/H
  kRowEntropy,        ///< H(t) = −Σ a_ti log₂ a_ti ≤ log₂ t
  kConcat,            ///< O = Concat(A_1 V_1, …, A_H V_H) W_O
  kParameters,        ///< 3 d_model H d_k + H d_v d_model = 4 d_model²
  kFilterBank,        ///< Concat · W_O = Σ_h A_h X W_V^h W_O^(h)
  kCausalPairs,       ///< T(T + 1)/2 pairs, 2 d_k FLOPs each, H heads
};

/// A command to try, and what it shows.
struct NextStep {
  /// Which runs a step is for.
  enum class After {
    kLesson,  ///< those of the lesson's heads
    kFile,    ///< those with --input: the step goes on with it and the options that belong to it
    kAny,
  };
  std::string command_line;  ///< without the program's name
  std::string shows;
  After after = After::kLesson;
};

struct Explanation {
  std::string title;
  std::string shows;  ///< what the page shows, in a sentence or two; letters written as d_k, W_O
  std::vector<Equation> equations = {};
  std::vector<NextStep> next = {};
  std::string letters = {};  ///< what the letters stand for, shown at the top of the page
};

}  // namespace mha::report
