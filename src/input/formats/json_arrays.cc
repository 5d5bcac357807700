#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "input/formats/open_arrays.h"
#include "input/formats/place.h"
#include "input/formats/strict_json.h"
#include "input/memory.h"

namespace mha::input {
namespace {

constexpr Index kUnknown = -1;

/// Collects lists in lists, down to numbers or to a list of strings. Refuses, by a JsonError, lists of
/// different lengths or depths, empty ones and mixtures.
struct NestedList {
  std::vector<double> values;
  std::vector<std::string> texts;
  std::vector<Index> shape;         ///< as far as known: a list's size at its end
  std::vector<Index> counts;        ///< how many entries the open lists have so far
  std::optional<std::size_t> rank;  ///< how deep the first number was

  /// `row 2`, `column 3` of the entry that comes next.
  [[nodiscard]] std::vector<std::string> place() const {
    // Which index is the row depends on how deep the numbers are.
    std::vector<Index> index = counts;
    index.resize(std::max(counts.size(), rank.value_or(shape.size())));
    std::vector<std::string> words = index_words(index);
    words.resize(counts.size());
    return words;
  }

  void begin_list() {
    if (!texts.empty()) throw JsonError("a list, where a string is needed");
    if (rank && counts.size() == *rank) throw JsonError("a list is not a number");
    counts.push_back(0);
    if (shape.size() < counts.size()) shape.push_back(kUnknown);
  }

  void end_list() {
    const Index size = counts.back();
    counts.pop_back();
    Index& known = shape[counts.size()];
    if (size == 0) throw JsonError("is empty");
    if (known == kUnknown) known = size;
    if (known != size)
      throw JsonError(fmt::format("its length is {}, but that of the first is {}", size, known));
    if (!counts.empty()) ++counts.back();
  }

  void number(double value) {
    if (!texts.empty()) throw JsonError(fmt::format("{} is not a string", value));
    if (!rank) rank = counts.size();
    if (counts.size() != *rank) throw JsonError(fmt::format("{} is not a list", value));
    values.push_back(value);
    ++counts.back();
  }

  void text(const std::string& text) {
    if (!values.empty() || shape.size() != 1) throw JsonError(quoted_key(text) + " is not a number");
    texts.push_back(text);
    ++counts.back();
  }
};

enum class JsonContent { kArrays, kAnswers };

/// Takes what a file holds: `name` and either numbers or strings.
using Store = std::function<void(const std::string& name, NestedList list)>;

class ArrayListener : public JsonListener {
 public:
  ArrayListener(JsonContent content, Store store)
      : answers_(content == JsonContent::kAnswers), store_(std::move(store)) {}

  void begin_object() override {
    if (in_ == kFile) {
      in_ = kTop;
    } else if (in_ == kHeads) {
      in_ = kHead;
    } else {
      throw JsonError("an object, where lists of numbers are needed");
    }
    key_.clear();
  }

  void key(const std::string& key) override { key_ = key; }

  void end_object() override {
    if (in_ == kHead && key_.empty()) throw JsonError("is empty");
    if (in_ == kHead) ++heads_;
    in_ = in_ == kHead ? kHeads : kFile;
    key_.clear();
  }

  void begin_list() override {
    if (in_ == kFile) throw JsonError("a list, where an object with arrays under their names is needed");
    if (!list_ && in_ == kTop && key_ == "heads" && !answers_) {
      in_ = kHeads;
      return;
    }
    if (in_ == kHeads) throw JsonError("a list, where a head's object is needed");
    if (!list_) list_.emplace();
    list_->begin_list();
  }

  void end_list() override {
    if (in_ == kHeads) {
      if (heads_ == 0) throw JsonError("is empty");
      in_ = kTop;
      return;
    }
    list_->end_list();
    if (!list_->counts.empty()) return;
    store_(array(), *std::exchange(list_, std::nullopt));
  }

  void number(JsonNumber number) override {
    const double value = std::visit([](auto written) { return static_cast<double>(written); }, number);
    if (list_) return list_->number(value);
    if (in_ != kTop || !answers_) throw JsonError(fmt::format("{} is not {}", value, needed()));
    NestedList scalar;
    scalar.values = {value};
    store_(array(), std::move(scalar));
  }

  void text(const std::string& text) override {
    if (list_ && !answers_) return list_->text(text);
    if (in_ != kHead || key_ != "name")
      throw JsonError(fmt::format("{} is not {}", quoted_key(text), list_ ? "a number" : needed()));
    NestedList one;
    one.begin_list();
    one.text(text);
    store_(array(), std::move(one));
  }

  void boolean(bool value) override { refuse_word(value ? "true" : "false"); }
  void null() override { refuse_word("null"); }

  [[nodiscard]] std::string place() const override {
    const std::string name = array();
    if (name.empty()) return "";
    if (!list_ || list_->counts.empty()) return quoted_key(name);
    return fmt::format("{}, {}", quoted_key(name), fmt::join(list_->place(), ", "));
  }

 private:
  void refuse_word(const char* word) const {
    throw JsonError(fmt::format("{} is not {}", word, list_ ? "a number" : needed()));
  }

  /// What could have been where something else is.
  [[nodiscard]] const char* needed() const {
    if (in_ == kFile) return "an object with arrays under their names";
    if (in_ == kHeads) return "a head's object";
    return answers_ ? "a number or a list of numbers" : "a list of numbers";
  }

  /// The array that is being read: `Q`, `heads[0].Q`.
  [[nodiscard]] std::string array() const {
    if (in_ == kHeads) return fmt::format("heads[{}]", heads_);
    return in_ == kHead ? fmt::format("heads[{}]{}{}", heads_, key_.empty() ? "" : ".", key_) : key_;
  }

  bool answers_;
  Store store_;
  enum { kFile, kTop, kHeads, kHead } in_ = kFile;  ///< which list or object of the file is open
  std::string key_;
  std::size_t heads_ = 0;           ///< that have ended
  std::optional<NestedList> list_;  ///< while one of numbers or strings is open
};

class JsonArrays : public ArrayFile {
 public:
  JsonArrays(std::string_view text, const std::string& name, JsonContent content) : ArrayFile(name) {
    ArrayListener listener(content,
                           [&](const std::string& array, NestedList list) { store(array, std::move(list)); });
    read_strict_json(text, name, listener);
  }

  [[nodiscard]] const std::vector<std::string>* texts(std::string_view name) const override {
    const auto found = texts_.find(name);
    return found == texts_.end() ? nullptr : &found->second;
  }

 private:
  void store(const std::string& array, NestedList list) {
    if (!list.texts.empty()) {
      if (!texts_.emplace(array, std::move(list.texts)).second)
        throw std::invalid_argument(place_of(name(), array) + ": is there twice");
      return;
    }
    add({array, "float64", list.shape});
    list.values.shrink_to_fit();
    values_.push_back(std::move(list.values));
  }

  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    std::copy_n(values_[number].begin() + first, values.size(), values.begin());
  }

  std::vector<std::vector<double>> values_;
  std::map<std::string, std::vector<std::string>, std::less<>> texts_;
};

}  // namespace

std::unique_ptr<ArrayFile> json_arrays(const ByteSource& bytes, const std::string& name) {
  // Two bytes of text, "1,", can be a number of eight, in a vector that doubles as it grows.
  require_memory(name, 13.0 * static_cast<double>(bytes.size()));
  std::string text(bytes.size(), '\0');
  bytes.read(0, std::as_writable_bytes(std::span(text)));
  return std::make_unique<JsonArrays>(text, name, JsonContent::kArrays);
}

std::unique_ptr<ArrayFile> json_answers(std::string_view text, const std::string& name) {
  return std::make_unique<JsonArrays>(text, name, JsonContent::kAnswers);
}

}  // namespace mha::input
