#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attention/matrix.h"

namespace mha::input {

/// The dictionary that the header of a .npy file is, `{'descr': '<f8', 'fortran_order': False, 'shape': (2,
/// 3), }`.
struct PythonHeader {
  std::string descr;  ///< the text, or the list of a structure's fields as it stands
  bool descr_is_text = false;
  bool fortran_order = false;
  std::vector<Index> shape;
};

/// Parses that Python literal: the keys in any order, spaces and a trailing comma where Python has them.
/// Throws std::invalid_argument, `place` first, for anything else: nothing is evaluated.
PythonHeader parse_python_header(std::string_view text, const std::string& place);

}  // namespace mha::input
