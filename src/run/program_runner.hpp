// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a whole program on the CPU machine and puts what was found in words; runs it with either warp size and tells the
// two apart.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "module/program.hpp"
#include "run/outcome.hpp"

namespace warpz {

/// Waits for the program's end. `files` are its sources.
program_outcome run_program(const program_run& what, const std::vector<std::string>& files);

/// Runs it with 32 and with 64 lanes, and once more with 32 where the two differ: what then differs as well depends on
/// something else. The second outcome has the finding. `print` gets what the program prints, `begin` is called before
/// either run, `end` with its outcome.
struct both_ways {
  std::function<void(unsigned lanes)> begin;
  std::function<void(std::string_view)> print;
  std::function<void(const program_outcome&)> end;
};
std::vector<program_outcome> run_with_both_warp_sizes(program_run what, const std::vector<std::string>& files,
                                                      const both_ways& how);

}  // namespace warpz
