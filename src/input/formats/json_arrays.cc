#include "input/formats/json_arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "input/formats/nested_list.h"
#include "input/formats/place.h"
#include "input/formats/strict_json.h"
#include "input/memory.h"

namespace mha::input {
namespace {

/// Takes what a file holds: `name` and either numbers or strings.
using Store = std::function<void(const std::string& name, NestedList list)>;

class ArrayListener : public JsonListener {
 public:
  explicit ArrayListener(Store store) : store_(std::move(store)) {}

  void begin_object() override {
    if (in_ == kFile) {
      in_ = kTop;
    } else if (in_ == kHeads) {
      in_ = kHead;
    } else {
      throw JsonComplaint("an object, where lists of numbers are needed");
    }
    key_.clear();
  }

  void key(const std::string& key) override { key_ = key; }

  void end_object() override {
    if (in_ == kHead && key_.empty()) throw JsonComplaint("is empty");
    if (in_ == kHead) ++heads_;
    in_ = in_ == kHead ? kHeads : kFile;
    key_.clear();
  }

  void begin_list() override {
    if (in_ == kFile) throw JsonComplaint("a list, where an object with arrays under their names is needed");
    if (!list_ && in_ == kTop && key_ == "heads") {
      in_ = kHeads;
      return;
    }
    if (in_ == kHeads) throw JsonComplaint("a list, where a head's object is needed");
    if (!list_) list_.emplace();
    list_->begin_list();
  }

  void end_list() override {
    if (in_ == kHeads) {
      if (heads_ == 0) throw JsonComplaint("is empty");
      in_ = kTop;
      return;
    }
    list_->end_list();
    if (list_->is_open()) return;
    store_(array(), *std::exchange(list_, std::nullopt));
  }

  void number(JsonNumber number) override {
    const double value = std::visit([](auto written) { return static_cast<double>(written); }, number);
    if (!list_) throw JsonComplaint(fmt::format("{} is not {}", value, needed()));
    list_->number(value);
  }

  void text(const std::string& text) override {
    if (list_) return list_->text(text);
    if (in_ != kHead || key_ != "name")
      throw JsonComplaint(fmt::format("{} is not {}", quoted_key(text), needed()));
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
    if (!list_ || !list_->is_open()) return quoted_key(name);
    return fmt::format("{}, {}", quoted_key(name), fmt::join(list_->place(), ", "));
  }

 private:
  void refuse_word(const char* word) const {
    throw JsonComplaint(fmt::format("{} is not {}", word, list_ ? "a number" : needed()));
  }

  /// What could have been where something else is.
  [[nodiscard]] const char* needed() const {
    if (in_ == kFile) return "an object with arrays under their names";
    return in_ == kHeads ? "a head's object" : "a list of numbers";
  }

  /// The array that is being read: `Q`, `heads[0].Q`.
  [[nodiscard]] std::string array() const {
    if (in_ == kHeads) return fmt::format("heads[{}]", heads_);
    return in_ == kHead ? fmt::format("heads[{}]{}{}", heads_, key_.empty() ? "" : ".", key_) : key_;
  }

  Store store_;
  enum { kFile, kTop, kHeads, kHead } in_ = kFile;  ///< which list or object of the file is open
  std::string key_;
  std::size_t heads_ = 0;           ///< that have ended
  std::optional<NestedList> list_;  ///< while one of numbers or strings is open
};

class JsonArrays : public ArrayFile {
 public:
  JsonArrays(const ByteSource& bytes, const std::string& name) : ArrayFile(name) {
    // Two bytes of text, "1,", can be a number of eight, in a vector that doubles as it grows.
    require_memory(name, 13.0 * static_cast<double>(bytes.size()));
    std::string text(bytes.size(), '\0');
    bytes.read(0, std::as_writable_bytes(std::span(text)));
    ArrayListener listener([&](const std::string& array, NestedList list) { store(array, std::move(list)); });
    read_strict_json(text, name, listener);
  }

  [[nodiscard]] const std::vector<std::string>* texts(std::string_view name) const override {
    const auto found = texts_.find(name);
    return found == texts_.end() ? nullptr : &found->second;
  }

 private:
  void store(const std::string& array, NestedList list) {
    if (!list.texts().empty()) {
      if (!texts_.emplace(array, std::move(list.texts())).second)
        throw std::invalid_argument(place_of(name(), array) + ": is there twice");
      return;
    }
    add({array, "float64", list.shape()});
    list.values().shrink_to_fit();
    values_.push_back(std::move(list.values()));
  }

  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    std::copy_n(values_[number].begin() + first, values.size(), values.begin());
  }

  std::vector<std::vector<double>> values_;
  std::map<std::string, std::vector<std::string>, std::less<>> texts_;
};

}  // namespace

std::unique_ptr<ArrayFile> json_arrays(const ByteSource& bytes, const std::string& name) {
  return std::make_unique<JsonArrays>(bytes, name);
}

}  // namespace mha::input
