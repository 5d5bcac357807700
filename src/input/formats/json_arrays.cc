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

/// Collects lists in lists, down to numbers, to true and false, or to a list of strings; or a single one of
/// these. Refuses, by a JsonError, lists of different lengths or depths, empty ones and mixtures.
struct NestedList {
  std::vector<double> values;
  bool truths = false;  ///< whether the values are true and false
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
    if (truths) throw JsonError(fmt::format("{} is neither true nor false", value));
    add(value, fmt::to_string(value));
  }

  void truth(bool value) {
    const char* const word = value ? "true" : "false";
    if (!values.empty() && !truths) throw JsonError(fmt::format("{} is not a number", word));
    truths = true;
    add(value ? 1.0 : 0.0, word);
  }

  void text(const std::string& text) {
    if (!values.empty() || shape.size() > 1) throw JsonError(quoted_key(text) + " is not a number");
    texts.push_back(text);
    if (!counts.empty()) ++counts.back();
  }

 private:
  void add(double value, const std::string& written) {
    if (!texts.empty()) throw JsonError(written + " is not a string");
    if (!rank) rank = counts.size();
    if (counts.size() != *rank) throw JsonError(written + " is not a list");
    values.push_back(value);
    if (!counts.empty()) ++counts.back();
  }
};

enum class JsonContent { kArrays, kAnswers };

/// What stands under a key: numbers, strings, or something of which `fault` says why it is neither.
struct Content {
  std::vector<Index> shape = {};
  bool truths = false;
  std::vector<double> values = {};
  std::vector<std::string> texts = {};
  std::string fault = {};
};
using Store = std::function<void(const std::string& name, Content content)>;

/// Takes the arrays of a file one by one. Of what is none the message is stored, and its rest passed over.
class ArrayListener : public JsonListener {
 public:
  ArrayListener(JsonContent content, Store store)
      : answers_(content == JsonContent::kAnswers), store_(std::move(store)) {}

  void begin_object() override {
    if (in_ == kFile) {
      in_ = kTop;
    } else if (in_ == kHeads) {
      in_ = kHead;
    } else if (in_ == kTop && open_ == 0 && !answers_) {
      outer_.push_back(key_);  // its members are called OUTER.NAME
    } else {
      ++open_;
      if (!passing_over_) throw JsonError("an object, where lists of numbers are needed");
      return;
    }
    key_.clear();
  }

  void key(const std::string& key) override {
    if (passing_over_) return;
    key_ = outer_.empty() ? key : outer_.back() + "." + key;
  }

  void end_object() override {
    if (open_ > 0) return close();
    if (!outer_.empty()) return outer_.pop_back();
    if (in_ == kHead && key_.empty()) throw JsonError("is empty");
    if (in_ == kHead) ++heads_;
    in_ = in_ == kHead ? kHeads : kFile;
    key_.clear();
  }

  void begin_list() override {
    if (in_ == kFile && answers_)
      throw JsonError("a list, where an object with arrays under their names is needed");
    if (in_ == kTop && open_ == 0 && key_ == "heads" && !answers_) {
      in_ = kHeads;
      return;
    }
    if (in_ == kHeads) throw JsonError("a list, where a head's object is needed");
    ++open_;
    if (!passing_over_) list_.begin_list();
  }

  void end_list() override {
    if (in_ == kHeads) {
      if (heads_ == 0) throw JsonError("is empty");
      in_ = kTop;
      return;
    }
    close();
  }

  void number(JsonNumber number) override {
    const double value = std::visit([](auto written) { return static_cast<double>(written); }, number);
    take(fmt::to_string(value), [&] { list_.number(value); });
  }

  void text(const std::string& text) override {
    take(quoted_key(text), [&] { answers_ ? refuse(quoted_key(text)) : list_.text(text); });
  }

  void boolean(bool value) override {
    const char* const word = value ? "true" : "false";
    take(word, [&] { answers_ ? refuse(word) : list_.truth(value); });
  }

  void null() override {
    take("null", [&] { refuse("null"); });
  }

  [[nodiscard]] std::string place() const override {
    const std::string name = array();
    if (name.empty()) return "";
    if (list_.counts.empty()) return quoted_key(name);
    return fmt::format("{}, {}", quoted_key(name), fmt::join(list_.place(), ", "));
  }

  bool postpone(const std::string& message) override {
    if (answers_ || in_ == kFile || in_ == kHeads || key_.empty()) return false;
    passing_over_ = true;
    fault_ = message;
    if (open_ == 0) finish();
    return true;
  }

 private:
  [[noreturn]] void refuse(const std::string& written) const {
    throw JsonError(fmt::format("{} is not {}", written,
                                open_ > 0  ? "a number"
                                : answers_ ? "a number or a list of numbers"
                                           : "a list of numbers"));
  }

  /// A number, a string or a word: of a list, or by itself.
  template <typename Take>
  void take(const std::string& written, const Take& take_in) {
    if (passing_over_) return;
    if (in_ == kFile && open_ == 0)
      throw JsonError(written + " is not an object with arrays under their names");
    if (in_ == kHeads) throw JsonError(written + " is not a head's object");
    take_in();
    if (open_ == 0) finish();
  }

  /// A list or an object of the value has ended.
  void close() {
    --open_;
    if (!passing_over_) list_.end_list();
    if (open_ == 0) finish();
  }

  /// The value has ended.
  void finish() {
    Content content;
    if (passing_over_) {
      content.fault = std::exchange(fault_, {});
    } else {
      content = {list_.shape, list_.truths, std::move(list_.values), std::move(list_.texts), {}};
    }
    list_ = {};
    passing_over_ = false;
    store_(array(), std::move(content));
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
  std::vector<std::string> outer_;  ///< names of the objects that are open within the file's
  std::size_t heads_ = 0;           ///< that have ended
  NestedList list_;                 ///< what the value holds so far
  std::size_t open_ = 0;            ///< lists and objects of the value that are open
  bool passing_over_ = false;       ///< the rest of a value that is no array
  std::string fault_;
};

class JsonArrays : public ArrayFile {
 public:
  JsonArrays(std::string_view text, const std::string& name, JsonContent content) : ArrayFile(name) {
    ArrayListener listener(content, [&](const std::string& array, Content stored) {
      const bool numbers = stored.fault.empty() && stored.texts.empty();
      const char* const dtype = !numbers ? "string" : stored.truths ? "bool" : "float64";
      add({array, stored.fault.empty() ? dtype : "none", stored.shape});
      stored.values.shrink_to_fit();
      contents_.push_back(std::move(stored));
    });
    read_strict_json(text, name, listener);
  }

  [[nodiscard]] const std::vector<std::string>* texts(std::string_view name) const override {
    const ArrayInfo* array = find(name);
    if (array == nullptr) return nullptr;
    const Content& content = contents_[static_cast<std::size_t>(array - arrays().data())];
    return content.texts.empty() ? nullptr : &content.texts;
  }

 private:
  void check_numbers(std::size_t number) const override {
    const Content& content = contents_[number];
    if (!content.fault.empty()) throw std::invalid_argument(content.fault);
    if (!content.texts.empty())
      refuse(place_of(name(), arrays()[number].name),
             fmt::format("{} is not a number", quoted_key(content.texts.front())));
  }

  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    std::copy_n(contents_[number].values.begin() + first, values.size(), values.begin());
  }

  std::vector<Content> contents_;
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
