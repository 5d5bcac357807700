#include "tests/support/zip_bytes.h"

#include <algorithm>
#include <array>

namespace mha::test {
namespace {

std::string little(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

/// CRC-32 as zip has it, a bit at a time.
std::uint32_t crc_32(const std::string& content, std::size_t zeros = 0) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> remainders{};
    for (std::uint32_t byte = 0; byte < remainders.size(); ++byte) {
      std::uint32_t rest = byte;
      for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? rest >> 1 ^ 0xEDB88320U : rest >> 1;
      remainders[byte] = rest;
    }
    return remainders;
  }();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : content) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  for (std::size_t i = 0; i < zeros; ++i) crc = crc >> 8 ^ table[crc & 0xff];
  return crc ^ 0xFFFFFFFFU;
}

/// Blocks of at most 65535 bytes as they are.
std::string stored_blocks(const std::string& content, bool last) {
  constexpr std::size_t kBlock = 65535;
  std::string blocks;
  for (std::size_t at = 0; at < content.size(); at += kBlock) {
    const std::string part = content.substr(at, kBlock);
    blocks += little(last && at + part.size() == content.size() ? 1 : 0, 1);
    blocks += little(part.size(), 2) + little(~part.size(), 2) + part;
  }
  return blocks;
}

/// A last block in the fixed code: a zero byte, and 258 times the byte before, again and again.
std::string zero_block(std::size_t zeros) {
  std::string bytes;
  unsigned used = 8;
  const auto put = [&](unsigned bits, int count) {
    for (int i = 0; i < count; ++i, bits >>= 1) {
      if (used == 8) {
        bytes += '\0';
        used = 0;
      }
      bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) | (bits & 1U) << used++);
    }
  };
  put(0b011, 3);                                  // last, fixed code
  const auto zero = [&] { put(0b00001100, 8); };  // literal 0: 00110000, its first bit first
  zero();
  for (--zeros; zeros >= 258; zeros -= 258) put(0b10100011, 13);  // length 285: 11000101; distance 1: 00000
  for (; zeros > 0; --zeros) zero();
  put(0, 7);  // the block's end
  return bytes;
}

}  // namespace

ZipMember stored(const std::string& name, const std::string& content) {
  return {name, content, crc_32(content), static_cast<std::uint32_t>(content.size()), 0, 0};
}

ZipMember deflated(const std::string& name, const std::string& content) {
  return {name, stored_blocks(content, true), crc_32(content), static_cast<std::uint32_t>(content.size()), 8,
          0};
}

ZipMember deflated_zeros(const std::string& name, const std::string& start, std::size_t zeros) {
  return {name,
          stored_blocks(start, false) + zero_block(zeros),
          crc_32(start, zeros),
          static_cast<std::uint32_t>(start.size() + zeros),
          8,
          0};
}

std::string zip_bytes(const std::vector<ZipMember>& members) {
  constexpr std::uint64_t kVersion = 20;
  std::string archive;
  std::string directory;
  for (const ZipMember& member : members) {
    const std::size_t offset = archive.size();
    const std::string facts = little(kVersion, 2) + little(member.flags, 2) + little(member.method, 2) +
                              little(0, 2) + little(0x21, 2) + little(member.crc, 4) +
                              little(member.data.size(), 4) + little(member.size, 4) +
                              little(member.name.size(), 2) + little(0, 2);
    archive += "PK\x03\x04" + facts + member.name + member.data;
    directory += "PK\x01\x02" + little(kVersion, 2) + facts + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 4) + little(offset, 4) + member.name;
  }
  return archive + directory + "PK\x05\x06" + little(0, 4) + little(members.size(), 2) +
         little(members.size(), 2) + little(directory.size(), 4) + little(archive.size(), 4) + little(0, 2);
}

std::string npz_bytes(const std::vector<NamedArray>& arrays, const NpyStyle& style, bool deflate) {
  std::vector<ZipMember> members;
  for (const NamedArray& array : arrays) {
    members.push_back((deflate ? deflated : stored)(array.name + ".npy", npy_bytes(array, style)));
  }
  return zip_bytes(members);
}

}  // namespace mha::test
