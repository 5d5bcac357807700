#pragma once

#include <memory>
#include <string>
#include <vector>

#include "commands/layers.h"
#include "report/report.h"

/// What the commands that look at heads one by one have in common.
namespace mha::commands {

/// Which heads: some of the lesson's over how many tokens, or some of a file's.
struct HeadOptions {
  Source source = {};
  std::vector<int> heads = {};  ///< may repeat; none for all that there are
};

/// A head as the commands show it.
struct ShownHead {
  int number;
  std::shared_ptr<const attention::Head> head;
  report::LazyMatrix A;     ///< T_q × T_k
  report::LazyMatrix bits;  ///< T_q × 1: the row entropies

  /// `head 2 — previous token`, or `head 2`; with a capital for the beginning of a line.
  [[nodiscard]] std::string title(const char* word = "head") const;
  /// Its name, or `head 2`.
  [[nodiscard]] std::string any_name() const;
};

struct Heads {
  SharedLayer layer;
  std::vector<ShownHead> shown;  ///< in the order asked for
  std::string title = {};        ///< for titles: `gain 3`, `model.npz`
  report::Object parameters = {};

  [[nodiscard]] Index T_q() const { return layer->T_q; }
  [[nodiscard]] Index T_k() const { return layer->T_k; }
  /// How many keys query t (0-based) of a head may see, and which entries of its weights figures show: all
  /// where weights lie above the diagonal.
  [[nodiscard]] Index visible(const ShownHead& head, Index t) const;
  [[nodiscard]] report::Sees sees(const ShownHead& head) const;
  /// The positions of the queries and of the keys, with the tokens for labels where they are known.
  [[nodiscard]] report::Axis query_axis() const;
  [[nodiscard]] report::Axis key_axis() const;
  /// "head 2" for one head, "4 heads" for several.
  [[nodiscard]] std::string count() const;
  /// "of head 2" for one head, "for each of 4 heads" for several.
  [[nodiscard]] std::string of_each() const;
};

/// The heads asked for. Throws as load_heads does, and for a number that no head has.
Heads heads_of(const HeadOptions& options);

/// Those of a layer that is loaded; `numbers` as in HeadOptions.
Heads heads_of(SharedLayer layer, const std::vector<int>& numbers);

/// Declares the options above.
void declare_heads(options::Options& options, HeadOptions& chosen);

/// A panel for each head: its weights, under its title with `word` for "head".
std::vector<report::Panel> weight_panels(const Heads& heads, const char* word);

/// `heads 1..4` for a run of heads, `heads 1,3` for others, `head 2` for one.
std::string head_list(const std::vector<ShownHead>& heads);

/// How many columns a grid with a panel for each of `heads` heads has: 2 × 2 for four, 12 × 12 for 144.
std::size_t head_grid_columns(std::size_t heads);

}  // namespace mha::commands
