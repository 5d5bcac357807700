#include "input/formats/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "input/formats/place.h"

namespace mha::input {
namespace {

/// The unsigned integer that `bytes` write, least byte first or last.
template <std::unsigned_integral Bits, bool kBigEndian>
Bits bits_of(const std::byte* bytes) {
  Bits bits = 0;
  for (std::size_t i = 0; i < sizeof(Bits); ++i) {
    const std::size_t place = kBigEndian ? sizeof(Bits) - 1 - i : i;
    bits = static_cast<Bits>(bits |
                             static_cast<Bits>(Bits{std::to_integer<std::uint8_t>(bytes[i])} << (8 * place)));
  }
  return bits;
}

double float64(std::uint64_t bits) { return std::bit_cast<double>(bits); }
double float32(std::uint32_t bits) { return std::bit_cast<float>(bits); }
/// The upper half of a float32.
double bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// IEEE 754 binary16: a sign, 5 bits of exponent (bias 15), 10 of fraction.
double float16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  double magnitude = 0.0;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 0x400, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <std::unsigned_integral Bits, double (*kValue)(Bits), bool kBigEndian>
std::optional<Misfit> decode_float(std::span<const std::byte> bytes, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = kValue(bits_of<Bits, kBigEndian>(bytes.data() + i * sizeof(Bits)));
  }
  return std::nullopt;
}

/// Whether a double is that integer: its bits from the highest to the lowest that is 1 are at most 53.
template <std::integral Integer>
bool is_double(Integer integer) {
  if constexpr (sizeof(Integer) < 8) return true;
  using Unsigned = std::make_unsigned_t<Integer>;
  const Unsigned magnitude = integer < 0 ? static_cast<Unsigned>(Unsigned{0} - static_cast<Unsigned>(integer))
                                         : static_cast<Unsigned>(integer);
  return magnitude == 0 || static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <= 53;
}

template <std::integral Integer, bool kBigEndian>
std::optional<Misfit> decode_integer(std::span<const std::byte> bytes, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto integer = static_cast<Integer>(
        bits_of<std::make_unsigned_t<Integer>, kBigEndian>(bytes.data() + i * sizeof(Integer)));
    if (!is_double(integer)) return Misfit{i, fmt::format("{} is not exactly a double", integer)};
    values[i] = static_cast<double>(integer);
  }
  return std::nullopt;
}

std::optional<Misfit> decode_bool(std::span<const std::byte> bytes, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = std::to_integer<unsigned>(bytes[i]);
    if (value > 1) return Misfit{i, fmt::format("the byte {} is neither 0 nor 1, as a bool is", value)};
    values[i] = value;
  }
  return std::nullopt;
}

template <bool kBigEndian>
constexpr std::array<EntryType, 13> kTypes = {{
    {"float64", 8, decode_float<std::uint64_t, float64, kBigEndian>},
    {"float32", 4, decode_float<std::uint32_t, float32, kBigEndian>},
    {"float16", 2, decode_float<std::uint16_t, float16, kBigEndian>},
    {"bfloat16", 2, decode_float<std::uint16_t, bfloat16, kBigEndian>},
    {"int64", 8, decode_integer<std::int64_t, kBigEndian>},
    {"int32", 4, decode_integer<std::int32_t, kBigEndian>},
    {"int16", 2, decode_integer<std::int16_t, kBigEndian>},
    {"int8", 1, decode_integer<std::int8_t, kBigEndian>},
    {"uint64", 8, decode_integer<std::uint64_t, kBigEndian>},
    {"uint32", 4, decode_integer<std::uint32_t, kBigEndian>},
    {"uint16", 2, decode_integer<std::uint16_t, kBigEndian>},
    {"uint8", 1, decode_integer<std::uint8_t, kBigEndian>},
    {"bool", 1, decode_bool},
}};

constexpr std::size_t kChunk = 8192;  // entries, at most 64 KiB

void decode(const PackedArray& packed, std::span<const std::byte> bytes, Index first,
            std::span<double> values) {
  const std::optional<Misfit> misfit = packed.type.decode(bytes, values);
  if (!misfit) return;
  const std::vector<Index> index = index_of(packed.array.shape, first + static_cast<Index>(misfit->at));
  refuse(place_of(packed.file, packed.array.name, index), misfit->value);
}

}  // namespace

const EntryType* entry_type(std::string_view name, bool big_endian) {
  const auto& types = big_endian ? kTypes<true> : kTypes<false>;
  const auto* const found =
      std::find_if(types.begin(), types.end(), [&](const EntryType& type) { return type.name == name; });
  return found == types.end() ? nullptr : found;
}

const EntryType* entry_type(std::span<const TypeCode> codes, std::string_view code, bool big_endian) {
  const auto found =
      std::find_if(codes.begin(), codes.end(), [&](const TypeCode& known) { return known.front() == code; });
  return found == codes.end() ? nullptr : entry_type(found->back(), big_endian);
}

void read_row_major(const PackedArray& packed, const ByteSource& bytes, std::uint64_t offset, Index first,
                    std::span<double> values) {
  std::vector<std::byte> chunk(std::min(values.size(), kChunk) * packed.type.size);
  while (!values.empty()) {
    const std::span<double> some = values.first(std::min(values.size(), kChunk));
    const std::span<std::byte> read(chunk.data(), some.size() * packed.type.size);
    bytes.read(offset + static_cast<std::uint64_t>(first) * packed.type.size, read);
    decode(packed, read, first, some);
    values = values.subspan(some.size());
    first += static_cast<Index>(some.size());
  }
}

void read_column_major(const PackedArray& packed, std::span<const std::byte> entries, Index first,
                       std::span<double> values) {
  const std::vector<Index>& shape = packed.array.shape;
  std::vector<Index> index = index_of(shape, first);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Index at = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) at = at * shape[axis] + index[axis];
    decode(packed, entries.subspan(static_cast<std::size_t>(at) * packed.type.size, packed.type.size),
           first + static_cast<Index>(i), values.subspan(i, 1));
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

}  // namespace mha::input
