#pragma once

#include <cstddef>
#include <span>

/// Choices with names: an enum whose values count from 0 and, beside it, what each is called on a command
/// line and in results:
///
///   enum class Mask { kCausal, kNone };
///   constexpr std::array kMaskNames = {"causal", "none"};
///   constexpr Names names_of(Mask) { return kMaskNames; }
namespace mha::text {

using Names = std::span<const char* const>;

template <typename Enum>
concept Choice = requires(Enum value) {
  Names(names_of(value));
};

template <Choice Enum>
constexpr const char* name_of(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

}  // namespace mha::text
