// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "trace/svg_steps.hpp"

namespace warpz {
namespace {

/// An element of memory in the picture.
struct element {
  std::int64_t index = 0;
  double x = 0;                       ///< the middle of its cell
  lane_value value;                   ///< after the step
  std::optional<last_writer> writer;  ///< who wrote what is loaded
  const racing_element* race = nullptr;
};

class access_drawing {
 public:
  access_drawing(svg_drawing& on, const trace_step& step)
      : on_(on), step_(step), lanes_(step.lanes_in(lane_state::active)) {
    place_elements();
  }

  void draw() {
    const bool is_load = step_.kind == step_kind::load;
    const bool wants_cells = step_.is_change() ? is_crowded() : step_.is_shared;
    const bool has_cells = !elements_.empty() && (wants_cells || !step_.races.empty());
    const bool has_elements = has_cells || (!elements_.empty() && !is_in_order());
    if (is_load && has_elements) {
      draw_elements(has_cells);
      draw_arrows();
    }
    draw_lanes();
    if (!is_load && has_elements) {
      draw_arrows();
      draw_elements(has_cells);
    }
    if (!has_elements && shown() != 0 && !step_.is_single_value) {
      // They go on from the first to the last.
      const auto first = static_cast<unsigned>(std::countr_zero(shown())),
                 last = 63 - static_cast<unsigned>(std::countl_zero(shown()));
      on_.row_label(on_.y() + 9, "element");
      draw_index(first);
      if (last != first) draw_index(last);
      on_.move_down(10);
    }
  }

 private:
  /// Whether each lane's element is as far from its number as the others'.
  bool is_in_order() const {
    if (lanes_ == 0) return true;
    const auto first = static_cast<unsigned>(std::countr_zero(lanes_));
    bool is = true;
    for_each_lane(lanes_, [&](unsigned lane) {
      is = is && step_.lanes[lane].index - step_.lanes[first].index ==
                     static_cast<std::int64_t>(lane) - static_cast<std::int64_t>(first);
    });
    return is;
  }

  /// Whether lanes change one element one after the other.
  bool is_crowded() const {
    return step_.kind != step_kind::load && elements_.size() < static_cast<std::size_t>(std::popcount(shown()));
  }

  std::uint64_t shown() const { return lanes_ & on_.present(); }

  /// Each element as near to the middle of its lanes as the others leave room, in their order.
  void place_elements() {
    std::map<std::int64_t, std::vector<unsigned>> users;
    for_each_lane(shown(), [&](unsigned lane) { users[step_.lanes[lane].index].push_back(lane); });
    double end = svg_drawing::label_width;
    for (const auto& [index, lanes] : users) {
      element each;
      each.index = index;
      for (const unsigned lane : lanes) each.x += on_.x_of(lane) / static_cast<double>(lanes.size());
      each.x = std::max(each.x, end + on_.column() / 2);
      end = each.x + on_.column() / 2;
      unsigned last = lanes.front();
      for (const unsigned lane : lanes) last = step_.lanes[lane].turn >= step_.lanes[last].turn ? lane : last;
      each.value = step_.lanes[last].after;
      each.writer = step_.lanes[last].writer;
      const auto race = std::find_if(step_.races.begin(), step_.races.end(),
                                     [&](const racing_element& one) { return one.index == each.index; });
      if (race != step_.races.end()) each.race = &*race;
      elements_.push_back(each);
    }
    double begin = on_.width();
    for (std::size_t i = elements_.size(); i-- > 0;) {
      elements_[i].x = std::min(elements_[i].x, begin - on_.column() / 2);
      begin = elements_[i].x - on_.column() / 2;
    }
  }

  void draw_index(unsigned lane) {
    const std::string text = std::to_string(step_.lanes[lane].index);
    const double least = svg_drawing::label_width + static_cast<double>(text.size()) * svg_drawing::letter / 2;
    on_.note(std::max(on_.x_of(lane), least), on_.y() + 9, text, "lane");
  }

  void draw_lanes() {
    if (step_.is_change()) {
      on_.lane_row("before", step_, &lane_part::before, "memory");
      on_.move_down(3);
      on_.lane_row("after", step_, &lane_part::after, "in");
    } else if (step_.kind == step_kind::load) {
      on_.lane_row("got", step_, &lane_part::after, "out");
    } else {
      on_.lane_row("gave", step_, &lane_part::after, "in");
    }
    if (step_.kind == step_kind::atomic && std::popcount(shown()) > 1) {
      on_.row_label(on_.y() + 10, "turn");
      for_each_lane(shown(), [&](unsigned lane) {
        on_.note(on_.x_of(lane), on_.y() + 10, std::to_string(step_.lanes[lane].turn + 1), "lane");
      });
      on_.move_down(13);
    }
  }

  void draw_arrows() {
    const bool is_load = step_.kind == step_kind::load;
    bool is_straight = true;
    for_each_lane(shown(), [&](unsigned lane) { is_straight = is_straight && at(lane).x == on_.x_of(lane); });
    const double height = is_straight ? 18 : 52;
    for_each_lane(shown(), [&](unsigned lane) {
      const double place = at(lane).x, own = on_.x_of(lane);
      const auto distance = static_cast<unsigned>(std::lround(std::fabs(place - own) / on_.column()));
      on_.arrow(is_load ? place : own, is_load ? own : place, on_.y(), height, distance,
                fmt::format(" data-lane=\"{}\" data-index=\"{}\"", lane, step_.lanes[lane].index));
    });
    on_.move_down(height);
  }

  const element& at(unsigned lane) const {
    const std::int64_t index = step_.lanes[lane].index;
    return *std::lower_bound(elements_.begin(), elements_.end(), index,
                             [](const element& each, std::int64_t wanted) { return each.index < wanted; });
  }

  void draw_elements(bool has_cells) {
    const bool is_load = step_.kind == step_kind::load;
    if (!is_load) {
      if (has_cells) draw_cells();
      draw_races();
      draw_indexes();
    } else {
      draw_writers();
      draw_indexes();
      draw_races();
      if (has_cells) draw_cells();
    }
  }

  void draw_indexes() {
    if (step_.is_single_value) return;
    std::vector<svg_drawing::placed_word> numbers;
    for (const element& each : elements_) numbers.push_back({each.x, std::to_string(each.index)});
    on_.word_row("element", numbers);
  }

  void draw_cells() {
    on_.begin_row("memory");
    for (const element& each : elements_) {
      const std::string_view look = each.value.is_undefined ? "undefined" : "";
      on_.box(each.x, short_text(each.value, step_.type), each.race != nullptr ? "race" : look,
              fmt::format(" data-index=\"{}\"", each.index));
    }
    on_.end_row();
  }

  void draw_writers() {
    const bool any =
        std::any_of(elements_.begin(), elements_.end(), [](const element& each) { return each.writer.has_value(); });
    if (!any || !step_.is_shared) return;
    std::vector<svg_drawing::placed_word> numbers;
    for (const element& each : elements_)
      numbers.push_back({each.x, each.writer ? std::to_string(each.writer->thread) : "-"});
    on_.word_row("written by thread", numbers);
  }

  /// The other access of each race comes from the far side of the cell.
  void draw_races() {
    if (std::none_of(elements_.begin(), elements_.end(), [](const element& each) { return each.race != nullptr; }))
      return;
    const bool is_load = step_.kind == step_kind::load;
    constexpr double height = 16;
    const double words = on_.y() + (is_load ? 10 : height + 10), top = on_.y() + (is_load ? 13 : height);
    on_.note(svg_drawing::label_width - 6, words, "also by thread", "found row-label");
    for (const element& each : elements_) {
      if (each.race == nullptr) continue;
      on_.note(each.x, words, std::to_string(each.race->other_thread), "found lane");
      on_.add("<path class=\"arrow race\" data-thread=\"{}\" data-index=\"{}\" d=\"M{:g} {:g}v{:g}\"/>\n",
              each.race->other_thread, each.index, tenth(each.x), tenth(top), is_load ? height - 2 : 2 - height);
    }
    on_.move_down(height + 13);
  }

  svg_drawing& on_;
  const trace_step& step_;
  const std::uint64_t lanes_;
  std::vector<element> elements_;  ///< those that lanes with a column access, in ascending order
};

}  // namespace

void draw_access(svg_drawing& on, const trace_step& step) { access_drawing(on, step).draw(); }

}  // namespace warpz
