// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <string_view>

#include "trace/markup.hpp"
#include "trace/scan_cover.hpp"

namespace warpz {
namespace {

// In units of the picture, which are pixels on a screen.
constexpr double label_width = 196;
constexpr double page_margin = 16;
constexpr double letter = 5.7;  ///< width of a letter in a cell
constexpr double upright_cell = 16;
constexpr double arrow_room = 46;
constexpr double gap = 10;

/// Distances 1, 2, 4, … from light to dark, so that they differ in print, too.
constexpr std::string_view distance_colours[] = {"#d98c00", "#3d9c3f", "#1f8f8a", "#2f6fb0", "#5546a0", "#3a1060"};

/// Without the ".0" of whole numbers, of which there are many.
std::string short_text(const lane_value& value, warpz_value_type type) {
  std::string text = value_text(value, type);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

constexpr std::string_view style =
    "text{font:9.5px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#111}.v,.lane{text-anchor:middle}"
    "text.title{font-size:14px;font-weight:bold}text.name{font-size:11px;font-weight:bold}.note,.lane{fill:#444}"
    ".cell{fill:#fff;stroke:#555;stroke-width:.8;stroke-linejoin:round}.cell.out{fill:#e9eef6}.cell.memory{fill:#"
    "fdf6e3}"
    ".cell.undefined{fill:url(#hatch);stroke:#111;stroke-width:1.4}.v.undefined{font-weight:bold}"
    ".cell.yes{fill:#333}text.v.yes{fill:#fff}.arrow{fill:none;stroke-width:1.3}"
    ".own{fill:none;stroke:#777;stroke-width:1;stroke-dasharray:2 2}.band{fill:#f6f6f6}"
    ".away{fill:none;stroke:#777;stroke-width:1.1}.bus{stroke:#111;stroke-width:2;fill:none}"
    ".cover{stroke:#a9782c;stroke-width:1}";

class svg_writer {
 public:
  svg_writer(const std::vector<trace>& all, std::uint64_t shown) : all_(all), shown_(shown) {}

  std::string write() {
    for (std::size_t i = 0; i < all_.size(); ++i) add_run(i);
    add_legend();
    const double width = width_ + page_margin, height = y_ + page_margin;
    std::string head = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n"
        "<desc>Lanes from left to right, steps from top to bottom; arrows go from the lane that gives a value to the "
        "lanes that get it.</desc>\n<defs><style>{3}</style>\n<pattern id=\"hatch\" width=\"4\" height=\"4\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"4\" height=\"4\" fill=\"#fff\"/>"
        "<path d=\"M0 0V4\" stroke=\"#999\" stroke-width=\"1.6\"/></pattern>\n",
        width, height, escaped(all_.empty() ? "" : all_.front().kernel), style);
    for (std::size_t i = 0; i < std::size(distance_colours); ++i) {
      head += fmt::format(
          "<style>.d{0}{{stroke:{1};marker-end:url(#tip{0})}}</style><marker id=\"tip{0}\" viewBox=\"0 0 6 6\" "
          "refX=\"5.4\" refY=\"3\" markerWidth=\"5\" markerHeight=\"5\" "
          "orient=\"auto\"><path d=\"M0 0L6 3L0 6Z\" fill=\"{1}\"/></marker>\n",
          i, distance_colours[i]);
    }
    return head + "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + text_ + "</svg>\n";
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  /// The middle of a lane's column. A lane that is not shown gives from beside the picture.
  double x_of(unsigned lane) const {
    const std::uint64_t before = lane == 0 ? 0 : shown_ & (~std::uint64_t{0} >> (64 - lane));
    return label_width + column_ * (std::popcount(before) + ((shown_ >> lane & 1) != 0 ? 0.5 : 0.0));
  }

  /// Whether all values of a run fit upright into columns; else they are turned, and columns are narrow.
  void choose_columns(const trace& run) {
    std::size_t longest = 2;
    for (const trace_step& step : run.steps) {
      if (step.movement == WARPZ_VOTES || step.movement == WARPZ_MATCHES) continue;
      for (const lane_part& part : step.lanes) {
        for (const lane_value& value : {part.before, part.after}) {
          if (value.is_known) longest = std::max(longest, short_text(value, step.type).size());
        }
      }
    }
    const double upright = static_cast<double>(longest) * letter + 7, room = run.warp_size == 64 ? 19 : 36;
    is_turned_ = upright > room;
    column_ = is_turned_ ? 16 : std::max(upright, 19.0);
    cell_ = is_turned_ ? static_cast<double>(longest) * letter + 8 : upright_cell;
  }

  void add_run(std::size_t number) {
    const trace& run = all_[number];
    present_ = run.warp_size == 64 ? shown_ : shown_ & 0xffffffff;
    choose_columns(run);
    width_ = std::max(width_, label_width + column_ * std::popcount(present_));
    y_ += page_margin + 14;
    add("<g class=\"run\" data-run=\"{}\"><text class=\"title\" x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n", number,
        page_margin, y_, escaped(run.kernel));
    y_ += 16;
    add("<text class=\"note\" x=\"{:.0f}\" y=\"{:.1f}\">block {}, {} threads, {} lanes in a warp</text>\n", page_margin,
        y_, run.block[0], run.threads, run.warp_size);
    y_ += 8;
    scan_cover cover(run.warp_size);
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      step_ = i;
      if (i % 12 == 0) add_lane_numbers();
      cover.follow(run.steps[i]);
      add_step(run, run.steps[i], cover);
    }
    if (run.left_out != 0) {
      y_ += 16;
      add("<text x=\"{:.0f}\" y=\"{:.1f}\">{} more events of lanes were not recorded.</text>\n", page_margin, y_,
          run.left_out);
    }
    add("</g>\n");
  }

  void add_lane_numbers() {
    y_ += 14;
    add("<text class=\"note\" x=\"{:.1f}\" y=\"{:.1f}\">lane</text>\n", label_width - 32, y_);
    for_each_lane(present_, [&](unsigned lane) {
      add("<text class=\"lane\" data-lane=\"{2}\" x=\"{0:.1f}\" y=\"{1:.1f}\">{2}</text>\n", x_of(lane), y_, lane);
    });
    y_ += 5;
  }

  void add_label(const trace& run, const trace_step& step) {
    const std::string warp = run.warps() > 1 ? fmt::format("warp {}  ", step.warp) : "";
    add("<text class=\"name\" x=\"{:.0f}\" y=\"{:.1f}\">{}  {}{}</text>\n", page_margin, y_ + 12, step_ + 1, warp,
        escaped(step.operation));
    const std::string file = step.file.substr(step.file.rfind('/') + 1);
    std::string detail = step.line == 0 ? "" : fmt::format("{}:{}", file, step.line);
    add("<text class=\"note\" x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n", page_margin, y_ + 24, escaped(detail));
    std::string pattern = !step.memory.empty() ? step.memory : pattern_text(step.pattern, run.warp_size);
    const bool is_exchange = step.pattern.shape == movement_pattern::kind::exchange;
    if (is_exchange && std::has_single_bit(step.pattern.amount))
      pattern += fmt::format(": bit {}", std::countr_zero(step.pattern.amount));
    if (!pattern.empty())
      add("<text class=\"note\" x=\"{:.0f}\" y=\"{:.1f}\">{}{}</text>\n", page_margin, y_ + 36,
          step.memory.empty() ? "&#8592; " : "", escaped(pattern));
    if (step.mask != 0)
      add("<text class=\"note\" x=\"{:.0f}\" y=\"{:.1f}\">mask {:#x}</text>\n", page_margin, y_ + 48, step.mask);
  }

  void add_step(const trace& run, const trace_step& step, const scan_cover& cover) {
    y_ += gap;
    const std::size_t begin = text_.size();
    const double top = y_;
    add("<g class=\"step\" data-step=\"{}\">\n", step_);
    add_label(run, step);
    if (step.kind == step_kind::collective) {
      add_collective(step, cover);
    } else if (step.kind == step_kind::barrier) {
      add_bus(step, y_ + 10);
      y_ += 20;
    } else {
      add_access(step);
    }
    y_ = std::max(y_, top + (step.mask != 0 ? 54 : step.kind == step_kind::barrier ? 28 : 42));
    add("</g>\n");
    if (step_ % 2 == 0) {
      text_.insert(
          begin,
          fmt::format("<rect class=\"band\" x=\"4\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", top - gap / 2,
                      label_width + column_ * std::popcount(present_) - 4 + page_margin / 2, y_ - top + gap));
    }
  }

  /// A value in a box, or the sign of a lane that is not there.
  void add_cell(const trace_step& step, unsigned lane, const lane_value& value, double top, std::string_view look) {
    if ((shown_ >> lane & 1) == 0) return;
    const lane_part& part = step.lanes[lane];
    if (part.state != lane_state::active) return add_absence(part.state, x_of(lane), top + cell_ / 2);
    const bool is_set = step.movement == WARPZ_VOTES && step.kind == step_kind::collective;
    const bool is_yes = is_set && value.bits == 1;
    const std::string text = short_text(value, step.type);
    add_box(x_of(lane), top, text,
            value.is_undefined ? "undefined"
            : is_yes           ? "yes"
                               : look,
            fmt::format(" data-lane=\"{}\"", lane));
  }

  /// A box with a text. `of_lane`: an attribute that says whose it is.
  void add_box(double x, double top, std::string_view text, std::string_view look, std::string_view of_lane = {}) {
    const double left = x - column_ / 2 + 1, width = column_ - 2, middle = top + cell_ / 2;
    add("<path class=\"cell {}\"{} d=\"M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z\"/>", look, of_lane, left, top, width,
        cell_, width);
    const std::string turn = is_turned_ ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, middle) : "";
    add("<text class=\"v {}\"{} x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", look, turn, x, middle + 3.4, text);
  }

  void add_absence(lane_state state, double x, double y) {
    switch (state) {
      case lane_state::inactive:
        add("<circle class=\"away\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n", x, y);
        break;
      case lane_state::returned:
        add("<path class=\"away\" d=\"M{:.1f} {:.1f}l6 6m0 -6l-6 6\"/>\n", x - 3, y - 3);
        break;
      case lane_state::unnamed:
        add("<path class=\"away\" d=\"M{:.1f} {:.1f}h7\"/>\n", x - 3.5, y);
        break;
      default:
        break;
    }
  }

  void add_cells(const trace_step& step, lane_value lane_part::*which, std::string_view look) {
    for (unsigned lane = 0; lane < step.lanes.size(); ++lane) add_cell(step, lane, step.lanes[lane].*which, y_, look);
    y_ += cell_;
  }

  /// An arrow of a curve that leaves and arrives straight. `what` are its attributes.
  void add_curve(double from, double to, double top, double height, unsigned distance, std::string_view what) {
    const unsigned colour = std::min<unsigned>(distance == 0 ? 0 : static_cast<unsigned>(std::bit_width(distance)) - 1,
                                               std::size(distance_colours) - 1);
    const double across = to - from;
    add("<path class=\"arrow d{}\" {} d=\"M{:.1f} {:.1f}c0 {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\"/>\n", colour, what,
        from, top, height * 0.45, across, height * 0.55, across, height - 0.5);
  }

  void add_collective(const trace_step& step, const scan_cover& cover) {
    if (step.movement == WARPZ_MEETS) {
      add_bus(step, y_ + 10);
      y_ += 20;
      return;
    }
    add_cells(step, &lane_part::before, "in");
    const double top = y_;
    switch (step.movement) {
      case WARPZ_VOTES:
        return add_vote(step);
      case WARPZ_MATCHES:
        return add_match(step);
      case WARPZ_COMBINES:
        add_bus(step, y_ + 14);
        y_ += 28;
        break;
      default:
        y_ += room_for(step);
        add_arrows(step, top, y_ - top);
    }
    add_cells(step, &lane_part::after, "out");
    if (cover.is_of_scan()) add_cover(cover);
  }

  /// The farther arrows go, the higher the band.
  double room_for(const trace_step& step) const {
    unsigned farthest = 0;
    for (unsigned lane = 0; lane < step.lanes.size(); ++lane) {
      const unsigned source = step.lanes[lane].source.value_or(lane);
      farthest = std::max(farthest, source > lane ? source - lane : lane - source);
    }
    return farthest == 0 ? 18 : arrow_room + 1.6 * std::min(farthest, 32U);
  }

  void add_arrows(const trace_step& step, double top, double height) {
    for_each_lane(present_, [&](unsigned lane) {
      const lane_part& part = step.lanes[lane];
      if (!part.source) return;
      // A value of its own goes straight down and is no arrow.
      if (part.source == lane) {
        add("<path class=\"own\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/><rect x=\"{3:.1f}\" y=\"{4:.1f}\" width=\"4\" "
            "height=\"4\" fill=\"#777\"/>\n",
            x_of(lane), top, top + height, x_of(lane) - 2, top + height / 2 - 2);
        return;
      }
      const unsigned source = *part.source, distance = source > lane ? source - lane : lane - source;
      add_curve(x_of(source), x_of(lane), top, height, distance,
                fmt::format("data-from=\"{}\" data-to=\"{}\"", source, lane));
    });
  }

  void add_bus(const trace_step& step, double y) {
    const std::uint64_t lanes = step.lanes_in(lane_state::active) & present_;
    if (lanes == 0) return;
    const auto first = static_cast<unsigned>(std::countr_zero(lanes)),
               last = 63 - static_cast<unsigned>(std::countl_zero(lanes));
    add("<path class=\"bus\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", x_of(first) - column_ / 2 + 1, y,
        x_of(last) + column_ / 2 - 1);
    for_each_lane(present_, [&](unsigned lane) {
      const lane_state state = step.lanes[lane].state;
      if (state != lane_state::active) return add_absence(state, x_of(lane), y);
      add("<path class=\"own\" d=\"M{:.1f} {:.1f}v18\"/>\n", x_of(lane), y - 9);
    });
  }

  /// The bits of the vote, which all lanes get.
  void add_vote(const trace_step& step) {
    const std::uint64_t lanes = step.lanes_in(lane_state::active);
    add_bus(step, y_ + 12);
    y_ += 24;
    const std::uint64_t result = lanes == 0 ? 0 : step.lanes[static_cast<unsigned>(std::countr_zero(lanes))].after.bits;
    const double cell = std::exchange(cell_, upright_cell);
    const bool turned = std::exchange(is_turned_, false);
    for_each_lane(present_, [&](unsigned lane) {
      const bool is_yes = (result >> lane & 1) != 0;
      add_box(x_of(lane), y_, is_yes ? "1" : "0", is_yes ? "yes" : "out");
    });
    add("<text class=\"note\" x=\"{:.0f}\" y=\"{:.1f}\">all get {:#x}</text>\n", page_margin, y_ + 12, result);
    cell_ = cell;
    is_turned_ = turned;
    y_ += upright_cell;
  }

  /// A line for each set of lanes that have the same value.
  void add_match(const trace_step& step) {
    std::map<std::uint64_t, std::uint64_t> sets;
    for_each_lane(step.lanes_in(lane_state::active) & present_,
                  [&](unsigned lane) { sets[step.lanes[lane].before.bits] |= std::uint64_t{1} << lane; });
    y_ += 8;
    for (const auto& [value, lanes] : sets) {
      const auto first = static_cast<unsigned>(std::countr_zero(lanes)),
                 last = 63 - static_cast<unsigned>(std::countl_zero(lanes));
      add("<path class=\"bus\" stroke-width=\"1\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", x_of(first), y_, x_of(last));
      for_each_lane(lanes,
                    [&](unsigned lane) { add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", x_of(lane), y_); });
      add("\n");
      y_ += 9;
    }
  }

  /// Which lanes' operands each lane's value holds so far.
  void add_cover(const scan_cover& cover) {
    y_ += 5;
    double lowest = y_;
    for_each_lane(present_, [&](unsigned lane) {
      const auto [first, last] = cover.of(lane);
      const double y = y_ + (column_ < 18 ? 1.5 : 1.9) * lane;
      lowest = std::max(lowest, y);
      add("<path class=\"cover\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", x_of(first) - 3, y, x_of(last) + 3);
    });
    add("<text class=\"note\" x=\"{:.0f}\" y=\"{:.1f}\">covers after it</text>\n", label_width - 104, y_ + 6);
    y_ = lowest + 3;
  }

  /// Loads and stores. Where elements are not in the order of the lanes, arrows lead to or from them.
  void add_access(const trace_step& step) {
    const std::uint64_t lanes = step.lanes_in(lane_state::active);
    std::int64_t least = 0, most = 0;
    bool is_in_order = true, any = false;
    for_each_lane(lanes, [&](unsigned lane) {
      const std::int64_t index = step.lanes[lane].index;
      const auto first = static_cast<unsigned>(std::countr_zero(lanes));
      is_in_order = is_in_order && index - step.lanes[first].index ==
                                       static_cast<std::int64_t>(lane) - static_cast<std::int64_t>(first);
      least = any ? std::min(least, index) : index;
      most = any ? std::max(most, index) : index;
      any = true;
    });
    const auto size = static_cast<std::int64_t>(step.lanes.size());
    least -= least % size < 0 ? least % size + size : least % size;
    const bool has_elements = !is_in_order && most - least < size;
    const bool is_load = step.kind == step_kind::load;
    if (has_elements && is_load) add_elements(step, lanes, least);
    if (step.kind == step_kind::atomic) {
      add_cells(step, &lane_part::before, "memory");
      y_ += 3;
    }
    add_cells(step, &lane_part::after, is_load ? "out" : "in");
    if (has_elements && !is_load) add_elements(step, lanes, least);
    if (is_in_order && any) {
      const auto first = static_cast<unsigned>(std::countr_zero(lanes));
      add("<text class=\"note\" x=\"{:.1f}\" y=\"{:.1f}\">[{}]</text>\n", x_of(first) - column_ / 2 + 1, y_ + 9,
          step.lanes[first].index);
      y_ += 10;
    }
  }

  void add_elements(const trace_step& step, std::uint64_t lanes, std::int64_t least) {
    const bool is_load = step.kind == step_kind::load;
    const double top = y_, height = arrow_room + 20;
    std::map<std::int64_t, lane_value> elements;
    for_each_lane(lanes & present_,
                  [&](unsigned lane) { elements[step.lanes[lane].index - least] = step.lanes[lane].after; });
    const double row = is_load ? top : top + height;
    const double arrows = is_load ? top + 14 : top;
    for (const auto& [place, value] : elements) {
      const double x = x_of(static_cast<unsigned>(place));
      add("<text class=\"lane\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, is_load ? row + 9 : row + 10, place + least);
    }
    for_each_lane(lanes & present_, [&](unsigned lane) {
      const auto place = static_cast<unsigned>(step.lanes[lane].index - least);
      const unsigned distance = place > lane ? place - lane : lane - place;
      const std::string attributes = fmt::format("data-lane=\"{}\" data-index=\"{}\"", lane, step.lanes[lane].index);
      add_curve(x_of(is_load ? place : lane), x_of(is_load ? lane : place), arrows, height - 14, distance, attributes);
    });
    y_ += height + (is_load ? 0 : 14);
  }

  void add_legend() {
    y_ += 26;
    double x = page_margin;
    const auto entry = [&](std::string_view text, auto draw) {
      draw(x + 8, y_ - 3);
      add("<text class=\"note\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 22, y_, text);
      x += 30 + static_cast<double>(text.size()) * 6;
      if (x > width_ - 90) {
        x = page_margin;
        y_ += 16;
      }
    };
    const auto absence = [&](lane_state state) {
      return [this, state](double at, double y) { add_absence(state, at, y); };
    };
    entry("elsewhere", absence(lane_state::inactive));
    entry("returned", absence(lane_state::returned));
    entry("not in the mask", absence(lane_state::unnamed));
    entry("keeps its own", [&](double at, double y) {
      add("<path class=\"own\" d=\"M{0:.1f} {1:.1f}v12\"/><rect x=\"{2:.1f}\" y=\"{3:.1f}\" width=\"4\" height=\"4\" "
          "fill=\"#777\"/>\n",
          at, y - 6, at - 2, y - 2);
    });
    entry("undefined", [&](double at, double y) {
      add("<rect class=\"cell undefined\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"12\" rx=\"2.5\"/>\n", at - 7,
          y - 6);
    });
    for (std::size_t i = 0; i < std::size(distance_colours); ++i) {
      const unsigned from = 1U << i;
      const std::string text = i + 1 == std::size(distance_colours) ? fmt::format("{} lanes or more", from)
                               : i == 0                             ? "1 lane away"
                                                                    : fmt::format("{}", from);
      entry(text, [&](double at, double y) {
        add("<path d=\"M{:.1f} {:.1f}h14\" stroke=\"{}\" stroke-width=\"2.4\"/>\n", at - 7, y, distance_colours[i]);
      });
    }
    y_ += 4;
  }

  const std::vector<trace>& all_;
  const std::uint64_t shown_;
  std::uint64_t present_ = 0;  ///< the lanes that have a column
  std::string text_;
  std::size_t step_ = 0;
  double y_ = 0, width_ = 640;
  double column_ = 0, cell_ = 0;
  bool is_turned_ = false;
};

}  // namespace

std::string trace_svg(const std::vector<trace>& all, std::uint64_t shown) { return svg_writer(all, shown).write(); }

}  // namespace warpz
