// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the options mean to those who compile and run: the same for puzzles and for whole programs.
#pragma once

#include "cli/options.hpp"
#include "compile/compile_steps.hpp"
#include "module/module.h"
#include "report/output_stream.hpp"

namespace warpz {

/// A user's own code is watched unless he says otherwise.
warpz_check check_of(const options& asked);

warpz_rules rules_of(const options& asked);

/// How compilers are run; what they say goes to `err`, which outlives this.
compile_manner manner_of(const options& asked, output_stream& err);

/// Empty where nothing compiled is to be kept.
std::string cache_folder_of(const options& asked);

}  // namespace warpz
