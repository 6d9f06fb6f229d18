// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program_words.hpp"

#include <algorithm>
#include <iterator>

namespace warpz {

program_words split_program_words(const std::vector<std::string>& words) {
  program_words split;
  const auto end = std::find(words.begin(), words.end(), "--");
  const auto run = std::find_if(words.begin(), end,
                                [](const std::string& each) { return each == "--run" || each.starts_with("--run="); });
  const auto flags = std::find(words.begin(), end, "--cxxflags");
  split.has_run = run != end && run < flags;
  split.has_flags = flags != end;
  if (!split.has_run && !split.has_flags) {
    split.own = words;
    return split;
  }
  if (split.has_flags) split.flags.assign(std::next(flags), end);
  if (end != words.end()) split.arguments.assign(std::next(end), words.end());
  split.own.assign(words.begin(), flags);
  if (!split.has_run) return split;
  auto further = split.own.begin() + std::distance(words.begin(), run) + (*run == "--run" ? 2 : 1);
  if (further >= split.own.end()) return split;
  const auto after =
      std::find_if(further, split.own.end(), [](const std::string& each) { return each.starts_with("-"); });
  split.further_files.assign(further, after);
  split.own.erase(further, after);
  return split;
}

}  // namespace warpz
