// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each exit code means, and which one counts where several things went wrong. docs/exit-codes.md repeats it.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "error.hpp"
#include "findings/outcome.hpp"

namespace warpz {

struct exit_code_meaning {
  exit_code code;
  std::string_view meaning;
};

/// All exit codes, by number.
inline constexpr std::array exit_code_meanings{
    exit_code_meaning{exit_code::passed, "every puzzle asked for passed"},
    exit_code_meaning{exit_code::wrong_result, "a result is wrong"},
    exit_code_meaning{exit_code::bad_input, "the command line or an input is wrong"},
    exit_code_meaning{exit_code::broken_rule, "the kernel broke a rule (a finding), crashed, or did not end"},
    exit_code_meaning{exit_code::no_device, "the backend or device is not there, or failed"},
    exit_code_meaning{exit_code::does_not_compile, "the kernel file does not compile"},
};

/// Where several occurred, the first of these counts.
inline constexpr std::array exit_code_order{exit_code::bad_input,        exit_code::no_device,
                                            exit_code::does_not_compile, exit_code::broken_rule,
                                            exit_code::wrong_result,     exit_code::passed};

/// The one that counts of two codes that both occurred.
constexpr exit_code first_of(exit_code a, exit_code b) {
  return std::find(exit_code_order.begin(), exit_code_order.end(), a) <=
                 std::find(exit_code_order.begin(), exit_code_order.end(), b)
             ? a
             : b;
}

constexpr exit_code exit_code_of(verdict result) {
  switch (result) {
    case verdict::passed:
      return exit_code::passed;
    case verdict::wrong_result:
      return exit_code::wrong_result;
    case verdict::broken_rule:
      break;
  }
  return exit_code::broken_rule;
}

}  // namespace warpz
