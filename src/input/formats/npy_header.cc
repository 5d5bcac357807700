#include "input/formats/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "input/formats/byte_source.h"
#include "input/formats/place.h"
#include "input/formats/python_literal.h"

namespace mha::input {
namespace {

constexpr std::array kMagic = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
/// Of structures with hundreds of fields: far more than a number's header needs.
constexpr std::size_t kLongest = std::size_t{1} << 20;

/// The type that NumPy's array interface writes so: a byte order, a kind and a size, `<f8`.
const EntryType* type_of(std::string_view descr) {
  bool big_endian = std::endian::native == std::endian::big;
  if (descr.starts_with('<') || descr.starts_with('>')) big_endian = descr.front() == '>';
  if (!descr.empty() && std::string_view("<>=|").find(descr.front()) != std::string_view::npos)
    descr.remove_prefix(1);
  constexpr std::array<TypeCode, 12> kCodes = {{
      {"f8", "float64"},
      {"f4", "float32"},
      {"f2", "float16"},
      {"i8", "int64"},
      {"i4", "int32"},
      {"i2", "int16"},
      {"i1", "int8"},
      {"u8", "uint64"},
      {"u4", "uint32"},
      {"u2", "uint16"},
      {"u1", "uint8"},
      {"b1", "bool"},
  }};
  return entry_type(kCodes, descr, big_endian);
}

NpyHeader interpreted(const PythonHeader& header) {
  NpyHeader result;
  result.type = header.descr_is_text ? type_of(header.descr) : nullptr;
  result.dtype = result.type != nullptr ? std::string(result.type->name) : header.descr;
  result.column_major = header.fortran_order;
  result.shape = header.shape;
  return result;
}

}  // namespace

NpyHeader read_npy_header(const std::function<void(std::span<std::byte>)>& next, const std::string& place) {
  std::array<std::byte, 8> magic{};
  next(magic);
  if (!std::equal(kMagic.begin(), kMagic.end(), magic.begin(),
                  [](char want, std::byte is) { return static_cast<std::byte>(want) == is; }))
    refuse(place, "does not begin as a .npy array does");
  const auto major = std::to_integer<unsigned>(magic[6]);
  const auto minor = std::to_integer<unsigned>(magic[7]);
  if (major < 1 || major > 3 || minor != 0)
    refuse(place, fmt::format("version {}.{} of the .npy format; 1.0, 2.0 and 3.0 are read", major, minor));
  // How long the text is; how many bytes say so depends on the version.
  std::array<std::byte, 4> length_bytes{};
  const std::span<std::byte> prefix = std::span(length_bytes).first(major == 1 ? 2 : 4);
  next(prefix);
  const std::size_t length = little_endian(prefix);
  if (length > kLongest)
    refuse(place, fmt::format("the header's length is {}; at most {} bytes are read", length, kLongest));
  std::string text(length, '\0');
  next(std::as_writable_bytes(std::span(text)));
  NpyHeader header = interpreted(parse_python_header(text, place));
  header.size = magic.size() + prefix.size() + length;
  return header;
}

const EntryType& number_type(const NpyHeader& header, const std::string& place) {
  if (header.type != nullptr) return *header.type;
  const std::string pickled =
      header.dtype.find('O') != std::string::npos ? " (Python objects are a pickle, and are never read)" : "";
  refuse(place, fmt::format("dtype {} is not read{}; float64, float32, float16, integers and bool are",
                            quoted_key(header.dtype), pickled));
}

}  // namespace mha::input
