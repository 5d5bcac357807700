#pragma once

#include <memory>
#include <string>
#include <vector>

#include "input/layers/model.h"
#include "lessons/09-multi-head-attention/heads.h"
#include "report/report.h"

namespace mha::commands {

/// Which heads: some of the lesson's over how many tokens, or some of a person's own.
struct HeadOptions {
  Index T = lesson09::kTokens;
  double gain = lesson09::kGain;
  std::vector<int> heads = {1, 2, 3, 4};  ///< may repeat; none for all that there are
  input::ModelOptions own = {};           ///< whose file is empty for the lesson's heads
};

/// A head as the commands look at it.
struct ShownHead {
  int number;
  std::string name;                 ///< empty where it has none
  report::LazyMatrix A;             ///< T_q × T_k
  report::LazyMatrix bits;          ///< T_q × 1: the row entropies
  std::shared_ptr<const Matrix> Q;  ///< T_q × d_k; null where the weights were given as they are
  std::shared_ptr<const Matrix> K;  ///< T_k × d_k

  /// `head 2 — previous token`, or `head 2`; with a capital for the beginning of a line.
  [[nodiscard]] std::string title(const char* word = "head") const;
  /// Its name, or `head 2`.
  [[nodiscard]] std::string any_name() const;
};

/// A head that several lazily computed results may refer to.
using SharedHead = std::shared_ptr<const ShownHead>;

struct Heads {
  std::shared_ptr<const input::Model> model;
  std::vector<SharedHead> shown;  ///< in the order asked for; a repeated one is the same object
  attention::Mask mask;  ///< what the figures leave out: nothing where weights lie above the diagonal
  std::string source;    ///< for titles: `gain 3`, `model.npz`
  report::Object parameters;

  [[nodiscard]] Index T_q() const { return model->T_q; }
  [[nodiscard]] Index T_k() const { return model->T_k; }
  /// How many keys query t (0-based) may see.
  [[nodiscard]] Index seen(Index t) const { return mask.seen(t, model->T_k); }
  /// The positions of the queries and of the keys, with the tokens for labels where they are known.
  [[nodiscard]] report::Axis query_axis() const;
  [[nodiscard]] report::Axis key_axis() const;
  /// For titles: `T = 6`, or `T_q = 2, T_k = 5`.
  [[nodiscard]] std::string sizes() const;
  /// "head 2" for one head, "4 heads" for several.
  [[nodiscard]] std::string count() const;
  /// "of head 2" for one head, "for each of 4 heads" for several.
  [[nodiscard]] std::string of_each() const;
};

/// The heads asked for. Throws std::invalid_argument when they cannot be held, when a score would overflow,
/// and for a number that no head has.
Heads heads_of(const HeadOptions& options);

/// The same of a layer that was read already; `heads` as in HeadOptions.
Heads heads_of(std::shared_ptr<const input::Model> model, const std::vector<int>& heads);

/// A panel for each head: its weights, under its title with `word` for "head".
std::vector<report::Panel> weight_panels(const Heads& heads, const char* word);

/// Positions that are called after the tokens where they are known; position k is token k + first, and has
/// no name where there is none.
report::Axis token_axis(const char* name, Index first, const std::shared_ptr<const input::Model>& model);

/// `heads 1..4` for a run of heads, `heads 1,3` for others, `head 2` for one.
std::string head_list(const std::vector<SharedHead>& heads);

/// How many columns a grid with a panel for each of `heads` heads has: 2 × 2 for four, 12 × 12 for 144.
std::size_t head_grid_columns(std::size_t heads);

}  // namespace mha::commands
