// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_table.hpp"

#include <algorithm>

#include "cli/option_setters.hpp"

namespace warpz {
namespace {

constexpr unsigned with_puzzles = with_run | with_benchmark;

constexpr option_row all_puzzles{
    .name = "all",
    .help = "all of them, in this order",
    .group = option_group::puzzles,
    .starts = action::run,
    .used_by = with_puzzles,
    .store = [](options& command, const option_row&, std::string_view) { command.all = true; }};

option_row row_of(const puzzle& one) {
  return {.name = one.flag,
          .help = one.summary,
          .group = option_group::puzzles,
          .starts = action::run,
          .used_by = with_puzzles,
          .store = setters::add_puzzle};
}

}  // namespace

std::string_view title(option_group group) {
  constexpr std::string_view titles[] = {
      "Puzzles, run in the order given", "Data", "Device", "Kernels of your own", "Trace", "Output", "Information"};
  return titles[static_cast<std::size_t>(group)];
}

std::vector<option_row> option_table() {
  std::vector<option_row> table;
  for (const puzzle* one : puzzles()) table.push_back(row_of(*one));
  table.push_back(all_puzzles);
  const auto add = [&](option_group group, std::span<const option_row> rows) {
    for (option_row row : rows) {
      row.group = group;
      table.push_back(row);
    }
  };
  add(option_group::data, data_rows);
  add(option_group::kernel, kernel_rows);
  add(option_group::device, device_rows);
  add(option_group::trace, trace_rows);
  add(option_group::output, output_rows);
  add(option_group::information, information_rows);
  return table;
}

std::vector<std::string_view> split_at_bars(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t bar = std::min(text.find('|'), text.size());
    words.push_back(text.substr(0, bar));
    text.remove_prefix(std::min(bar + 1, text.size()));
  }
  return words;
}

std::vector<std::string_view> choices(const option_row& row) {
  return row.kind == value_kind::choice ? split_at_bars(row.takes) : std::vector<std::string_view>{};
}

const option_row* find_option(std::span<const option_row> table, std::string_view word) {
  const auto is_spelled_so = [word](const option_row& row) {
    return (word.starts_with("--") && word.substr(2) == row.name) ||
           (word.size() == 2 && word[0] == '-' && word[1] == row.letter);
  };
  const auto row = std::find_if(table.begin(), table.end(), is_spelled_so);
  return row == table.end() ? nullptr : &*row;
}

}  // namespace warpz
