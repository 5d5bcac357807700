#pragma once

#include <string>

#include "report/report.h"

namespace mha::render {

struct PageOptions {
  std::string program;  ///< name and version, for the footer
  bool full = false;    ///< printed blocks are whole, as with --full
};

/// A document as one HTML page that loads nothing else: for each report what it shows, the command line, the
/// printed block byte for byte as render::text has it, the figures, and the next steps. It is XML too, so
/// that any strict parser reads it; labels show as text whatever they hold; the same bytes every time. Throws
/// std::runtime_error for a figure's value that is not finite.
std::string html(const report::Document& document, const PageOptions& options);

}  // namespace mha::render
