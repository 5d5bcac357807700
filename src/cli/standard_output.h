#pragma once

#include <ostream>
#include <streambuf>
#include <vector>

namespace mha::cli {

/// Thrown when the reader of the pipe has left. Not an error: it has what it wanted.
struct ClosedPipe {};

/// Standard output as a stream that cannot fail unnoticed: what cannot be written throws
/// std::system_error, or ClosedPipe, at once and not at exit. The C++ streams would only set a bit.
class StandardOutput : private std::streambuf {
 public:
  /// Throws std::runtime_error if standard output is closed.
  StandardOutput();

  std::ostream& stream() { return stream_; }

  /// Writes what is buffered. Nothing is written by the destructor: after an exception there is no use.
  void finish();

 private:
  int_type overflow(int_type c) override;

  std::vector<char> buffer_ = std::vector<char>(1 << 16);  // a stack may be as small
  std::ostream stream_;
};

}  // namespace mha::cli
