// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scripts that let a shell complete options, their choices, and file names where an option takes a file.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace warpz {

/// For `source <(warpz --completion bash)`, or zsh, and for `warpz --completion fish | source`.
std::string completion_script(shell language);

}  // namespace warpz
