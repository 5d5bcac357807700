#include "input/formats/foreign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mha::input {
namespace {

struct Format {
  std::string_view begins;
  const char* what;
};
constexpr const char* kSave = "save the arrays with numpy.savez or safetensors";

constexpr std::array kFormats = {
    Format{"\xFF\xFE", "text in UTF-16; JSON is UTF-8"},
    Format{"\xFE\xFF", "text in UTF-16; JSON is UTF-8"},
    Format{"\x89HDF\r\n\x1A\n", "an HDF5 file, as Keras and h5py write"},
    Format{"GGUF", "a GGUF file, as llama.cpp reads"},
    Format{"PAR1", "a Parquet file"},
    Format{"MATLAB", "a MATLAB file"},
    Format{"ARROW1", "an Arrow file"},
    Format{"TFL3", "a TensorFlow Lite file"},
    Format{"\x80\x02", "a Python pickle, which is never read, as PyTorch writes"},
    Format{"\x80\x03", "a Python pickle, which is never read"},
    Format{"\x80\x04", "a Python pickle, which is never read"},
    Format{"\x80\x05", "a Python pickle, which is never read"},
    Format{"version https://git-lfs", "a Git LFS pointer; git lfs pull brings the file itself"},
    Format{"<!", "an HTML page, not the file itself"},
    Format{"<h", "an HTML page, not the file itself"},
    Format{"<H", "an HTML page, not the file itself"},
    Format{"<?xml", "an XML file"},
    Format{"\x1F\x8B", "compressed with gzip; decompress it first"},
    Format{"BZh", "compressed with bzip2; decompress it first"},
    Format{"\xFD"
           "7zXZ",
           "compressed with xz; decompress it first"},
    Format{"\x28\xB5\x2F\xFD", "compressed with zstd; decompress it first"},
    Format{"Rar!", "a RAR archive; unpack it first"},
    Format{"7z\xBC\xAF", "a 7z archive; unpack it first"},
};

/// Rows of numbers with commas, semicolons or tabs between, and nothing else.
bool is_table(std::string_view start) {
  const bool numbers = start.find_first_not_of("0123456789+-.eE,;\t \r\n") == std::string_view::npos;
  return numbers && start.find_first_of(",;\t\n") != std::string_view::npos &&
         start.find_first_of("0123456789") != std::string_view::npos;
}

/// A map of few entries whose first key is a short string: how msgpack begins, as Flax writes it.
bool is_msgpack(std::string_view start) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(start[i]); };
  return start.size() > 2 && (byte(0) & 0xF0U) == 0x80 && (byte(1) & 0xE0U) == 0xA0;
}

/// A protocol buffer that begins with a small version number and the name of a producer: an ONNX model.
bool is_onnx(std::string_view start) {
  return start.size() > 4 && start[0] == 8 && start[1] > 0 && start[1] < 32 && start[2] == 0x12;
}

}  // namespace

std::string foreign_format(std::string_view start) {
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return start.starts_with(format.begins);
  });
  const std::string_view what = found != kFormats.end() ? std::string_view(found->what)
                                : is_table(start)       ? "a table of text (CSV)"
                                : is_onnx(start)        ? "an ONNX model"
                                : is_msgpack(start)     ? "a msgpack file, as Flax writes"
                                                        : "";
  if (what.empty() || what.find(';') != std::string_view::npos || what.starts_with("an HTML"))
    return std::string(what);
  return fmt::format("{}; {}", what, kSave);
}

}  // namespace mha::input
