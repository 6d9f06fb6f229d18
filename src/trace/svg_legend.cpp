// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/svg_legend.hpp"

#include <array>

namespace warpz {
namespace {

struct legend_entry {
  sign meaning;
  std::string_view words;
  std::string_view row;     ///< the look of the row in which the shape stands; empty: in none
  std::string_view look;    ///< the class of its first path
  std::string_view shape;   ///< that path, from its middle on
  std::string_view look_2;  ///< empty: it has no second path
  std::string_view shape_2;
};

constexpr std::string_view square = "m-7-6h14v12h-14z";
constexpr std::string_view dash = "m-7 0h14";

constexpr std::array entries{
    legend_entry{sign::elsewhere, "elsewhere", "", "away", "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0", "", ""},
    legend_entry{sign::returned, "returned", "", "away", "m-3-3l6 6m0-6l-6 6", "", ""},
    legend_entry{sign::unnamed, "not in the mask", "", "away", "m-3.5 0h7", "", ""},
    legend_entry{sign::keeps_own, "keeps its own", "", "own", "m0-6v12", "own-mark", "m-2-2h4v4h-4z"},
    legend_entry{sign::meeting, "lanes meet", "", "bus", dash, "own", "m0-8v16"},
    legend_entry{sign::last_step, "lanes go no further", "", "bus open", "m-9 0h18", "own", "m0-8v16"},
    legend_entry{sign::same_value, "the same value", "", "set", dash, "dot", "m-8 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0"},
    legend_entry{sign::cover, "lanes joined so far", "", "cover", "m-7-2h10m-10 2h12m-12 2h14", "", ""},
    legend_entry{sign::yes, "yes", "row", "yes", square, "", ""},
    legend_entry{sign::undefined, "undefined", "row", "undefined", square, "", ""},
    legend_entry{sign::shared_memory, "memory", "row memory", "", square, "", ""},
    legend_entry{sign::element, "a lane and its element", "", "arrow down", "m0-7v12", "", ""},
    legend_entry{sign::race, "another thread accesses it, unordered", "row memory", "race", square, "arrow race",
                 "m0 14v-7"},
    legend_entry{sign::found_lane, "found: this lane", "row", "found-lane", square, "", ""},
    legend_entry{sign::found_step, "found: this step", "", "mark", "m-1-7h3v14h-3z", "", ""},
    legend_entry{sign::barrier, "a barrier of the block", "", "barrier", dash, "", ""},
    legend_entry{sign::warp, "a warp's steps begin", "", "warp", "m-7-1h14v3h-14z", "", ""},
    legend_entry{sign::guide, "before each eighth lane", "", "guide", "m0-8v16", "", ""},
    legend_entry{sign::distance_1, "1 lane away", "", "arrow d0", dash, "", ""},
    legend_entry{sign::distance_2, "2-3 lanes", "", "arrow d1", dash, "", ""},
    legend_entry{sign::distance_4, "4-7 lanes", "", "arrow d2", dash, "", ""},
    legend_entry{sign::distance_8, "8-15 lanes", "", "arrow d3", dash, "", ""},
    legend_entry{sign::distance_16, "16-31 lanes", "", "arrow d4", dash, "", ""},
    legend_entry{sign::distance_32, "32 lanes or more", "", "arrow d5", dash, "", ""},
};
static_assert(entries.size() == signs);

void draw_entry(svg_drawing& on, const legend_entry& entry, double x) {
  const double middle = x + 9, y = on.y() - 3;
  on.add("<g class=\"entry\">");
  if (!entry.row.empty()) on.add("<g class=\"{}\">", entry.row);
  on.add("<path class=\"{}\" d=\"M{:g} {:g}{}\"/>", entry.look, tenth(middle), tenth(y), entry.shape);
  if (!entry.row.empty()) on.add("</g>");
  if (!entry.look_2.empty())
    on.add("<path class=\"{}\" d=\"M{:g} {:g}{}\"/>", entry.look_2, tenth(middle), tenth(y), entry.shape_2);
  on.note(x + 24, on.y(), entry.words);
  on.add("</g>\n");
}

}  // namespace

void draw_legend(svg_drawing& on, double width) {
  on.move_down(28);
  double x = svg_drawing::margin;
  on.add("<g class=\"legend\" data-top=\"{:g}\">\n", tenth(on.y() - 14));
  for (const legend_entry& entry : entries) {
    if (!on.uses(entry.meaning)) continue;
    const double entry_width = 34 + static_cast<double>(entry.words.size()) * svg_drawing::letter;
    if (x + entry_width > width) {
      x = svg_drawing::margin;
      on.move_down(20);
    }
    draw_entry(on, entry, x);
    x += entry_width;
  }
  on.add("</g>\n");
  on.move_down(6);
}

}  // namespace warpz
