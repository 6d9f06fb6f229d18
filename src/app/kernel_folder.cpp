// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/kernel_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>

#include "error.hpp"
#include "learn/left_out_files.hpp"
#include "learn/working_copy.hpp"
#include "puzzle/solution_files.hpp"
#include "system/file_content.hpp"
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

}  // namespace

bool is_kernel_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

kernel_folder::kernel_folder(const std::string& path, std::span<const puzzle* const> wanted, bool may_miss,
                             bool wants_problems) {
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
  is_incomplete_ = !missing.empty();
  if (is_incomplete_) {
    notes_ = fmt::format("warpz: {} has no file for {} of {} puzzles: {}\n", printable(path), missing.size(),
                         wanted.size(), flags_of(missing));
  }
  for (const left_out_file& each : left_out_files(path, false)) notes_ += "warpz: " + text_of(each, path);
  if (wants_problems) return;
  const auto is_problem = [](const puzzle_file& each) { return os::content_of(each.file) == problem_of(*each.task); };
  const auto begun = std::stable_partition(files_.begin(), files_.end(), std::not_fn(is_problem));
  const auto count = files_.end() - begun;
  if (count == 0 || begun == files_.begin()) return;
  notes_ +=
      fmt::format("warpz: not attempted: {} file{} as given\n", count, count == 1 ? ", which is" : "s, which are");
  files_.erase(begun, files_.end());
}

}  // namespace warpz
