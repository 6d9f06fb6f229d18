// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which numbers the lines of templates have in each of their instances: one that is another number elsewhere is an
// argument, and not written there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/IR/Function.h"

namespace warpz::instrument {

class template_numbers {
 public:
  /// Reads a function, which has to have its debug information.
  void add(const llvm::Function& function);

  /// Whether the line has the number in one instance of its function and not in another one.
  bool is_argument(const std::string& file, unsigned line, std::uint64_t number) const;

 private:
  using numbers = std::set<std::uint64_t>;
  using template_name = std::tuple<std::string, unsigned, std::string>;
  /// By file and line: for each instance of a template the numbers.
  std::map<std::pair<std::string, unsigned>, std::map<template_name, std::vector<numbers>>> lines_;
};

}  // namespace warpz::instrument
