// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which exit code is the program's where several things went wrong. docs/exit-codes.md says the same.
//
// Never ends the program: only main turns a code into the end of the process.
#pragma once

#include <algorithm>
#include <array>

#include "error.hpp"
#include "run/outcome.hpp"

namespace warpz {

/// Where several occurred, the first of these is the program's.
inline constexpr std::array exit_code_order{exit_code::bad_input,   exit_code::no_device,    exit_code::does_not_compile,
                                            exit_code::broken_rule, exit_code::wrong_result, exit_code::passed};

/// Which of two codes that both occurred is the program's.
constexpr exit_code first_of(exit_code a, exit_code b) {
  return std::find(exit_code_order.begin(), exit_code_order.end(), a) <=
                 std::find(exit_code_order.begin(), exit_code_order.end(), b)
             ? a
             : b;
}

constexpr exit_code exit_code_of(verdict result) {
  switch (result) {
    case verdict::passed: return exit_code::passed;
    case verdict::wrong_result: return exit_code::wrong_result;
    case verdict::broken_rule: break;
  }
  return exit_code::broken_rule;
}

}  // namespace warpz
