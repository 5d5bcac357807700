#include "tests/support/array_bytes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>

namespace mha::test {
namespace {

std::string integer_bytes(std::uint64_t value, std::size_t size, bool big_endian = false) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

/// binary16: 11 significant bits, exponents from −14, steps of 2⁻²⁴ below.
std::uint64_t float16_bits(double value) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (magnitude >= 65520.0) return sign | 0x7c00;
  const int exponent = magnitude == 0.0 ? -14 : std::max(std::ilogb(magnitude), -14);
  const auto fraction = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // Of a normal number the fraction has its leading 1 on, which adds one to the exponent.
  return sign | ((static_cast<std::uint64_t>(exponent + 14) << 10) + fraction);
}

/// To nearest, ties to even; not for NaN.
std::uint64_t bfloat16_bits(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

std::uint64_t entry_bits(double value, const std::string& dtype) {
  if (dtype == "float64") return std::bit_cast<std::uint64_t>(value);
  if (dtype == "float32") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (dtype == "float16") return float16_bits(value);
  if (dtype == "bfloat16") return bfloat16_bits(value);
  if (dtype == "bool") return value != 0.0 ? 1 : 0;
  return value < 0.0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(value)))
                     : static_cast<std::uint64_t>(std::nearbyint(value));
}

struct Codes {
  std::size_t size;
  const char* npy;
  const char* safetensors;
};

const Codes& codes(const std::string& dtype) {
  static const std::map<std::string, Codes> table = {
      {"float64", {8, "f8", "F64"}}, {"float32", {4, "f4", "F32"}}, {"float16", {2, "f2", "F16"}},
      {"bfloat16", {2, "", "BF16"}}, {"int64", {8, "i8", "I64"}},   {"int32", {4, "i4", "I32"}},
      {"int16", {2, "i2", "I16"}},   {"int8", {1, "i1", "I8"}},     {"uint64", {8, "u8", "U64"}},
      {"uint32", {4, "u4", "U32"}},  {"uint16", {2, "u2", "U16"}},  {"uint8", {1, "u1", "U8"}},
      {"bool", {1, "b1", "BOOL"}},
  };
  return table.at(dtype);
}

/// The entries in the order in which the first index runs fastest.
std::vector<double> column_major(const NamedArray& array) {
  std::vector<double> result(array.values.size());
  for (std::size_t entry = 0; entry < array.values.size(); ++entry) {
    std::size_t rest = entry;
    std::size_t at = 0;
    std::size_t stride = array.values.size();
    for (std::size_t axis = array.shape.size(); axis-- > 0;) {
      const auto size = static_cast<std::size_t>(array.shape[axis]);
      stride /= size;
      at += rest % size * stride;
      rest /= size;
    }
    result[at] = array.values[entry];
  }
  return result;
}

std::string json_list(const NamedArray& array, std::size_t axis, std::size_t& next) {
  if (axis == array.shape.size()) return fmt::format("{}", array.values.at(next++));
  std::vector<std::string> items;
  for (Index i = 0; i < array.shape[axis]; ++i) items.push_back(json_list(array, axis + 1, next));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace

NamedArray named(const std::string& name, const Matrix& matrix) {
  return {name, {matrix.rows(), matrix.cols()}, {matrix.data(), matrix.data() + matrix.size()}};
}

std::string packed(const std::vector<double>& values, const std::string& dtype, bool big_endian) {
  std::string bytes;
  for (const double value : values)
    bytes += integer_bytes(entry_bits(value, dtype), codes(dtype).size, big_endian);
  return bytes;
}

std::string npy_raw(const std::string& dictionary, const std::string& entries, int version) {
  std::string header = dictionary;
  const std::size_t before = version == 1 ? 10 : 12;
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
         integer_bytes(header.size(), version == 1 ? 2 : 4) + header + entries;
}

std::string npy_bytes(const NamedArray& array, const NpyStyle& style) {
  const char* const order = codes(style.dtype).size == 1 ? "|" : style.big_endian ? ">" : "<";
  const std::string dictionary =
      fmt::format("{{'descr': '{}{}', 'fortran_order': {}, 'shape': ({}{}), }}", order,
                  codes(style.dtype).npy, style.column_major ? "True" : "False", fmt::join(array.shape, ", "),
                  array.shape.size() == 1 ? "," : "");
  return npy_raw(
      dictionary,
      packed(style.column_major ? column_major(array) : array.values, style.dtype, style.big_endian),
      style.version);
}

std::string json_bytes(const std::vector<NamedArray>& arrays) {
  std::vector<std::string> members;
  for (const NamedArray& array : arrays) {
    std::size_t next = 0;
    members.push_back(fmt::format("\"{}\": {}", array.name, json_list(array, 0, next)));
  }
  return fmt::format("{{{}}}\n", fmt::join(members, ",\n "));
}

std::string safetensors_raw(const std::string& header, const std::string& data) {
  return integer_bytes(header.size(), 8) + header + data;
}

std::string safetensors_bytes(const std::vector<NamedArray>& arrays, const std::string& dtype) {
  std::string data;
  std::vector<std::string> members = {R"("__metadata__": {"format": "pt"})"};
  for (const NamedArray& array : arrays) {
    const std::size_t begin = data.size();
    data += packed(array.values, dtype);
    members.push_back(fmt::format(R"("{}": {{"dtype": "{}", "shape": [{}], "data_offsets": [{}, {}]}})",
                                  array.name, codes(dtype).safetensors, fmt::join(array.shape, ", "), begin,
                                  data.size()));
  }
  std::string header = fmt::format("{{{}}}", fmt::join(members, ", "));
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return safetensors_raw(header, data);
}

}  // namespace mha::test
