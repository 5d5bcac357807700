#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace mha::input {

/// A number as it is written: whole ones stay exact.
using JsonNumber = std::variant<double, std::int64_t, std::uint64_t>;

/// What a listener finds wrong with a value. The reader adds the place.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Is called for each part of a JSON text in its order, and may refuse it by a JsonError.
class JsonListener {
 public:
  JsonListener() = default;
  JsonListener(const JsonListener&) = delete;
  JsonListener& operator=(const JsonListener&) = delete;
  virtual ~JsonListener();

  virtual void begin_object() = 0;
  virtual void key(const std::string& key) = 0;
  virtual void end_object() = 0;
  virtual void begin_list() = 0;
  virtual void end_list() = 0;
  virtual void number(JsonNumber number) = 0;
  virtual void text(const std::string& text) = 0;
  virtual void boolean(bool value) = 0;
  virtual void null() = 0;

  /// The current place in the listener's own terms (`"A", row 2, column 3`), for messages. May be empty.
  [[nodiscard]] virtual std::string place() const = 0;

  /// Called with the whole message when the listener has thrown a JsonError. True if reading goes on all the
  /// same; otherwise the message is thrown.
  virtual bool postpone(const std::string& /*message*/) { return false; }
};

/// Reads JSON (RFC 8259) and refuses what readers like to overlook: two equal keys in an object, a byte
/// order mark, a NUL, text after the value, numbers beyond a double, NaN and Infinity, more than 16 levels.
/// `name` is what messages call the file. Throws std::invalid_argument with the line and the column.
void read_strict_json(std::string_view text, const std::string& name, JsonListener& listener);

}  // namespace mha::input
