// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/svg_style.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace warpz {
namespace {

/// A shape that does not depend on the colours.
constexpr std::string_view lines =
    "text{font:9.5px 'DejaVu Sans Mono',Menlo,Consolas,monospace}.row text,.lane{text-anchor:middle}"
    ".title{font-size:14px;font-weight:bold}.name{font-size:11px;font-weight:bold}.row-label{text-anchor:end}"
    ".found,.row text.undefined{font-weight:bold}.cell,.row path{stroke-width:.8}.row path.undefined{stroke-width:1.4}"
    ".row [data-found],.row .found-lane,.cell.found,.row path.race{stroke-width:2}"
    ".row path.race{stroke-dasharray:4 2}.arrow,.own,.away,.bus,.cover,.cell.found,.guide{fill:none}"
    ".arrow{stroke-width:1.3}.race.arrow{stroke-width:1.6}.own{stroke-dasharray:2 2}.away{stroke-width:1.1}"
    ".bus{stroke-width:2}.open{stroke-dasharray:6 4}.barrier{stroke-width:3}.guide{stroke-width:.5}";

struct palette {
  std::string_view paper, ink, soft, line, box, result, memory, band, grey, red, cover, warp;
  std::array<std::string_view, 6> distances;
};

constexpr palette day{"#fff",    "#111", "#444",    "#555",    "#fff",    "#e9eef6",       "#fdf2d0",
                      "#f6f6f6", "#777", "#b00020", "#a9782c", "#5c6470", distance_colours};
constexpr palette night{"#14161a",
                        "#e8eaee",
                        "#b4bbc6",
                        "#8b94a1",
                        "#14161a",
                        "#232c3d",
                        "#3a3214",
                        "#1b1e24",
                        "#8b94a1",
                        "#ff6b81",
                        "#d6a75c",
                        "#8b94a1",
                        {"#c98a1c", "#5fb760", "#4fc4be", "#74b1ee", "#b0a4f0", "#e4c9ff"}};

std::string colours(const palette& of, const svg_drawing& used) {
  std::string text = fmt::format(
      "text{{fill:{ink}}}.note,.lane,.numbers text{{fill:{soft}}}.paper{{fill:{paper}}}.cell,.row "
      "path{{fill:{box};stroke:{line}}}"
      ".out path{{fill:{result}}}.memory path{{fill:{memory}}}.row path.undefined{{fill:url(#hatch);stroke:{ink}}}"
      ".row text.undefined{{fill:{ink}}}.row path.yes{{fill:{ink}}}.row "
      "text.yes{{fill:{paper}}}text.found{{fill:{red}}}"
      ".row [data-found],.row .found-lane,.cell.found,.row "
      "path.race,.race.arrow{{stroke:{red}}}.mark,.tip-race{{fill:{red}}}"
      ".own,.away,.down,.guide{{stroke:{grey}}}.own-mark,.tip-down{{fill:{grey}}}.bus,.set,.barrier{{stroke:{ink}}}"
      ".dot{{fill:{ink}}}.cover{{stroke:{cover}}}.warp{{fill:{warp}}}.band{{fill:{band}}}"
      ".hatch{{stroke:{grey}}}",
      fmt::arg("paper", of.paper), fmt::arg("ink", of.ink), fmt::arg("soft", of.soft), fmt::arg("line", of.line),
      fmt::arg("box", of.box), fmt::arg("result", of.result), fmt::arg("memory", of.memory), fmt::arg("band", of.band),
      fmt::arg("grey", of.grey), fmt::arg("red", of.red), fmt::arg("cover", of.cover), fmt::arg("warp", of.warp));
  for (std::size_t i = 0; i < of.distances.size(); ++i) {
    if (used.uses(distance_sign(i))) text += fmt::format(".d{0}{{stroke:{1}}}.tip{0}{{fill:{1}}}", i, of.distances[i]);
  }
  return text;
}

/// The head of an arrow of this kind.
std::string tip(std::string_view name) {
  return fmt::format(
      "<marker id=\"tip{0}\" viewBox=\"0 0 6 6\" refX=\"5.4\" refY=\"3\" markerWidth=\"5\" markerHeight=\"5\" "
      "orient=\"auto\"><path class=\"tip{0}\" d=\"M0 0L6 3L0 6Z\"/></marker>\n",
      name);
}

}  // namespace

std::string svg_style(const svg_drawing& of) {
  std::string heads, tips;
  const auto add = [&](sign meaning, std::string_view arrow, std::string_view name) {
    if (!of.uses(meaning)) return;
    heads += fmt::format("{}{{marker-end:url(#tip{})}}", arrow, name);
    tips += tip(name);
  };
  for (std::size_t i = 0; i < day.distances.size(); ++i)
    add(distance_sign(i), fmt::format(".d{}", i), std::to_string(i));
  add(sign::element, ".down", "-down");
  add(sign::race, ".race.arrow", "-race");
  return fmt::format("<defs><style>{}{}{}@media (prefers-color-scheme:dark){{{}}}</style>\n", lines, heads,
                     colours(day, of), colours(night, of)) +
         (of.uses(sign::undefined)
              ? "<pattern id=\"hatch\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" "
                "patternTransform=\"rotate(45)\"><path class=\"paper\" d=\"M0 0h4v4h-4z\"/><path class=\"hatch\" "
                "stroke-width=\"1.6\" d=\"M0 0v4\"/></pattern>\n"
              : "") +
         tips + "</defs>\n";
}

std::string svg_hiding(std::size_t first, std::size_t last) {
  std::string steps;
  for (std::size_t i = first; i <= last; ++i) steps += fmt::format("{}[data-step=\"{}\"]", i == first ? "" : ",", i);
  return steps.empty() ? "" : fmt::format("<style>{}{{opacity:.12}}</style>\n", steps);
}

std::string svg_motion(std::size_t last) {
  const double seconds = seconds_of_step * static_cast<double>(last + 1) + seconds_at_end;
  std::string text = fmt::format(
      "<style class=\"motion\">@media (prefers-reduced-motion:no-preference){{.step{{animation:{:.1f}s step-end "
      "infinite}}",
      seconds);
  for (std::size_t i = 1; i <= last; ++i) {
    text += fmt::format(
        "@keyframes s{0}{{0%{{opacity:.12}}{1:.2f}%,100%{{opacity:1}}}}[data-step=\"{0}\"]{{animation-name:s{0}}}", i,
        100 * seconds_of_step * static_cast<double>(i) / seconds);
  }
  return text + "}</style>\n";
}

}  // namespace warpz
