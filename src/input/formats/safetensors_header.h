#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "attention/matrix.h"
#include "input/formats/entry_type.h"

namespace mha::input {

/// A tensor as the header of a .safetensors file lists it.
struct Tensor {
  std::string name;
  std::string dtype;                ///< "float64"; as in the file where it is not read
  const EntryType* type = nullptr;  ///< null for a dtype that is not read
  std::vector<Index> shape;
  std::uint64_t begin = 0;  ///< of its bytes among those that follow the header
  std::uint64_t end = 0;
};

/// The tensors in the header's order, their bytes checked to lie one after the other in all of the
/// `data_size` bytes that follow the header. Format: the README of its reference implementation
/// (huggingface/safetensors, "Format"). Throws std::invalid_argument, `file` first, with the tensor's name.
std::vector<Tensor> parse_safetensors_header(std::string_view text, std::uint64_t data_size,
                                             const std::string& file);

}  // namespace mha::input
