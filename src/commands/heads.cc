#include "commands/heads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

#include "analysis/entropy.h"

namespace mha::commands {
namespace {

ShownHead shown_head(const SharedLayer& layer, int number) {
  const std::shared_ptr<const attention::Head> head(layer,
                                                    &layer->heads[static_cast<std::size_t>(number) - 1]);
  return {number,
          head,
          {layer->T_q, layer->T_k,
           [layer, head](Index first, Block A) { attention::weights(*layer, *head, first, A); }},
          {layer->T_q, 1, [layer, head](Index first, Block bits) {
             analysis::row_entropies_bits(*layer, *head, first, bits);
           }}};
}

}  // namespace

std::string ShownHead::title(const char* word) const {
  return head->name.empty() ? fmt::format("{} {}", word, number)
                            : fmt::format("{} {} — {}", word, number, head->name);
}

std::string ShownHead::any_name() const {
  return head->name.empty() ? fmt::format("head {}", number) : head->name;
}

report::Axis Heads::query_axis() const { return token_axis("query position t", layer->shift, layer); }
report::Axis Heads::key_axis() const { return token_axis("key position i", 0, layer); }

std::string Heads::count() const {
  return shown.size() == 1 ? fmt::format("head {}", shown.front().number)
                           : fmt::format("{} heads", shown.size());
}

std::string Heads::of_each() const { return (shown.size() == 1 ? "of " : "for each of ") + count(); }

Index Heads::visible(const ShownHead& head, Index t) const {
  return layer->above_diagonal ? layer->T_k : layer->visible(static_cast<std::size_t>(head.number) - 1, t);
}

report::Sees Heads::sees(const ShownHead& head) const {
  const bool everything = layer->above_diagonal || (!layer->rules.mask.is_causal() && layer->said.empty());
  if (everything) return nullptr;
  return [layer = layer, h = static_cast<std::size_t>(head.number) - 1](Index t, Index i) {
    return !layer->is_padding(t) && layer->sees(h, t, i);
  };
}

Heads heads_of(const HeadOptions& options) {
  Loaded loaded = load_heads(options.source);
  Heads heads = heads_of(std::move(loaded.layer), options.heads);
  heads.title = std::move(loaded.title);
  heads.parameters = std::move(loaded.parameters);
  report::List numbers;
  for (const ShownHead& head : heads.shown) numbers.emplace_back(head.number);
  heads.parameters.emplace_back("heads", std::move(numbers));
  return heads;
}

Heads heads_of(SharedLayer layer, const std::vector<int>& numbers) {
  Heads heads{layer, {}};
  const auto H = static_cast<int>(layer->H());
  std::vector<int> wanted = numbers;
  for (int number = 1; numbers.empty() && number <= H; ++number) wanted.push_back(number);
  for (const int number : wanted) {
    if (number > H)
      throw std::invalid_argument(H == 1 ? fmt::format("--heads {}: there is only head 1", number)
                                         : fmt::format("--heads {}: the heads are 1 to {}", number, H));
    attention::require_finite_scores(*layer, static_cast<std::size_t>(number) - 1);
    heads.shown.push_back(shown_head(layer, number));
  }
  return heads;
}

void declare_heads(options::Options& options, HeadOptions& chosen) {
  declare_source(options, chosen.source, fmt::to_string(lesson09::kTokens),
                 "size of the keys, and of the queries of heads 2 and 3");
  options
      .add("--heads", chosen.heads, "LIST",
           "which heads, of the lesson's 1 to 4 or the file's, repeats allowed")
      .default_is("all");
}

std::vector<report::Panel> weight_panels(const Heads& heads, const char* word) {
  std::vector<report::Panel> panels;
  for (const ShownHead& head : heads.shown) {
    panels.push_back(
        {head.title(word), report::Heatmap{head.A, report::Scale::kWeight, heads.sees(head),
                                           heads.query_axis(), heads.key_axis(), "attention weight"}});
  }
  return panels;
}

std::string head_list(const std::vector<ShownHead>& heads) {
  std::vector<int> numbers;
  for (const ShownHead& head : heads) numbers.push_back(head.number);
  bool run = numbers.size() > 1;
  for (std::size_t i = 1; i < numbers.size(); ++i) run = run && numbers[i] == numbers[i - 1] + 1;
  if (run) return fmt::format("heads {}..{}", numbers.front(), numbers.back());
  return fmt::format("{} {}", numbers.size() == 1 ? "head" : "heads", fmt::join(numbers, ","));
}

std::size_t head_grid_columns(std::size_t heads) {
  if (heads <= 3) return heads;
  if (heads == 4) return 2;
  return heads <= 16 ? 4 : heads <= 64 ? 8 : 12;
}

}  // namespace mha::commands
