#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/matrix.h"

namespace mha::render {

/// Takes the bytes of a file, piece by piece.
using Sink = std::function<void(std::string_view bytes)>;

/// Writes arrays of doubles as a .npz archive, as np.savez does: for each array an entry NAME.npy, stored, in
/// version 1.0 of the .npy format, row-major '<f8'. The entries may come in pieces, so that no T × T matrix
/// has to be held, and where they go may be a pipe. Sizes are written as zip64 always: archives and arrays
/// may be beyond 4 GiB, and small ones take the same path.
class NpzWriter {
 public:
  explicit NpzWriter(Sink out) : out_(std::move(out)) {}

  /// Begins an array. Throws std::logic_error where the one before is not complete, and std::invalid_argument
  /// for a name of more than 65,000 bytes.
  void begin(const std::string& name, std::span<const Index> shape);

  /// Its next entries, in row-major order. Throws std::logic_error for more than the shape has.
  void append(std::span<const double> values);

  /// A text as a scalar of NumPy's '<U', in UTF-8 here. Throws as `begin` does.
  void text(const std::string& name, std::string_view value);

  /// Writes the archive's directory. Nothing may follow. Throws as `begin` does.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
  };
  void begin_entry(const std::string& name, const std::string& header, std::uint64_t content);
  void put(std::initializer_list<std::string_view> parts);
  void put_content(const std::string& bytes);
  void end_entry();

  Sink out_;
  std::uint64_t offset_ = 0;  ///< how many bytes were written
  std::uint64_t left_ = 0;    ///< how many doubles of the last entry are missing
  std::vector<Entry> entries_;
};

}  // namespace mha::render
