// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first difference between what a program prints in two ways of running it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpz {

/// The first line that differs. `first` or `second` is empty where that output has ended before.
struct different_line {
  std::size_t number;  ///< from 1
  std::optional<std::string> first;
  std::optional<std::string> second;
  bool operator==(const different_line&) const = default;
};

/// Compares the outputs of one or more runs in each way. Lines that differ among the runs of one way do not count: they
/// may have a time or an address.
std::optional<different_line> difference(const std::vector<std::string>& first, const std::vector<std::string>& second);

/// The same for outputs of the CPU machine with 32 and with 64 lanes: lines that tell what it says of its device may
/// differ in that.
std::optional<different_line> difference_but_for_device(const std::vector<std::string>& first,
                                                        const std::vector<std::string>& second);

}  // namespace warpz
