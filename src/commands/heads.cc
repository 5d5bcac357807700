#include "commands/heads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "analysis/entropy.h"
#include "attention/causal_attention.h"
#include "commands/lesson_model.h"
#include "commands/own_model.h"

namespace mha::commands {
namespace {

using SharedModel = std::shared_ptr<const input::Model>;

/// Doubles of weights read at a time, where entropies are to be had from them.
constexpr Index kHeld = Index{1} << 17;

report::LazyMatrix weights_of(const SharedModel& model, std::size_t h) {
  return {model->T_q, model->T_k, [model, h](Index first, Block A) {
            const input::ModelHead& head = model->heads[h];
            if (head.A) {
              head.A(first, A);
            } else {
              attention::attention_weights(*head.Q_scaled, *head.K, first, A, model->mask);
            }
          }};
}

report::LazyMatrix bits_of(const SharedModel& model, std::size_t h) {
  return {
      model->T_q, 1, [model, h](Index first, Block bits) {
        const input::ModelHead& head = model->heads[h];
        if (!head.A) {
          analysis::row_entropies_bits(*head.Q_scaled, *head.K, first, bits, model->mask);
          return;
        }
        const Index height = std::clamp<Index>(kHeld / model->T_k, 1, bits.rows());
        for (Index r = 0; r < bits.rows(); r += height) {
          Matrix A(std::min(height, bits.rows() - r), model->T_k);
          head.A(first + r, A);
          for (Index i = 0; i < A.rows(); ++i) {
            bits(r + i, 0) = analysis::entropy_bits({A.row(i).data(), static_cast<std::size_t>(A.cols())});
          }
        }
      }};
}

SharedHead shown_head(const SharedModel& model, std::size_t h) {
  const input::ModelHead& head = model->heads[h];
  return std::make_shared<ShownHead>(
      ShownHead{static_cast<int>(h) + 1, head.name, weights_of(model, h), bits_of(model, h), head.Q, head.K});
}

}  // namespace

std::string ShownHead::title(const char* word) const {
  return name.empty() ? fmt::format("{} {}", word, number) : fmt::format("{} {} — {}", word, number, name);
}

std::string ShownHead::any_name() const { return name.empty() ? fmt::format("head {}", number) : name; }

report::Axis Heads::query_axis() const { return token_axis("query position t", model->shift, model); }
report::Axis Heads::key_axis() const { return token_axis("key position i", 0, model); }

std::string Heads::sizes() const { return shown_sizes(*model); }

std::string Heads::count() const {
  return shown.size() == 1 ? fmt::format("head {}", shown.front()->number)
                           : fmt::format("{} heads", shown.size());
}

std::string Heads::of_each() const { return (shown.size() == 1 ? "of " : "for each of ") + count(); }

Heads heads_of(const HeadOptions& options) {
  if (options.own.file.empty()) {
    Heads heads = heads_of(lesson_heads(options), options.heads);
    heads.source = fmt::format("gain {}", options.gain);
    report::List numbers;
    for (const int head : options.heads) numbers.push_back({static_cast<report::Count>(head)});
    heads.parameters = {{"T", {static_cast<report::Count>(options.T)}},
                        {"gain", {options.gain}},
                        {"heads", {std::move(numbers)}}};
    return heads;
  }
  Heads heads = heads_of(own_model(options.own), options.heads);
  heads.source = own_source(options.own);
  heads.parameters = own_parameters(*heads.model, options.own);
  report::List numbers;
  for (const SharedHead& head : heads.shown) numbers.push_back({static_cast<report::Count>(head->number)});
  heads.parameters.push_back({"heads", {std::move(numbers)}});
  return heads;
}

Heads heads_of(std::shared_ptr<const input::Model> model, const std::vector<int>& numbers) {
  Heads heads{model, {}, model->above_diagonal ? attention::Mask::kNone : model->mask, {}, {}};
  const auto H = static_cast<int>(model->heads.size());
  std::vector<int> wanted = numbers;
  if (wanted.empty()) {
    for (int number = 1; number <= H; ++number) wanted.push_back(number);
  }
  std::map<int, SharedHead> made;
  for (const int number : wanted) {
    if (number > H)
      throw std::invalid_argument(fmt::format("--heads {}: {} has heads 1 to {}", number, model->name, H));
    SharedHead& head = made[number];
    if (!head) head = shown_head(model, static_cast<std::size_t>(number) - 1);
    heads.shown.push_back(head);
  }
  return heads;
}

std::vector<report::Panel> weight_panels(const Heads& heads, const char* word) {
  std::vector<report::Panel> panels;
  for (const SharedHead& head : heads.shown) {
    panels.push_back(
        {head->title(word), report::Heatmap{head->A, report::Scale::kWeight, heads.mask, heads.query_axis(),
                                            heads.key_axis(), "attention weight"}});
  }
  return panels;
}

report::Axis token_axis(const char* name, Index first, const std::shared_ptr<const input::Model>& model) {
  if (model->tokens.empty()) return {name, report::numbered("t")};
  return {name, [model, first](Index k) {
            const Index token = k + first;
            return token < 0 ? std::string() : model->tokens[static_cast<std::size_t>(token)];
          }};
}

std::string head_list(const std::vector<SharedHead>& heads) {
  std::vector<int> numbers;
  for (const SharedHead& head : heads) numbers.push_back(head->number);
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
