#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/matrix.h"

namespace mha::render {

/// Writes arrays of doubles as a .npz archive, as np.savez does: for each array an entry NAME.npy, stored, in
/// version 1.0 of the .npy format, row-major '<f8'. The entries may come in pieces, so that no T × T matrix
/// has to be held, and the stream may be a pipe. Sizes are written as zip64 always: archives and arrays may
/// be beyond 4 GiB, and small ones take the same path.
class NpzWriter {
 public:
  /// Writes to `out`, which must outlive it.
  explicit NpzWriter(std::ostream& out) : out_(out) {}

  /// Begins an array. Throws std::logic_error where the one before is not complete, and std::invalid_argument
  /// for a name of more than 65,000 bytes.
  void begin(const std::string& name, std::span<const Index> shape);

  /// Its next entries, in row-major order. Throws std::logic_error for more than the shape has.
  void append(std::span<const double> values);

  /// Writes the archive's directory. Nothing may follow. Throws as `begin` does.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
  };
  void put(std::initializer_list<std::string_view> parts);
  void put_content(const std::string& bytes);
  void end_entry();

  std::ostream& out_;
  std::uint64_t offset_ = 0;  ///< how many bytes were written
  std::uint64_t left_ = 0;    ///< how many doubles of the last entry are missing
  std::vector<Entry> entries_;
};

/// The same at once.
struct NpzArray {
  std::string name;
  std::vector<Index> shape;
  std::vector<double> values;
};
void write_npz(const std::vector<NpzArray>& arrays, std::ostream& out);

}  // namespace mha::render
