// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/png_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "compile/command.hpp"
#include "compile/temp_dir.hpp"
#include "error.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::string_view converter = "rsvg-convert";

/// Twice as many pixels as units where the picture is not too high for that.
double zoom_for(const std::string& svg) {
  constexpr double sharp = 2, largest = 32767;  // pixels of a side that it draws
  const std::size_t at = svg.find(" height=\"");
  const double height = at == std::string::npos ? 1 : std::strtod(svg.c_str() + at + 9, nullptr);
  return std::min(sharp, std::floor(100 * largest / std::max(height, 1.0)) / 100);
}

}  // namespace

void check_png_program() {
  if (!find_program(converter).empty()) return;
  throw error(exit_code::bad_input, fmt::format("--trace png: there is no {}", converter),
              "Install librsvg2-bin (Fedora: librsvg2-tools, Arch: librsvg). --trace svg draws the same.");
}

std::string png_of(const std::string& svg) {
  const temp_dir folder;
  folder.write("lanes.svg", svg);
  const command_end ended =
      run_command(folder.command_in({{find_program(converter), fmt::format("--zoom={:g}", zoom_for(svg)), "--output",
                                      folder.file("lanes.png"), folder.file("lanes.svg")},
                                     {}}));
  const std::optional<std::string> png = os::content_of(folder.file("lanes.png"));
  if (ended.succeeded() && png && !png->empty()) return *png;
  throw error(exit_code::bad_input, fmt::format("--trace png: {} failed: {}", converter, printable(ended.output, 500)),
              "--steps and --lanes draw less of it, --trace svg the same.");
}

}  // namespace warpz
