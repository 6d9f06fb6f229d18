// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/svg_drawing.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace warpz {
namespace {

constexpr double upright_cell = 16;
constexpr double words_below_middle = 3;  ///< the baseline of a box's text

/// 64 columns, a window of 1,400 pixels and a scroll bar fit together.
constexpr double narrow_column(unsigned lanes) { return lanes > 32 ? 17 : 20; }
/// What a value may take in columns of so many lanes before it is turned.
constexpr double widest_column(unsigned lanes) { return lanes > 32 ? narrow_column(lanes) : 36; }

/// The sign of a lane that is not there, as a path.
std::string absence_sign(lane_state state, double x, double y) {
  switch (state) {
    case lane_state::inactive:
      return fmt::format("M{:g} {:g}a3 3 0 1 0 6 0a3 3 0 1 0-6 0", tenth(x - 3), tenth(y));
    case lane_state::returned:
      return fmt::format("M{:g} {:g}l6 6m0-6l-6 6", tenth(x - 3), tenth(y - 3));
    case lane_state::unnamed:
      return fmt::format("M{:g} {:g}h7", tenth(x - 3.5), tenth(y));
    default:
      return {};
  }
}

/// Votes and matches have a bit or a mark for each lane in place of their results.
std::size_t longest_text(const trace_step& step) {
  std::size_t longest = 1;
  if (step.kind == step_kind::collective && step.movement == WARPZ_VOTES) return longest;
  for (const lane_part& part : step.lanes) {
    if (part.before.is_known) longest = std::max(longest, short_text(part.before, step.type).size());
    if (part.after.is_known && step.movement != WARPZ_MATCHES)
      longest = std::max(longest, short_text(part.after, step.type).size());
  }
  return longest;
}

double upright_width(std::size_t letters) { return std::ceil(static_cast<double>(letters) * svg_drawing::letter + 5); }

std::optional<sign> sign_of(lane_state state) {
  switch (state) {
    case lane_state::inactive:
      return sign::elsewhere;
    case lane_state::returned:
      return sign::returned;
    case lane_state::unnamed:
      return sign::unnamed;
    default:
      return {};
  }
}

}  // namespace

std::string short_text(const lane_value& value, warpz_value_type type) {
  std::string text = value_text(value, type);
  // A pair has two of them.
  for (const std::string_view end : {".0,", ".0)"}) {
    if (const std::size_t at = text.find(end); at != std::string::npos) text.erase(at, 2);
  }
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

double svg_drawing::width() const { return label_width + column_ * std::popcount(present_); }

double svg_drawing::x_of(unsigned lane) const {
  const std::uint64_t before = lane == 0 ? 0 : shown_ & (~std::uint64_t{0} >> (64 - lane));
  return label_width + column_ * (std::popcount(before) + ((shown_ >> lane & 1) != 0 ? 0.5 : 0.0));
}

void svg_drawing::begin_run(const trace& run) {
  present_ = run.warp_size == 64 ? shown_ : shown_ & 0xffffffff;
  const auto lanes = static_cast<unsigned>(std::popcount(present_));
  column_ = narrow_column(lanes);
  for (const trace_step& step : run.steps) {
    const double needed = upright_width(longest_text(step));
    if (needed <= widest_column(lanes)) column_ = std::max(column_, needed);
  }
}

void svg_drawing::begin_step(const trace_step& step) {
  const std::size_t longest = longest_text(step);
  is_turned_ = upright_width(longest) > column_;
  cell_ = is_turned_ ? std::ceil(static_cast<double>(longest) * letter + 8) : upright_cell;
}

void svg_drawing::set_upright() {
  is_turned_ = false;
  cell_ = upright_cell;
}

void svg_drawing::note(double x, double y, std::string_view words, std::string_view look) {
  add("<text class=\"{}\" x=\"{:g}\" y=\"{:g}\">{}</text>\n", look, tenth(x), tenth(y), words);
}

void svg_drawing::row_label(double y, std::string_view words) { note(label_width - 6, y, words, "note row-label"); }

void svg_drawing::lane_numbers() {
  move_down(14);
  row_label(y_, "lane");
  add("<g class=\"row numbers\" transform=\"translate(0 {:g})\">", tenth(y_));
  for_each_lane(present_,
                [&](unsigned lane) { add("<text data-lane=\"{0}\" x=\"{1:g}\">{0}</text>", lane, tenth(x_of(lane))); });
  add("</g>\n");
  move_down(5);
}

void svg_drawing::guides(double top) {
  constexpr unsigned lanes_apart = 8;
  std::string lines;
  for_each_lane(present_, [&](unsigned lane) {
    const bool is_first = (present_ & ((std::uint64_t{1} << lane) - 1)) == 0;
    if (lane % lanes_apart != 0 || is_first) return;
    lines += fmt::format("M{:g} {:g}V{:g}", tenth(x_of(lane) - column_ / 2), tenth(top), tenth(y_));
  });
  if (lines.empty()) return;
  use(sign::guide);
  add("<path class=\"guide\" d=\"{}\"/>\n", lines);
}

void svg_drawing::word_row(std::string_view label, std::span<const placed_word> words) {
  std::size_t longest = 1;
  for (const placed_word& each : words) longest = std::max(longest, each.word.size());
  const double length = static_cast<double>(longest) * letter;
  const bool is_turned = length > column_ - 1;
  const double height = is_turned ? length + 5 : 13, middle = y_ + height / 2;
  row_label(middle + 3.5, label);
  add("<g class=\"row numbers\" transform=\"translate(0 {:g})\">", tenth(middle + words_below_middle));
  for (const placed_word& each : words) {
    const std::string turn =
        is_turned ? fmt::format(" transform=\"rotate(-90 {:g} -{:g})\"", tenth(each.x), words_below_middle) : "";
    add("<text{} x=\"{:g}\">{}</text>", turn, tenth(each.x), each.word);
  }
  add("</g>\n");
  move_down(height);
}

void svg_drawing::begin_row(std::string_view look) {
  if (look == "memory") use(sign::shared_memory);
  add("<g class=\"row {}\" transform=\"translate(0 {:g})\">", look, tenth(y_ + cell_ / 2 + words_below_middle));
}

void svg_drawing::end_row() {
  add("</g>\n");
  move_down(cell_);
}

void svg_drawing::box(double x, std::string_view text, std::string_view look, std::string_view attributes) {
  if (look == "undefined") use(sign::undefined);
  if (look == "race") use(sign::race);
  if (look == "yes") use(sign::yes);
  const std::string of_look = look.empty() ? "" : fmt::format(" class=\"{}\"", look);
  add("<path{}{} d=\"M{:g} {:g}h{:g}v{:g}h-{:g}z\"/>", of_look, attributes, tenth(x - column_ / 2 + 1),
      tenth(-words_below_middle - cell_ / 2), column_ - 2, cell_, column_ - 2);
  const std::string turn =
      is_turned_ ? fmt::format(" transform=\"rotate(-90 {:g} -{:g})\"", tenth(x), words_below_middle) : "";
  add("<text{}{} x=\"{:g}\">{}</text>", of_look, turn, tenth(x), text);
}

void svg_drawing::lane_row(std::string_view label, const trace_step& step, lane_value lane_part::*which,
                           std::string_view look) {
  row_label(y_ + cell_ / 2 + 3, label);
  absences(step, y_ + cell_ / 2);
  begin_row(look);
  for_each_lane(step.lanes_in(lane_state::active) & present_, [&](unsigned lane) {
    const lane_value& value = step.lanes[lane].*which;
    const std::string_view own_look = value.is_undefined ? "undefined" : step.is_vote() && value.bits == 1 ? "yes" : "";
    const bool is_found = (step.found_lanes >> lane & 1) != 0;
    if (is_found) use(sign::found_lane);
    box(x_of(lane), short_text(value, step.type), own_look,
        fmt::format(" data-lane=\"{}\"{}", lane, is_found ? " data-found=\"\"" : ""));
  });
  end_row();
}

void svg_drawing::absences(const trace_step& step, double y) {
  std::string shapes;
  for_each_lane(present_, [&](unsigned lane) {
    if (lane >= step.lanes.size()) return;
    shapes += absence_sign(step.lanes[lane].state, x_of(lane), y);
    if (const auto shown = sign_of(step.lanes[lane].state)) use(*shown);
  });
  if (!shapes.empty()) add("<path class=\"away\" d=\"{}\"/>\n", shapes);
}

void svg_drawing::arrow(double from, double to, double top, double height, unsigned distance,
                        std::string_view attributes) {
  const double across = to - from;
  if (distance == 0) {
    use(sign::element);
    add("<path class=\"arrow down\"{} d=\"M{:g} {:g}v{:g}\"/>", attributes, tenth(from), tenth(top), height);
  } else {
    const auto power = static_cast<unsigned>(std::bit_width(distance)) - 1;
    use(distance_sign(power));
    add("<path class=\"arrow d{}\"{} d=\"M{:g} {:g}", std::min(power, 5U), attributes, tenth(from), tenth(top));
    add("c0 {:g} {:g} {:g} {:g} {:g}\"/>", std::round(height * 0.45), tenth(across), std::round(height * 0.55),
        tenth(across), height);
  }
}

void svg_drawing::straight_lines(std::span<const unsigned> lanes, double top, double height) {
  if (lanes.empty()) return;
  use(sign::keeps_own);
  std::string lines, squares;
  for (const unsigned lane : lanes) {
    lines += fmt::format("M{:g} {:g}v{:g}", tenth(x_of(lane)), tenth(top), tenth(height));
    squares += fmt::format("M{:g} {:g}h4v4h-4z", tenth(x_of(lane) - 2), tenth(top + height / 2 - 2));
  }
  add("<path class=\"own\" d=\"{}\"/><path class=\"own-mark\" d=\"{}\"/>\n", lines, squares);
}

void svg_drawing::bus(const trace_step& step, double y) {
  const std::uint64_t lanes = step.lanes_in(lane_state::active) & present_;
  std::string ticks, bars;
  for_each_lane(lanes, [&](unsigned lane) {
    ticks += fmt::format("M{:g} {:g}v16", tenth(x_of(lane)), tenth(y - 8));
    bars += fmt::format("M{:g} {:g}h{:g}", tenth(x_of(lane) - column_ / 2), tenth(y), column_);
  });
  if (lanes != 0) {
    use(step.end == step_end::completes ? sign::meeting : sign::last_step);
    add("<path class=\"own\" d=\"{}\"/><path class=\"bus{}\" d=\"{}\"/>\n", ticks,
        step.end == step_end::completes ? "" : " open", bars);
  }
  // Where it is about all of them, the step's own mark is enough.
  if (step.found_lanes != lanes) {
    for_each_lane(step.found_lanes & lanes, [&](unsigned lane) {
      use(sign::found_lane);
      add("<path class=\"cell found\" data-found=\"\" data-lane=\"{}\" d=\"M{:g} {:g}h{:g}v16h-{:g}z\"/>\n", lane,
          tenth(x_of(lane) - column_ / 2 + 1), tenth(y - 8), column_ - 2, column_ - 2);
    });
  }
  absences(step, y);
}

}  // namespace warpz
