#pragma once

#include <string>
#include <string_view>

#include "render/color_maps.h"
#include "render/svg/style.h"

/// SVG's elements, as text: numbers short and the same in every locale, texts escaped.
namespace mha::render {

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

/// The room that a panel needs: its plot and what goes around it.
struct Extents {
  double left = 0.0;
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;
  double width = 0.0;   ///< of the plot itself
  double height = 0.0;  ///< of the plot itself
};

enum class Anchor { kStart, kMiddle, kEnd };

/// How a text looks; x is where it is anchored, y its middle.
struct TextStyle {
  double size = 12.0;
  Anchor anchor = Anchor::kMiddle;
  Rgb color = kInk;
  bool bold = false;
  bool upwards = false;  ///< turned by 90°, to be read from below
};

/// How wide a text is at most likely to be: nobody knows the font, 0.62 em a column is a wide one.
double text_width(std::string_view text, double size);

/// A coordinate: two decimals at most.
std::string coordinate(double value);

class SvgPen {
 public:
  /// With a title, if that is not empty: what a pointer is told.
  void rectangle(const Box& box, Rgb fill, std::string_view more = "", std::string_view title = "");
  void line(Point from, Point to, Rgb color, double width, std::string_view more = "");
  void path(std::string_view data, std::string_view attributes, std::string_view title = "");
  void text(Point at, std::string_view text, const TextStyle& style);
  /// Opens a group with these attributes; close() closes it.
  void open(std::string_view attributes);
  void close();

  /// What another pen has drawn.
  void add(const SvgPen& other) { out_ += other.out_; }

  [[nodiscard]] const std::string& drawn() const { return out_; }

 private:
  void end_element(std::string_view name, std::string_view title);

  std::string out_;
};

}  // namespace mha::render
