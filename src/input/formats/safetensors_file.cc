#include "input/formats/open_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "input/formats/entries.h"
#include "input/formats/place.h"
#include "input/formats/strict_json.h"
#include "input/memory.h"

namespace mha::input {
namespace {

/// A tensor as the header of a .safetensors file lists it.
struct Tensor {
  std::string name;
  std::string dtype;                ///< "float64"; as in the file where it is not read
  const EntryType* type = nullptr;  ///< null for a dtype that is not read
  std::vector<Index> shape;
  std::uint64_t begin = 0;  ///< of its bytes among those that follow the header
  std::uint64_t end = 0;
};

const EntryType* type_of(std::string_view dtype) {
  constexpr std::array<TypeCode, 13> kCodes = {{
      {"F64", "float64"},
      {"F32", "float32"},
      {"F16", "float16"},
      {"BF16", "bfloat16"},
      {"I64", "int64"},
      {"I32", "int32"},
      {"I16", "int16"},
      {"I8", "int8"},
      {"U64", "uint64"},
      {"U32", "uint32"},
      {"U16", "uint16"},
      {"U8", "uint8"},
      {"BOOL", "bool"},
  }};
  return entry_type(kCodes, dtype);
}

/// Reads `{"__metadata__": {…}, "NAME": {"dtype": "F64", "shape": […], "data_offsets": [begin, end]}, …}`.
class HeaderListener : public JsonListener {
 public:
  void begin_object() override {
    if (in_ == kFile) {
      in_ = kHeader;
    } else if (in_ == kHeader) {
      in_ = tensor_.name == "__metadata__" ? kMetadata : kTensor;
    } else {
      refuse_kind("an object");
    }
  }

  void key(const std::string& key) override {
    if (in_ == kHeader) {
      tensor_ = {};
      tensor_.name = key;
      has_dtype_ = has_shape_ = false;
      offsets_.clear();
    } else if (in_ == kTensor && key != "dtype" && key != "shape" && key != "data_offsets") {
      throw JsonError(quoted_key(key) + " is not dtype, shape or data_offsets");
    }
    key_ = key;
  }

  void end_object() override {
    if (in_ == kTensor) finish();
    in_ = in_ == kHeader ? kFile : kHeader;
    key_.clear();
  }

  void begin_list() override {
    if (in_ != kTensor || key_ == "dtype") refuse_kind("a list");
    in_ = kNumbers;
    has_shape_ = has_shape_ || key_ == "shape";
  }

  void end_list() override { in_ = kTensor; }

  void number(JsonNumber number) override {
    if (in_ != kNumbers) refuse_kind("a number");
    const auto* const natural = std::get_if<std::uint64_t>(&number);
    if (natural == nullptr || *natural > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
      throw JsonError(fmt::format("{}: {} is not a whole number from 0 to 2^63 − 1", key_,
                                  std::visit([](auto value) { return fmt::to_string(value); }, number)));
    if (key_ == "shape") {
      tensor_.shape.push_back(static_cast<Index>(*natural));
    } else {
      offsets_.push_back(*natural);
    }
  }

  void text(const std::string& text) override {
    if (in_ == kMetadata) return;
    if (in_ != kTensor || key_ != "dtype") refuse_kind("a string");
    tensor_.type = type_of(text);
    tensor_.dtype = tensor_.type != nullptr ? std::string(tensor_.type->name) : text;
    has_dtype_ = true;
  }

  void boolean(bool value) override { refuse_kind(value ? "true" : "false"); }
  void null() override { refuse_kind("null"); }

  [[nodiscard]] std::string place() const override {
    return in_ == kFile || tensor_.name.empty() ? "" : quoted_key(tensor_.name);
  }

  std::vector<Tensor> take() { return std::move(tensors_); }

 private:
  [[noreturn]] void refuse_kind(const char* what) const {
    throw JsonError(key_.empty() ? fmt::format("{} where none may be", what)
                                 : fmt::format("{} cannot be {}", quoted_key(key_), what));
  }

  void finish() {
    if (!has_dtype_ || !has_shape_) throw JsonError(has_dtype_ ? "shape is missing" : "dtype is missing");
    if (offsets_.size() != 2)
      throw JsonError(fmt::format("data_offsets has {} numbers, and needs begin and end", offsets_.size()));
    tensor_.begin = offsets_[0];
    tensor_.end = offsets_[1];
    if (tensor_.begin > tensor_.end)
      throw JsonError(fmt::format("data_offsets [{}, {}] are reversed", tensor_.begin, tensor_.end));
    tensors_.push_back(std::move(tensor_));
    tensor_ = {};
  }

  enum { kFile, kHeader, kMetadata, kTensor, kNumbers } in_ = kFile;  ///< what is open
  std::string key_;
  Tensor tensor_;
  bool has_dtype_ = false;
  bool has_shape_ = false;
  std::vector<std::uint64_t> offsets_;
  std::vector<Tensor> tensors_;
};

std::string shown_offsets(const Tensor& tensor) {
  return fmt::format("data_offsets [{}, {}]", tensor.begin, tensor.end);
}

/// The bytes that its dtype and shape say, within the data.
void check_size(const Tensor& tensor, std::uint64_t data_size, const std::string& place) {
  const Index entries = entries_of(tensor.shape, place);
  if (tensor.end > data_size)
    refuse(place, fmt::format("{} end beyond the {} bytes of data", shown_offsets(tensor), data_size));
  if (tensor.type == nullptr) return;
  const std::uint64_t size = bytes_of(entries, tensor.type->size, place);
  if (tensor.end - tensor.begin != size)
    refuse(place, fmt::format("{} are {} bytes, where {} of {} takes {}", shown_offsets(tensor),
                              tensor.end - tensor.begin, shown_shape(tensor.shape), tensor.dtype, size));
}

/// No overlap, no hole.
void check_cover(const std::vector<Tensor>& tensors, std::uint64_t data_size, const std::string& file) {
  std::vector<const Tensor*> sorted;
  sorted.reserve(tensors.size());
  for (const Tensor& tensor : tensors) sorted.push_back(&tensor);
  std::sort(sorted.begin(), sorted.end(), [](const Tensor* a, const Tensor* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t covered = 0;
  for (const Tensor* const tensor : sorted) {
    if (tensor->begin != covered)
      refuse(
          place_of(file, tensor->name),
          fmt::format("{} {} byte {}, where the tensor before it ends", shown_offsets(*tensor),
                      tensor->begin < covered ? "overlap what lies before" : "leave a hole after", covered));
    covered = tensor->end;
  }
  if (covered != data_size)
    refuse(sorted.empty() ? file : place_of(file, sorted.back()->name),
           fmt::format("{} bytes of data follow the last tensor", data_size - covered));
}

/// The tensors in the header's order, whose bytes must follow one another and fill the `data_size` bytes
/// after the header. Format: the README of its reference implementation
/// (huggingface/safetensors, "Format"). Throws std::invalid_argument, `file` first, with the tensor's name.
std::vector<Tensor> read_header(std::string_view text, std::uint64_t data_size, const std::string& file) {
  HeaderListener listener;
  read_strict_json(text, file + ": header", listener);
  std::vector<Tensor> tensors = listener.take();
  for (const Tensor& tensor : tensors) check_size(tensor, data_size, place_of(file, tensor.name));
  check_cover(tensors, data_size, file);
  return tensors;
}

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
    refuse(name, fmt::format("the header's length is {}, but at most {} bytes are possible in this file",
                             length, most));
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
    tensors_ = read_header(text, bytes_->size() - data_, name);
    for (const Tensor& tensor : tensors_) add({tensor.name, tensor.dtype, tensor.shape});
  }

 private:
  void check_numbers(std::size_t number) const override {
    const Tensor& tensor = tensors_[number];
    if (tensor.type == nullptr)
      refuse(place_of(name(), tensor.name),
             fmt::format("dtype {} is not read; F64, F32, F16, BF16, I8 to I64, U8 to U64 and BOOL are",
                         quoted_key(tensor.dtype)));
  }

  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    const Tensor& tensor = tensors_[number];
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
