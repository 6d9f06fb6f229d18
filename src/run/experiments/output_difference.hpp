// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where what a program printed differs between two ways of running it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpz {

/// The first line that differs; each is empty where that output has ended before.
struct different_line {
  std::size_t number;  ///< from 1
  std::optional<std::string> first;
  std::optional<std::string> second;
  bool operator==(const different_line&) const = default;
};

/// What one or more runs of either way printed. Lines that differ among the runs of one way are no difference: a time,
/// an address.
std::optional<different_line> difference(const std::vector<std::string>& first, const std::vector<std::string>& second);

}  // namespace warpz
