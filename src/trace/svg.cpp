// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "trace/markup.hpp"
#include "trace/scan_cover.hpp"
#include "trace/svg_drawing.hpp"
#include "trace/svg_legend.hpp"
#include "trace/svg_steps.hpp"
#include "trace/svg_style.hpp"

namespace warpz {
namespace {

constexpr double gap = 10;              ///< between steps
constexpr double barrier_row = 20;      ///< the height of a warp's row at a barrier
constexpr double least_width = 660;     ///< which the legend takes
constexpr std::size_t label_room = 23;  ///< letters of a step's label
constexpr std::size_t label_room_beside_race = 16;

class svg_writer {
 public:
  svg_writer(const std::vector<trace>& all, std::uint64_t shown) : all_(all), on_(shown) {
    for (std::size_t i = 0; i < all_.size(); ++i) add_run(i);
    draw_legend(on_, width_);
  }

  /// The largest number that a step's group has.
  std::size_t last_step() const { return last_step_; }

  /// With further definitions behind its own.
  std::string picture(std::string_view style = {}) const {
    const double width = width_ + svg_drawing::margin, height = on_.y() + svg_drawing::margin;
    return fmt::format(
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
               "data-labels=\"{3:g}\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
               "role=\"img\">\n<title>{2}</title>\n"
               "<desc>Lanes from left to right, steps from top to bottom; arrows go from the lane that gives a value "
               "to "
               "the lanes that get it.</desc>\n",
               width, height, escaped(all_.empty() ? "" : all_.front().kernel), svg_drawing::label_width) +
           svg_style(on_) + std::string(style) + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" +
           on_.text() + "</svg>\n";
  }

 private:
  void add_run(std::size_t number) {
    const trace& run = all_[number];
    on_.begin_run(run);
    width_ = std::max(width_, on_.width());
    on_.move_down(svg_drawing::margin + 12);
    on_.add("<g class=\"run\" data-run=\"{}\">\n", number);
    on_.note(svg_drawing::margin, on_.y(), escaped(run.kernel), "title");
    on_.move_down(16);
    on_.note(svg_drawing::margin, on_.y(), run_text(run));
    if (run.is_cut) {
      on_.move_down(svg_drawing::line);
      on_.note(svg_drawing::margin, on_.y(), other_steps_text(run));
    }
    on_.move_down(8);
    add_steps(run);
    if (run.left_out != 0) {
      on_.move_down(16);
      on_.note(svg_drawing::margin, on_.y(), fmt::format("{} more events of lanes were not recorded.", run.left_out));
    }
    on_.add("</g>\n");
  }

  static std::string run_text(const trace& run) {
    std::string text = launch_text(run) + fmt::format("block {}", run.block[0]);
    if (run.grid[1] != 1 || run.grid[2] != 1)
      text = launch_text(run) + fmt::format("block ({}, {}, {})", run.block[0], run.block[1], run.block[2]);
    text += fmt::format(", {} threads, {} lanes in a warp{}", run.threads, run.warp_size, order_text(run));
    const std::string steps = steps_text(run);
    return steps.empty() ? text : text + ", " + steps;
  }

  void add_steps(const trace& run) {
    const scan_cover cover(run);
    std::optional<unsigned> warp;  // whose band it is
    std::optional<double> numbers_end;
    const std::vector<std::size_t> shown = run.shown();
    for (std::size_t at = 0, end = 0; at < shown.size(); at = end) {
      const std::size_t number = shown[at], group_end = end_of_group(run, number);
      const trace_step& step = run.steps[number];
      for (end = at + 1; end < shown.size() && shown[end] < group_end;) ++end;
      const std::span group(shown.begin() + static_cast<std::ptrdiff_t>(at), end - at);
      last_step_ = std::max(last_step_, end - 1);
      if (step.kind == step_kind::barrier && run.warps() > 1) {
        add_barrier(run, group, at);
        continue;
      }
      const bool is_new_warp = warp != step.warp;
      warp = step.warp;
      if (is_new_warp && run.warps() > 1) add_warp(run, step.warp);
      if (!numbers_end) {
        on_.lane_numbers();
        numbers_end = on_.y();
      } else if (is_new_warp) {
        on_.move_down(19);
      }
      add_step(run, group, at, cover);
    }
    if (numbers_end) on_.guides(*numbers_end);
  }

  /// Begins the band of a warp.
  void add_warp(const trace& run, unsigned warp) {
    const unsigned first = warp * run.warp_size, last = std::min(first + run.warp_size, run.threads) - 1;
    on_.move_down(18);
    on_.use(sign::warp);
    on_.add("<rect class=\"warp\" x=\"4\" y=\"{:g}\" width=\"{:g}\" height=\"3\"/>\n", tenth(on_.y()),
            on_.width() - 4 + svg_drawing::margin / 2);
    // On the line of the lanes' numbers.
    const std::string name = fmt::format("warp {}", warp);
    on_.note(svg_drawing::margin, on_.y() + 16, name, "name");
    on_.note(svg_drawing::margin + 5 + 6.7 * static_cast<double>(name.size()), on_.y() + 16,
             fmt::format("threads {}..{}", first, last));
    on_.move_down(2);
  }

  /// Draws the last of several steps that are the same. The first of them is number `at` of those that are shown.
  void add_step(const trace& run, std::span<const std::size_t> group, std::size_t at, const scan_cover& cover) {
    const trace_step& step = run.steps[group.back()];
    on_.begin_step(step);
    on_.move_down(gap);
    const std::size_t begin = on_.place();
    const double top = on_.y();
    on_.add("<g class=\"step\" data-step=\"{}\" data-first=\"{}\">\n", at + group.size() - 1, at);
    const double label_end = add_label(run, group.front(), group.back());
    if (step.kind == step_kind::collective) {
      draw_collective(on_, step, cover.after(group.back()));
    } else if (step.kind == step_kind::barrier) {
      on_.bus(step, on_.y() + 10);
    } else {
      draw_access(on_, step);
    }
    on_.move_to(std::max(on_.y(), label_end));
    on_.add("</g>\n");
    if (!step.finding.empty()) on_.insert(begin, bar("mark", top, 3));
    if (is_dark_ = !is_dark_; is_dark_) on_.insert(begin, bar("band", top, on_.width() - 4 + svg_drawing::margin / 2));
  }

  /// Behind a step that ends here.
  std::string bar(std::string_view look, double top, double width) {
    if (look == "mark") on_.use(sign::found_step);
    return fmt::format("<rect class=\"{}\" x=\"4\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"/>\n", look,
                       tenth(top - gap / 2), width, tenth(on_.y() - top + gap));
  }

  /// Returns where it ends.
  double add_label(const trace& run, std::size_t first, std::size_t number) {
    const trace_step& step = run.steps[number];
    double y = on_.y() + svg_drawing::line;
    const auto add_line = [&](std::string_view words, std::string_view look = "note") {
      if (words.empty()) return;
      y += svg_drawing::line;
      on_.note(svg_drawing::margin, y, words, look);
    };
    const std::string name = fmt::format("{}  {}", numbers_text(first, number), step.operation);
    // A long name is broken after its class.
    constexpr std::size_t room = 26;
    const std::size_t end = name.size() > room ? name.rfind("::") : std::string::npos;
    on_.note(svg_drawing::margin, y, escaped(name.substr(0, end)), "name");
    if (end != std::string::npos) add_line(escaped(name.substr(end)), "name");
    add_line(escaped(place_text(step)));
    if (first != number) add_line(fmt::format("{} times; the last", number - first + 1));
    add_line(step.memory.empty() ? pattern_note(step, run.warp_size) : escaped(memory_text(step)));
    if (step.mask != 0) add_line(fmt::format("mask {:#x}", step.mask));
    add_line(writers_text(step));
    add_line(end_text(step.end), "found");
    if (!step.finding.empty()) add_line(found_text(step), "found");
    if (!step.races.empty()) {
      const std::size_t other = step.races.front().other_step;
      add_line(other == number ? "its lanes race" : fmt::format("races with step {}", other + 1), "found");
    }
    return y + 6;
  }

  static std::string found_text(const trace_step& step) { return "&#9650; " + escaped(step.finding); }

  /// "7", "14-37".
  static std::string numbers_text(std::size_t first, std::size_t last) {
    return first == last ? std::to_string(first + 1) : fmt::format("{}-{}", first + 1, last + 1);
  }

  /// What there is room for beside the names of rows. The end says more.
  static std::string end_of(const std::string& words, std::size_t room = label_room) {
    return words.size() <= room ? words : "..." + words.substr(words.size() - room + 3);
  }

  static std::string memory_text(const trace_step& step) {
    const std::size_t room = step.races.empty() ? label_room : label_room_beside_race;
    if (!step.is_shared || step.memory.ends_with("shared memory")) return end_of(step.memory, room);
    const std::string whole = step.memory + ", shared memory";
    if (whole.size() <= room) return whole;
    const std::string_view kind = step.memory.size() + std::string_view(", shared").size() <= room ? ", shared" : "";
    return end_of(step.memory + std::string(kind), room);
  }

  static std::string place_text(const trace_step& step) {
    if (step.line == 0) return {};
    return end_of(fmt::format("{}:{}", step.file.substr(step.file.rfind('/') + 1), step.line));
  }

  static std::string pattern_note(const trace_step& step, unsigned warp_size) {
    std::string pattern = pattern_text(step.pattern, warp_size);
    if (pattern.empty()) return step.is_shared ? "shared memory" : "";
    const bool is_exchange = step.pattern.shape == movement_pattern::kind::exchange;
    if (is_exchange && std::has_single_bit(step.pattern.amount))
      pattern += fmt::format(": bit {}", std::countr_zero(step.pattern.amount));
    return "&#8592; " + escaped(pattern);
  }

  /// The steps that have written what a step reads from shared memory.
  static std::string writers_text(const trace_step& step) {
    std::set<std::size_t> steps;
    for (const lane_part& part : step.lanes) {
      if (step.is_shared && step.kind == step_kind::load && part.writer) steps.insert(part.writer->step + 1);
    }
    if (steps.empty()) return {};
    std::string text;
    for (const std::size_t each : steps) text += (text.empty() ? "from step " : ", ") + std::to_string(each);
    constexpr std::size_t room = 27;
    return text.size() <= room ? text : fmt::format("from steps {} to {}", *steps.begin(), *steps.rbegin());
  }

  /// The warps at a barrier, one below the other: the lines around all of them go across the picture.
  void add_barrier(const trace& run, std::span<const std::size_t> group, std::size_t at) {
    on_.move_down(14);
    const std::size_t place = on_.place();
    const double top = on_.y();
    add_barrier_line();
    for (const std::size_t number : group) {
      const trace_step& step = run.steps[number];
      on_.begin_step(step);
      on_.add("<g class=\"step\" data-step=\"{0}\" data-first=\"{0}\">\n", at++);
      if (number == group.front()) add_barrier_head(step);
      on_.note(svg_drawing::margin, on_.y() + barrier_row / 2 + 4, fmt::format("{}  warp {}", number + 1, step.warp),
               step.finding.empty() ? "note" : "found");
      on_.bus(step, on_.y() + barrier_row / 2);
      on_.move_down(barrier_row);
      on_.add("</g>\n");
    }
    on_.move_down(4);
    add_barrier_line();
    if (!run.steps[group.front()].finding.empty()) on_.insert(place, bar("mark", top + gap / 2, 3));
    on_.move_down(2);
  }

  void add_barrier_head(const trace_step& step) {
    on_.move_down(15);
    on_.note(svg_drawing::margin, on_.y(), escaped(step.operation), "name");
    const bool completes = step.end == step_end::completes;
    if (completes && step.finding.empty()) {
      on_.note(svg_drawing::label_width, on_.y(), "a barrier: all threads of the block come here before any goes on");
    } else {
      const std::string_view words = completes ? ": a barrier that not all threads of the block come to"
                                               : ": a barrier of the block that never completes";
      on_.note(svg_drawing::label_width, on_.y(), found_text(step).append(words), "found");
    }
    on_.note(svg_drawing::margin, on_.y() + svg_drawing::line, escaped(place_text(step)));
    on_.move_down(svg_drawing::line + 4);
  }

  void add_barrier_line() {
    on_.use(sign::barrier);
    on_.add("<path class=\"barrier\" d=\"M4 {:g}H{:g}\"/>\n", tenth(on_.y()), on_.width() + svg_drawing::margin / 2);
  }

  const std::vector<trace>& all_;
  svg_drawing on_;
  double width_ = least_width;
  std::size_t last_step_ = 0;
  bool is_dark_ = false;  ///< the last step's band
};

}  // namespace

std::string trace_svg(const std::vector<trace>& all, std::uint64_t shown) { return svg_writer(all, shown).picture(); }

std::string animated_svg(const std::vector<trace>& all, std::uint64_t shown) {
  const svg_writer writer(all, shown);
  return writer.picture(svg_motion(writer.last_step()));
}

std::vector<std::string> svg_frames(const std::vector<trace>& all, std::uint64_t shown) {
  const svg_writer writer(all, shown);
  std::vector<std::string> frames;
  for (std::size_t i = 0; i <= writer.last_step(); ++i)
    frames.push_back(writer.picture(svg_hiding(i + 1, writer.last_step())));
  return frames;
}

}  // namespace warpz
