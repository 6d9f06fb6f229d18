// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/own_puzzles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/commands.hpp"
#include "cli/option_table.hpp"
#include "error.hpp"
#include "learn/puzzle_folder.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Whether a list names only puzzles that are known.
bool names_puzzles(std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (find_puzzle(list.substr(0, end)) == nullptr) return false;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return true;
}

void load(const std::string& folder, const std::string& found_in) {
  puzzle task = read_puzzle_folder(folder);
  task.found_in = found_in;
  const puzzle* const other = find_puzzle(task.flag);
  std::error_code failed;
  if (other != nullptr && other->is_own() && std::filesystem::equivalent(other->folder, folder, failed)) return;
  refuse_taken_name(folder);
  add_puzzle(std::move(task));
}

}  // namespace

void refuse_taken_name(const std::string& folder) {
  const std::string name = name_of_folder(folder);
  const auto refuse = [&](std::string_view other) {
    throw error(exit_code::bad_input, fmt::format("{}: there is {} called {}", printable(folder), other, name),
                "Give the folder another name.");
  };
  if (const puzzle* const other = find_puzzle(name)) refuse(other->is_own() ? "another puzzle" : "a puzzle of warpz's");
  if (find_option(option_table(), "--" + name) != nullptr) refuse("an option");
  if (help_on_command(name)) refuse("a command");
}

void load_own_puzzles(int count, const char* const* arguments) {
  const bool may_be_list = count > 1 && std::string_view(arguments[1]) == "grade";
  for (const std::string& each : folders_of_puzzles(count, arguments)) {
    if (may_be_list && !is_puzzle_folder_value(each)) continue;
    for (const std::string& folder : puzzle_folders_in(each)) load(folder, each);
  }
}

bool is_puzzle_folder_value(const std::string& value) {
  std::error_code failed;
  return !names_puzzles(value) && std::filesystem::is_directory(value, failed);
}

std::vector<const puzzle*> own_puzzles_in(const std::string& folder) {
  std::vector<const puzzle*> found;
  for (const puzzle* const each : puzzles()) {
    if (each->found_in == folder) found.push_back(each);
  }
  return found;
}

}  // namespace warpz
