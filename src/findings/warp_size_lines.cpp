// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/warp_size_lines.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "abi/device_image.h"
#include "findings/plugin_lists.hpp"
#include "findings/source_text.hpp"
#include "system/elf_file.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

using row = std::vector<std::string_view>;

fs::path path_of(const row& file) { return fs::path(file[1]) / file[0]; }

unsigned number(std::string_view text) { return static_cast<unsigned>(number_in(text)); }

}  // namespace

std::vector<warp_size_line> warp_size_lines_in(const code_location& code) {
  const std::string bytes = os::content_of(code.file).value_or("");
  const std::vector<row> rows = rows_of_list(os::elf_file(bytes).content_of_section(WARPZ_WARP_SIZE_LIST_SECTION));
  std::vector<std::string> sources = code.sources;
  for (const row& each : rows) {
    if (each.size() == 2) sources.push_back(path_of(each).string());
  }
  std::vector<warp_size_line> lines;
  for (const row& each : rows) {
    if (each.size() != 6) continue;
    std::error_code failed;
    const fs::path path = fs::canonical(path_of(each), failed);
    const bool is_own = !failed && is_beside(path, sources);
    warp_size_line line{
        {"", std::string(each[0]), number(each[2])}, number(each[3]), std::string(each[4]), each[5] == "1"};
    const bool is_known = std::any_of(lines.begin(), lines.end(), [&line](const warp_size_line& other) {
      return other.place.file == line.place.file && other.place.line == line.place.line && other.size == line.size;
    });
    if (!is_own || is_known || line.place.line == 0) continue;
    const std::string text = source_text(code, path.string(), line.place.line);
    line.place.function = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace warpz
