// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/warp_size_lines.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "abi/device_image.h"
#include "findings/source_text.hpp"
#include "system/elf_file.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

using row = std::vector<std::string_view>;

std::vector<row> rows_of(std::string_view text) {
  std::vector<row> rows{{}};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\t\n"), text.size());
    rows.back().push_back(text.substr(0, end));
    const bool ends_row = end < text.size() && text[end] == '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    if (ends_row) rows.emplace_back();
  }
  return rows;
}

/// Empty where there is no such file any more.
fs::path path_of(const row& file) {
  std::error_code failed;
  return fs::canonical(fs::path(file[1]) / file[0], failed);
}

unsigned number(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The folders of what the code was compiled from.
std::vector<fs::path> source_folders(const code_location& code, const std::vector<row>& rows) {
  std::vector<fs::path> folders;
  const auto add = [&folders](const fs::path& source) {
    if (!source.empty()) folders.push_back(source.parent_path());
  };
  std::error_code failed;
  for (const std::string& each : code.sources) add(fs::canonical(each, failed));
  for (const row& each : rows) {
    if (each.size() == 2) add(path_of(each));
  }
  return folders;
}

bool is_in(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

}  // namespace

std::vector<warp_size_line> warp_size_lines_in(const code_location& code) {
  const std::string bytes = os::content_of(code.file).value_or("");
  const std::vector<row> rows = rows_of(os::elf_file(bytes).content_of_section(WARPZ_WARP_SIZE_LIST_SECTION));
  const std::vector<fs::path> folders = source_folders(code, rows);
  std::vector<warp_size_line> lines;
  for (const row& each : rows) {
    if (each.size() != 5) continue;
    const fs::path path = path_of(each);
    const bool is_own = !path.empty() && std::any_of(folders.begin(), folders.end(),
                                                     [&path](const fs::path& folder) { return is_in(path, folder); });
    warp_size_line line{{"", std::string(each[0]), number(each[2])}, number(each[3]), std::string(each[4])};
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
