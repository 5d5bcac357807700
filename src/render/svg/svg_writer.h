#pragma once

#include <span>
#include <string>
#include <string_view>

#include "render/colors.h"

/// SVG elements as text, and the sizes and colours that all panels share.
namespace mha::render {

inline constexpr double kTitleSize = 14.0;
inline constexpr double kLabelSize = 12.0;
inline constexpr double kNameSize = 12.0;  ///< of an axis
inline constexpr double kNoteSize = 11.0;

inline constexpr double kTitleGap = 10.0;  ///< between a title and its plot
inline constexpr double kLabelGap = 7.0;   ///< between a plot and the labels beside it

inline constexpr double kLabelHeight = 15.0;
inline constexpr double kNameHeight = 18.0;  ///< of an axis
inline constexpr double kBarWidth = 14.0;    ///< of a colour bar

inline constexpr Rgb kInk{0x22, 0x26, 0x2c};      ///< text, on white
inline constexpr Rgb kQuiet{0x5b, 0x63, 0x6e};    ///< names of axes, notes
inline constexpr Rgb kRule{0x9a, 0xa1, 0xab};     ///< lines of axes
inline constexpr Rgb kGrid{0xe6, 0xe8, 0xec};     ///< lines to read values by
inline constexpr Rgb kCeiling{0xb9, 0xbe, 0xc6};  ///< of curves

struct Point {
  double x;
  double y;
};

/// A rectangle, y downwards.
struct Box {
  double x;
  double y;
  double width;
  double height;

  [[nodiscard]] double right() const { return x + width; }
  [[nodiscard]] double bottom() const { return y + height; }
  [[nodiscard]] Point centre() const { return {x + width / 2.0, y + height / 2.0}; }
};

/// The space that a panel needs, in pixels: its plot and what goes around it.
struct Extents {
  double left = 0.0;
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;
  double width = 0.0;   ///< of the plot itself
  double height = 0.0;  ///< of the plot itself
  bool fixed = false;   ///< the plot keeps its height where its row of the grid is higher
};

enum class Anchor { kStart, kMiddle, kEnd };

/// How a text looks.
struct TextStyle {
  double size = 12.0;
  Anchor anchor = Anchor::kMiddle;
  Rgb color = kInk;
  bool bold = false;
  bool upwards = false;  ///< turned by 90°, to be read from below
};

/// An upper estimate of a text's width: the reader's font is unknown, and 0.62 em a column is a wide one.
double text_width(std::size_t columns, double size);
double text_width(std::string_view text, double size);

/// A coordinate: two decimals at most.
std::string coordinate(double value);

/// A path's data: straight lines from point to point.
std::string lines_through(std::span<const Point> points);

/// Numbers are short and the same in every locale, texts escaped.
class SvgWriter {
 public:
  /// With a tooltip, if that is not empty.
  void rectangle(const Box& box, Rgb fill, std::string_view more = "", std::string_view tooltip = "");
  void line(Point from, Point to, Rgb color, double width = 1.0);
  void path(std::string_view data, std::string_view attributes, std::string_view tooltip = "");
  /// Anchored at at.x, its middle at at.y.
  void text(Point at, std::string_view text, const TextStyle& style);
  /// Opens a group with these attributes; close() closes it.
  void open(std::string_view attributes);
  void close();

  /// What another writer has drawn.
  void add(const SvgWriter& other) { out_ += other.out_; }

  [[nodiscard]] const std::string& drawn() const { return out_; }

 private:
  void end_element(std::string_view name, std::string_view tooltip);

  std::string out_;
};

}  // namespace mha::render
