// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What pictures of steps are made of: columns of lanes, rows of boxes, arrows and notes, from the top down.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "trace/trace.hpp"

namespace warpz {

/// What a picture's shapes mean: each has a row in the legend's table.
enum class sign {
  elsewhere,
  returned,
  unnamed,
  keeps_own,
  undefined,
  yes,
  shared_memory,
  element,
  race,
  found_lane,
  found_step,
  meeting,
  last_step,
  same_value,
  cover,
  barrier,
  warp,
  guide,
  distance_1,
  distance_2,
  distance_4,
  distance_8,
  distance_16,
  distance_32
};
inline constexpr auto signs = static_cast<std::size_t>(sign::distance_32) + 1;

/// The sign of arrows across 2 to the power of so many lanes, or more.
constexpr sign distance_sign(std::size_t power) {
  return static_cast<sign>(std::min(static_cast<std::size_t>(sign::distance_1) + power, signs - 1));
}

/// A value without the ".0" of whole numbers, of which there are many.
std::string short_text(const lane_value& value, warpz_value_type type);

/// A coordinate, of which tenths are enough.
inline double tenth(double value) { return std::round(value * 10) / 10; }

/// Coordinates are in units of the picture, which are pixels on a screen.
class svg_drawing {
 public:
  static constexpr double label_width = 196;
  static constexpr double margin = 12;
  static constexpr double line = 12;     ///< the height of a line of small text
  static constexpr double letter = 5.7;  ///< the width of its letters

  explicit svg_drawing(std::uint64_t shown) : shown_(shown) {}

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }
  const std::string& text() const { return text_; }
  std::size_t place() const { return text_.size(); }
  void insert(std::size_t place, std::string_view text) { text_.insert(place, text); }

  double y() const { return y_; }
  void move_to(double y) { y_ = y; }
  void move_down(double by) { y_ += by; }

  /// Before the steps of a run: chooses the width of its columns.
  void begin_run(const trace& run);
  /// Before each step: whether its values fit upright into the columns; else they are turned.
  void begin_step(const trace_step& step);

  std::uint64_t present() const { return present_; }  ///< the lanes that have a column
  double column() const { return column_; }
  double cell_height() const { return cell_; }
  double width() const;              ///< label and columns together
  double x_of(unsigned lane) const;  ///< the middle of a column. A lane that is not shown is beside the picture

  void note(double x, double y, std::string_view words, std::string_view look = "note");
  /// Ends beside the columns.
  void row_label(double y, std::string_view words);
  void lane_numbers();
  /// Lines from `top` to here, by which the eye finds a lane's number again: before each eighth lane.
  void guides(double top);

  /// A word, and the place of its middle.
  struct placed_word {
    double x;
    std::string word;
  };
  /// A row of them, turned where they are too long for the columns.
  void word_row(std::string_view label, std::span<const placed_word> words);

  /// A row of boxes, of each lane's value or the sign of a lane that is not there. "gave", "after"
  void lane_row(std::string_view label, const trace_step& step, lane_value lane_part::*which, std::string_view look);
  /// Boxes between these are one row, of one look. Their words have its height, so that none repeats it.
  void begin_row(std::string_view look);
  void box(double x, std::string_view text, std::string_view look = {}, std::string_view attributes = {});
  void end_row();
  /// Boxes as of a short value, whatever the step's values are.
  void set_upright();

  void absences(const trace_step& step, double y);
  /// A curve that leaves and arrives straight, in the colour of a distance; 0: straight down.
  void arrow(double from, double to, double top, double height, unsigned distance, std::string_view attributes);
  /// Lines straight down for lanes that keep what they have.
  void straight_lines(std::span<const unsigned> lanes, double top, double height);
  /// A line across all lanes that take part, where each has a tick.
  void bus(const trace_step& step, double y);

  /// What there is in the picture for its legend to explain.
  void use(sign one) { used_.set(static_cast<std::size_t>(one)); }
  bool uses(sign one) const { return used_.test(static_cast<std::size_t>(one)); }

 private:
  std::uint64_t shown_;
  std::uint64_t present_ = 0;
  std::string text_;
  double y_ = 0, column_ = 0, cell_ = 0;
  bool is_turned_ = false;
  std::bitset<signs> used_;
};

}  // namespace warpz
