// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/sent_outcome.hpp"

#include <set>
#include <span>

namespace warpz {
namespace {

std::vector<float> copy_of(const shared_numbers& numbers) {
  const std::span<const float> all = numbers.all();
  return {all.begin(), all.end()};
}

/// A text that lives as long as the program.
std::string_view kept(const std::string& text) {
  static std::set<std::string> all;
  return *all.insert(text).first;
}

}  // namespace

sent_outcome::sent_outcome(const puzzle_outcome& one)
    : outcome_(one),
      puzzle_(one.puzzle->flag),
      path_(one.path),
      inputs_(copy_of(one.inputs)),
      output_(copy_of(one.output)),
      expected_(copy_of(one.expected)) {}

puzzle_outcome sent_outcome::received() const {
  puzzle_outcome one = outcome_;
  one.puzzle = find_puzzle(puzzle_);
  one.path = kept(path_);
  one.inputs = shared_numbers(inputs_);
  one.output = shared_numbers(output_);
  one.expected = shared_numbers(expected_);
  return one;
}

}  // namespace warpz
