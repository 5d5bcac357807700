#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/index.h"
#include "text/choice.h"

/// Option values from text, all of it or an error: no leading blanks, no `12abc`, no `nan`, no `-1` that
/// turns into 2^64 − 1. CLI11's own conversions take `nan` for a number and let `-1` wrap.
namespace mha::options {

/// The largest whole number that a 64-bit size can hold, 2^63 − 1.
inline constexpr std::uint64_t kLargestWhole = (std::uint64_t{1} << 63) - 1;

/// Throws std::invalid_argument: `option: 'text' is not allowed`.
[[noreturn]] void refuse_value(std::string_view option, std::string_view text, const std::string& allowed);

/// `one of mixing, identity, swap`, and the nearest to the text.
std::string one_of(const std::vector<std::string>& choices, std::string_view text);

std::vector<std::string> texts_of(text::Names names);

/// The parts of a list, with commas between; at least one, which may be empty.
std::vector<std::string_view> at_commas(std::string_view text);

/// Sets `value` if all of the text is one: a whole number from 1 on, decimal digits only; a finite decimal,
/// in whichever locale; any text; one of the names of an enum; a list of any of these.
bool read(std::string_view text, std::uint64_t& value);
bool read(std::string_view text, Index& value);
bool read(std::string_view text, int& value);
bool read(std::string_view text, double& value);
bool read(std::string_view text, std::string& value);

/// Texts as in CSV (RFC 4180): one in double quotes may hold commas, and a quote as two.
bool read(std::string_view text, std::vector<std::string>& values);

template <text::Choice Enum>
bool read(std::string_view text, Enum& value) {
  const text::Names names = names_of(value);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text != names[i]) continue;
    value = static_cast<Enum>(i);
    return true;
  }
  return false;
}

template <typename T>
bool read(std::string_view text, std::vector<T>& values);

template <typename T>
bool read(std::string_view text, std::optional<T>& value) {
  T one{};
  if (!read(text, one)) return false;
  value = std::move(one);
  return true;
}

template <typename T>
bool read(std::string_view text, std::vector<T>& values) {
  std::vector<T> all;
  for (const std::string_view part : at_commas(text)) {
    if (!read(part, all.emplace_back())) return false;
  }
  values = std::move(all);
  return true;
}

/// What a text has to be to be read as such a value.
std::string expected(std::string_view text, std::uint64_t value);
std::string expected(std::string_view text, Index value);
std::string expected(std::string_view text, int value);
std::string expected(std::string_view text, double value);
std::string expected(std::string_view text, const std::string& value);
std::string expected(std::string_view text, const std::vector<std::string>& values);

template <text::Choice Enum>
std::string expected(std::string_view text, Enum value) {
  return one_of(texts_of(names_of(value)), text);
}

template <typename T>
std::string expected(std::string_view text, const std::vector<T>& /*values*/) {
  return expected(text, T{}) + ", or several separated by commas";
}

template <typename T>
std::string expected(std::string_view text, const std::optional<T>& /*value*/) {
  return expected(text, T{});
}

/// Sets `value` from the text, or throws std::invalid_argument naming the option, the text and what is
/// allowed.
template <typename T>
void parse(std::string_view option, std::string_view text, T& value) {
  if (!read(text, value)) refuse_value(option, text, expected(text, value));
}

/// A value as help shows a default; empty where there is none.
std::string shown(double value);
std::string shown(const std::string& value);

template <std::integral T>
std::string shown(T value) {
  return std::to_string(value);
}

template <text::Choice Enum>
std::string shown(Enum value) {
  return text::name_of(value);
}

template <typename T>
std::string shown(const std::vector<T>& values) {
  std::string list;
  for (const T& value : values) list += (list.empty() ? "" : ",") + shown(value);
  return list;
}

template <typename T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "";
}

}  // namespace mha::options
