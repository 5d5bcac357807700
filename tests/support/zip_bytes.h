#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/array_bytes.h"

/// Zip archives laid out byte by byte, the truth told in them or not.
namespace mha::test {

struct ZipMember {
  std::string name;
  std::string data;          ///< as the archive holds it
  std::uint32_t crc = 0;     ///< of what it holds
  std::uint32_t size = 0;    ///< of what it holds
  std::uint16_t method = 0;  ///< 0: stored, 8: deflated
  std::uint16_t flags = 0;   ///< 1: encrypted
};

ZipMember stored(const std::string& name, const std::string& content);

/// Deflated, though into no fewer bytes: in blocks that are stored.
ZipMember deflated(const std::string& name, const std::string& content);

/// `start` and then that many zero bytes, deflated into a thousandth.
ZipMember deflated_zeros(const std::string& name, const std::string& start, std::size_t zeros);

std::string zip_bytes(const std::vector<ZipMember>& members);

/// The arrays under their names, as np.savez and np.savez_compressed name them.
std::string npz_bytes(const std::vector<NamedArray>& arrays, const NpyStyle& style = {},
                      bool deflate = false);

}  // namespace mha::test
