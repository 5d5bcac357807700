#include "render/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "report/report.h"
#include "text/number.h"
#include "text/unicode.h"

namespace mha::render {
namespace {

constexpr Index kLimit = 8;  ///< rows and columns shown unless all are asked for
constexpr int kPlaces = 6;   ///< decimals of a vector's and a matrix's entries

Index shown(Index size, bool full) { return full ? size : std::min(size, kLimit); }

void write(const report::Vector& vector, bool full, std::ostream& out) {
  const Index size = vector.column.rows();
  const Index count = shown(size, full);
  const Matrix entries = vector.column.read(0, count);
  out << "[1×" << fmt::to_string(size) << "]";
  for (Index i = 0; i < count; ++i) out << "  " << text::fixed(entries(i, 0), kPlaces);
  if (count < size) out << fmt::format("  ... ({} total)", size);
}

void write(const report::LazyMatrix& matrix, bool full, std::ostream& out) {
  const Index rows = shown(matrix.rows(), full);
  const Index cols = shown(matrix.cols(), full);
  out << fmt::format("Matrix({}x{})", matrix.rows(), matrix.cols());
  matrix.for_each_row(rows, [&](Index, const auto& row) {
    out << "\n  [";
    for (Index c = 0; c < cols; ++c) out << (c > 0 ? ", " : "") << text::fixed(row[c], kPlaces);
    out << (cols < matrix.cols() ? ", ...]" : "]");
  });
  if (rows < matrix.rows()) out << fmt::format("\n  ... ({} rows total)", matrix.rows());
}

std::string cell_text(const std::string& text) { return text::showable(text); }
std::string cell_text(report::Count count) { return fmt::to_string(count); }
std::string cell_text(const report::Decimals& numbers) {
  std::string joined;
  for (const double value : numbers.values) {
    joined += (joined.empty() ? "" : ", ") + text::fixed(value, numbers.places);
  }
  return joined;
}

/// Columns as wide as their widest cell, two blanks between; counts are right-aligned, the rest left.
void write(const report::Table& table, bool /*full*/, std::ostream& out) {
  const std::size_t columns = table.headings.size();
  std::vector<std::vector<std::string>> texts{table.headings};
  std::vector<bool> right_aligned(columns, false);
  for (const auto& row : table.rows) {
    std::vector<std::string> line;
    for (std::size_t c = 0; c < columns; ++c) {
      line.push_back(std::visit([](const auto& cell) { return cell_text(cell); }, row[c]));
      right_aligned[c] = std::holds_alternative<report::Count>(row[c]);
    }
    texts.push_back(std::move(line));
  }
  std::vector<std::size_t> widths(columns, 0);
  for (const auto& line : texts) {
    for (std::size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], text::display_columns(line[c]));
  }
  for (std::size_t r = 0; r < texts.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) line += "  ";
      const std::string blanks(widths[c] - text::display_columns(texts[r][c]), ' ');
      line += right_aligned[c] ? blanks + texts[r][c] : texts[r][c] + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << (r > 0 ? "\n" : "") << line;
  }
}

void write(double value, bool /*full*/, std::ostream& out) { out << text::shortest(value); }
template <typename Cell>
void write(const Cell& cell, bool /*full*/, std::ostream& out) {
  out << cell_text(cell);
}

void plan(const std::vector<report::Line>& lines, bool full) {
  for (const report::Line& line : lines) {
    for (const report::Item& item : line) {
      const auto* matrix = std::get_if<report::LazyMatrix>(&item.data);
      if (matrix != nullptr) matrix->plan(shown(matrix->rows(), full));
    }
  }
}

double entries(const report::LazyMatrix& matrix) {
  return static_cast<double>(matrix.rows()) * static_cast<double>(matrix.cols());
}
double entries(const report::Vector& vector) { return entries(vector.column); }
template <typename Other>
double entries(const Other&) {
  return 0.0;
}

}  // namespace

double whole_text_bytes(const report::Document& document) {
  constexpr double kBytesOfEntry = 10.0;  // "0.123456, "
  double bytes = 0.0;
  for (const report::Script& script : document.scripts) {
    for (const report::Report& step : script.steps) {
      for (const report::Line& line : step.lines) {
        for (const report::Item& item : line) {
          bytes += kBytesOfEntry * std::visit([](const auto& data) { return entries(data); }, item.data);
        }
      }
    }
  }
  return bytes;
}

void text(const report::Report& report, bool full, std::ostream& out, const FigureWriter& write_figure) {
  plan(report.lines, full);
  for (const report::Line& line : report.lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i > 0) out << ' ';
      std::visit([&](const auto& data) { write(data, full, out); }, line[i].data);
    }
    out << '\n';
  }
  if (!write_figure) return;
  for (const report::Figure& figure : report.figures) write_figure(figure, out);
}

void text(const report::Document& document, bool full, std::ostream& out, const FigureWriter& write_figure) {
  for (const report::Script& script : document.scripts) {
    if (!document.is_one_command()) out << "=== " << script.name << " ===\n";
    for (const report::Report& step : script.steps) text(step, full, out, write_figure);
  }
}

}  // namespace mha::render
