// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/pixel_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "compile/command.hpp"
#include "compile/temp_dir.hpp"
#include "error.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"
#include "trace/svg_style.hpp"

namespace warpz {
namespace {

constexpr std::string_view drawer = "rsvg-convert";
/// ImageMagick's program, as version 7 or 6 calls it.
constexpr std::string_view joiners[] = {"magick", "convert"};

std::string joiner() {
  for (const std::string_view each : joiners) {
    if (std::string found = find_program(each); !found.empty()) return found;
  }
  return {};
}

/// Twice as many pixels as units where the picture is not too high for that.
double zoom_for(const std::string& svg) {
  constexpr double sharp = 2, largest = 32767;  // pixels of a side that it draws
  const std::size_t at = svg.find(" height=\"");
  const double height = at == std::string::npos ? 1 : std::strtod(svg.c_str() + at + 9, nullptr);
  return std::min(sharp, std::floor(100 * largest / std::max(height, 1.0)) / 100);
}

/// Runs the program, and returns what it has written to `result`.
std::string made_by(const temp_dir& folder, std::vector<std::string> words, const std::string& result) {
  const std::string name = words.front().substr(words.front().rfind('/') + 1);
  const command_end ended = run_command(folder.command_in({std::move(words), {}}));
  std::optional<std::string> content = os::content_of(result);
  if (ended.succeeded() && content && !content->empty()) return std::move(*content);
  throw error(exit_code::bad_input, fmt::format("--trace: {} failed: {}", name, printable(ended.output, 500)),
              "--steps and --lanes draw less of it, --trace svg and --trace animation the same.");
}

/// Draws the picture to a file of the folder.
std::string drawn(const temp_dir& folder, const std::string& svg, const std::string& file, double zoom) {
  folder.write("lanes.svg", svg);
  return made_by(folder,
                 {find_program(drawer), fmt::format("--zoom={:g}", zoom), "--output", file, folder.file("lanes.svg")},
                 file);
}

}  // namespace

void check_pixel_programs(trace_format format) {
  if (format != trace_format::png && format != trace_format::gif) return;
  if (find_program(drawer).empty()) {
    throw error(exit_code::bad_input, fmt::format("--trace: there is no {}", drawer),
                "Install librsvg2-bin (Fedora: librsvg2-tools, Arch: librsvg). --trace svg draws the same.");
  }
  if (format == trace_format::gif && joiner().empty()) {
    throw error(exit_code::bad_input, "--trace gif: there is no magick or convert",
                "Install imagemagick (Fedora: ImageMagick). --trace animation draws the same.");
  }
}

std::string png_of(const std::string& svg) {
  const temp_dir folder;
  return drawn(folder, svg, folder.file("lanes.png"), zoom_for(svg));
}

std::string gif_of(std::span<const std::string> svgs) {
  const temp_dir folder;
  constexpr int hundredths = 100;
  std::vector<std::string> words{joiner(), "-loop", "0", "-delay", fmt::format("{:.0f}", hundredths * seconds_of_step)};
  for (std::size_t i = 0; i < svgs.size(); ++i) {
    const std::string file = folder.file(fmt::format("{}.png", i));
    drawn(folder, svgs[i], file, std::min(1.0, zoom_for(svgs[i])));
    if (i + 1 == svgs.size())
      words.insert(words.end(), {"-delay", fmt::format("{:.0f}", hundredths * (seconds_of_step + seconds_at_end))});
    words.push_back(file);
  }
  words.insert(words.end(), {"-layers", "Optimize", folder.file("lanes.gif")});
  return made_by(folder, std::move(words), folder.file("lanes.gif"));
}

}  // namespace warpz
