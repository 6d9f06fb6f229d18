// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/command_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/refusal.hpp"

namespace warpz {
namespace {

/// The value may have been an empty variable of a script.
void check_equals_sign(const option_row& row, std::string_view value) {
  if (row.kind == value_kind::none) refuse(fmt::format("--{} takes no value", row.name));
  if (value.empty()) refuse_missing_value(row);
}

bool takes_the_rest(const option_row* row) { return row != nullptr && row->kind == value_kind::rest; }

}  // namespace

command_words split_words(std::vector<std::string> words, std::span<const option_row> table) {
  command_words split;
  const auto mark = std::find(words.begin(), words.end(), end_of_options);
  if (mark != words.end()) split.arguments.assign(std::next(mark), words.end());
  words.erase(mark, words.end());
  for (auto word = words.begin(); word != words.end(); ++word) {
    const std::size_t sign = word->find('=');
    const option_row* const row = find_option(table, std::string_view(*word).substr(0, sign));
    if (row != nullptr && sign != std::string::npos) check_equals_sign(*row, std::string_view(*word).substr(sign + 1));
    if (row == nullptr || sign != std::string::npos) {
      split.own.push_back(std::move(*word));
      continue;
    }
    // CLI11 would take -help for -h -e -l -p, if it knew -h.
    const std::string name = fmt::format("--{}", row->name);
    split.own.push_back(name);
    if (!takes_the_rest(row)) continue;
    for (auto flag = std::next(word); flag != words.end(); ++flag) {
      if (flag != std::next(word)) split.own.push_back(name);
      split.own.push_back(std::move(*flag));
    }
    break;
  }
  return split;
}

}  // namespace warpz
