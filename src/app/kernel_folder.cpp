// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/kernel_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "error.hpp"
#include "puzzle/solution_files.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".hip";

/// The folder as the user named it, and the rest of the path.
std::string path_in(const std::string& folder, std::string_view rest) {
  return fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", rest);
}

/// The puzzle's file; empty where it has none.
std::string file_of(const std::string& folder, const puzzle& task) {
  std::error_code failed;
  for (const std::string& file : solution_files(folder, task)) {
    if (fs::is_regular_file(file, failed)) return file;
  }
  return {};
}

std::string flags_of(std::span<const puzzle* const> tasks) {
  std::string flags;
  for (const puzzle* each : tasks) flags += fmt::format("{}--{}", flags.empty() ? "" : ", ", each->flag);
  return flags;
}

/// A line for each file that has no puzzle's name, with the puzzle that may be meant.
std::string notes_on_others(const std::string& folder) {
  std::vector<std::string_view> known;
  for (const puzzle* each : puzzles()) known.push_back(each->flag);
  std::vector<std::string> others;
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    const std::string name = each->path().stem().string();
    if (each->path().extension() == ending && find_puzzle(name) == nullptr) others.push_back(name);
  }
  std::sort(others.begin(), others.end());
  std::string notes;
  for (const std::string& each : others) {
    const auto near = nearest(each, known);
    notes += fmt::format("warpz: {} is left out: no puzzle is called {}{}\n",
                         printable(path_in(folder, each + std::string(ending))), printable(each),
                         near.empty() ? "" : fmt::format(". Did you mean {}?", alternatives(near, "--")));
  }
  return notes;
}

}  // namespace

bool is_kernel_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

kernel_folder::kernel_folder(const std::string& path, std::span<const puzzle* const> wanted, bool may_miss) {
  std::vector<const puzzle*> missing;
  for (const puzzle* each : wanted) {
    std::string file = file_of(path, *each);
    if (file.empty()) {
      missing.push_back(each);
    } else {
      files_.push_back({each, std::move(file)});
    }
  }
  if (files_.empty() || (!missing.empty() && !may_miss)) {
    const std::string_view first = missing.front()->flag;
    throw error(exit_code::bad_input,
                fmt::format("{} has no file for {}", printable(path),
                            missing.size() == puzzles().size() ? "any puzzle" : flags_of(missing)),
                fmt::format("Name each file after its puzzle's flag: {0} or {1} for --{2}.",
                            path_in(printable(path), fmt::format("{}{}", first, ending)),
                            path_in(printable(path), fmt::format("{}/solution{}", first, ending)), first));
  }
  if (!missing.empty()) {
    notes_ = fmt::format("warpz: {} has no file for {} of {} puzzles: {}\n", printable(path), missing.size(),
                         wanted.size(), flags_of(missing));
  }
  notes_ += notes_on_others(path);
}

}  // namespace warpz
