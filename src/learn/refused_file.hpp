// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "error.hpp"
#include "text/printable.hpp"

namespace warpz {

/// Says which file, or folder, of a puzzle of one's own is wrong, and how.
[[noreturn]] inline void refuse_file(const std::string& file, std::string_view problem, std::string advice = {}) {
  throw error(exit_code::bad_input, fmt::format("{}: {}", printable(file), problem), std::move(advice));
}

}  // namespace warpz
