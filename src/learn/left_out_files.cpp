// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/left_out_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "puzzle/puzzle.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".hip";

/// A file of HIP or of CUDA in this folder, which is no puzzle's own one.
void add_files(const fs::path& folder, const fs::path& below, bool is_deep, std::vector<left_out_file>& found) {
  std::vector<std::string_view> known;
  for (const puzzle* const task : puzzles()) known.push_back(task->flag);
  std::error_code failed;
  for (fs::directory_iterator each(folder / below, failed), end; !failed && each != end; each.increment(failed)) {
    const fs::path name = below / each->path().filename();
    const std::string stem = name.stem().string();
    std::error_code ignored;
    if (is_deep && each->is_directory(ignored) && !stem.starts_with('.') && find_puzzle(stem) == nullptr)
      add_files(folder, name, false, found);
    if ((name.extension() != ending && name.extension() != ".cu") || !each->is_regular_file(ignored)) continue;
    if (below.empty() && name.extension() == ending && find_puzzle(stem) != nullptr) continue;
    std::vector<std::string> meant;
    for (const std::string_view flag : nearest(stem, known)) meant.push_back(fmt::format("{}{}", flag, ending));
    found.push_back({name.string(), alternatives(std::vector<std::string_view>(meant.begin(), meant.end()))});
  }
}

}  // namespace

std::vector<left_out_file> left_out_files(const std::string& folder, bool is_deep) {
  std::vector<left_out_file> found;
  add_files(folder, {}, is_deep, found);
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

std::string text_of(const left_out_file& one, const std::string& folder) {
  return fmt::format("{} is left out: no puzzle has a file of this name{}\n",
                     printable(fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", one.name)),
                     one.meant.empty() ? "" : fmt::format(". Did you mean {}?", one.meant));
}

}  // namespace warpz
