// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "error.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {

void refuse(const std::string& problem, std::string advice) {
  throw error(exit_code::bad_input, problem, std::move(advice));
}

void refuse_missing_value(const option_row& row, std::string_view next) {
  const std::string problem = fmt::format("--{} needs a value: {}", row.name, row.takes);
  if (next.empty()) refuse(problem);
  const std::string shown = printable(next);
  const bool is_file = row.kind == value_kind::file || row.kind == value_kind::files;
  refuse(fmt::format("{}; the next word, {}, is an option", problem, shown),
         is_file ? fmt::format("A file named {0} is ./{0}", shown) : "");
}

void refuse_word(std::string_view word, bool is_option, std::span<const option_row> table) {
  std::vector<std::string_view> names;
  for (const option_row& row : table) names.push_back(row.name);
  const std::string_view spelled = is_option ? word.substr(0, word.find('=')) : word;
  const std::string_view bare = spelled.substr(std::min(spelled.find_first_not_of('-'), spelled.size()));
  const std::string shown = printable(spelled, max_shown);
  const auto commands = command_names();
  const bool is_name = std::find(names.begin(), names.end(), bare) != names.end();
  if (is_option && !is_name && std::find(commands.begin(), commands.end(), bare) != commands.end())
    refuse(fmt::format("unknown option {}", shown),
           fmt::format("{} is a command: it comes first, without dashes.", bare));
  const auto near = nearest(bare, names);
  refuse(is_option ? fmt::format("unknown option {}", shown) : fmt::format("unexpected word '{}'", shown),
         near.empty() ? "warpz --help shows the options." : fmt::format("Did you mean {}?", alternatives(near, "--")));
}

}  // namespace warpz
