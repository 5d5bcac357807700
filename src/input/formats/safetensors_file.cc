#include "input/formats/safetensors_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "input/formats/packed_entries.h"
#include "input/formats/place.h"
#include "input/formats/safetensors_header.h"
#include "input/memory.h"

namespace mha::input {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
/// The format's own limit.
constexpr std::uint64_t kLongestHeader = 100'000'000;

/// The header's length, which the file begins with.
std::uint64_t header_length(const ByteSource& bytes, const std::string& name) {
  std::array<std::byte, kLengthBytes> start{};
  bytes.read(0, start);
  const std::uint64_t length = little_endian(start);
  const std::uint64_t most = std::min(bytes.size() - kLengthBytes, kLongestHeader);
  if (length > most)
    throw std::invalid_argument(fmt::format(
        "{}: the header's length is {}, and {} bytes are the most in this file", name, length, most));
  return length;
}

class SafetensorsFile : public ArrayFile {
 public:
  SafetensorsFile(std::unique_ptr<ByteSource> bytes, const std::string& name)
      : ArrayFile(name), bytes_(std::move(bytes)) {
    const std::uint64_t length = header_length(*bytes_, name);
    data_ = kLengthBytes + length;
    // A list of tensors takes a few times what its text does.
    require_memory(name, 8.0 * static_cast<double>(length));
    std::string text(length, '\0');
    bytes_->read(kLengthBytes, std::as_writable_bytes(std::span(text)));
    tensors_ = parse_safetensors_header(text, bytes_->size() - data_, name);
    for (const Tensor& tensor : tensors_) add({tensor.name, tensor.dtype, tensor.shape});
  }

 private:
  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    const Tensor& tensor = tensors_[number];
    if (tensor.type == nullptr)
      throw std::invalid_argument(
          fmt::format("{}: dtype {} is not read; F64, F32, F16, BF16, I8 to I64, U8 to U64 and BOOL are",
                      place_of(name(), tensor.name), quoted_key(tensor.dtype)));
    read_row_major({name(), arrays()[number], *tensor.type}, *bytes_, data_ + tensor.begin, first, values);
  }

  std::unique_ptr<ByteSource> bytes_;
  std::uint64_t data_ = 0;  ///< where it begins in the file
  std::vector<Tensor> tensors_;
};

}  // namespace

std::unique_ptr<ArrayFile> safetensors_file(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  return std::make_unique<SafetensorsFile>(std::move(bytes), name);
}

}  // namespace mha::input
