#pragma once

#include <vector>

#include "report/report.h"

namespace mha::commands {

/// What belongs to an option that takes one number or a list: the value alone where there is one.
inline report::Value one_or_list(const report::List& values) {
  return values.size() == 1 ? values.front() : report::Value{values};
}

inline report::Value one_or_list(const std::vector<report::Count>& counts) {
  report::List values;
  for (const report::Count count : counts) values.push_back({count});
  return one_or_list(values);
}

}  // namespace mha::commands
