// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where what two runs of a program printed differs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warpz {

/// The first line that differs; each is empty where that output has ended before.
struct different_line {
  std::size_t number;  ///< from 1
  std::optional<std::string> first;
  std::optional<std::string> second;
  bool operator==(const different_line&) const = default;
};

/// Lines in which `first` and `again`, by the same run a second time, differ are no difference: a time, an address.
std::optional<different_line> difference(std::string_view first, std::string_view second, std::string_view again);

}  // namespace warpz
