#pragma once

#include <functional>
#include <memory>
#include <span>

#include "options/options.h"
#include "report/report.h"

namespace mha::commands {

/// What a command does once its options are read.
using Work = std::function<report::Document()>;

/// One command: what `mha NAME` is called, says of itself, takes and does. Each stands at the end of its own
/// file.
struct Command {
  const char* name;
  const char* summary;      ///< one line, for `mha --help`
  const char* description;  ///< for `mha NAME --help`
  std::span<const char* const> examples;
  bool draws;  ///< has figures, and so --plot, --svg and --color
  /// Declares the command's options and returns what to do once they are read.
  Work (*declare)(options::Options& options);
};

/// The declare function of a command that is a function from its options to a report: `declared<HeadOptions>(
/// options, declare_heads, weights)` declares options of that type and works with them.
template <typename Chosen, typename Declare, typename Run>
Work declared(options::Options& options, const Declare& declare, const Run& run) {
  auto chosen = std::make_shared<Chosen>();
  declare(options, *chosen);
  return [chosen, run] { return report::Document(run(*chosen)); };
}

}  // namespace mha::commands
