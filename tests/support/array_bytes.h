#pragma once

#include <string>
#include <vector>

#include "attention/matrix.h"

/// The bytes of files of arrays, laid out here from the formats' descriptions and not by the program.
namespace mha::test {

/// An array, its entries in row-major order.
struct NamedArray {
  std::string name;
  std::vector<Index> shape;
  std::vector<double> values;
};

NamedArray named(const std::string& name, const Matrix& matrix);

/// The entries as float64, float32, float16, bfloat16, int8 … int64, uint8 … uint64 or bool, rounded to the
/// nearest where they do not fit.
std::string packed(const std::vector<double>& values, const std::string& dtype, bool big_endian = false);

/// How a .npy file writes its array.
struct NpyStyle {
  std::string dtype = "float64";
  bool big_endian = false;
  bool column_major = false;
  int version = 1;
};

std::string npy_bytes(const NamedArray& array, const NpyStyle& style = {});

/// The same with that header, a Python dictionary, and those bytes after it.
std::string npy_raw(const std::string& dictionary, const std::string& entries, int version = 1);

std::string json_bytes(const std::vector<NamedArray>& arrays);

std::string safetensors_bytes(const std::vector<NamedArray>& arrays, const std::string& dtype = "float64");

/// The same with that header and those bytes after it.
std::string safetensors_raw(const std::string& header, const std::string& data);

}  // namespace mha::test
