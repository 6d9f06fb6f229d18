// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <utility>
#include <vector>

#include "puzzle/puzzle.hpp"

namespace warpz {
namespace {

// Created by the first registration and never destroyed, so that no order of static initialisation or destruction
// matters.
std::vector<const puzzle*>& registered_puzzles() {
  static auto& list = *new std::vector<const puzzle*>;
  return list;
}

}  // namespace

std::span<const puzzle* const> puzzles() { return registered_puzzles(); }

const puzzle* find_puzzle(std::string_view flag) {
  const auto all = puzzles();
  const auto found = std::find_if(all.begin(), all.end(), [&](const puzzle* one) { return one->flag == flag; });
  return found == all.end() ? nullptr : *found;
}

void add_puzzle(puzzle task) {
  static auto& own = *new std::deque<puzzle>;
  auto& list = registered_puzzles();
  task.number = list.empty() ? 1 : list.back()->number + 1;
  list.push_back(&own.emplace_back(std::move(task)));
}

puzzle_registration::puzzle_registration(const puzzle& registered) {
  auto& list = registered_puzzles();
  for (const puzzle* other : list) {
    if (other->number != registered.number && other->flag != registered.flag) continue;
    // Before main an exception could not be caught. One of the two puzzles would never run.
    fmt::print(stderr, "warpz: the puzzles '{}' and '{}' have the same flag or the same number ({})\n", other->flag,
               registered.flag, registered.number);
    std::abort();
  }
  const auto place =
      std::find_if(list.begin(), list.end(), [&](const puzzle* other) { return other->number > registered.number; });
  list.insert(place, &registered);
}

}  // namespace warpz
