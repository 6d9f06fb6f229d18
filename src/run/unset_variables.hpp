// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that are used and were never set: found by running the module's twin, in which they hold something else.
#pragma once

#include <optional>

#include "run/reruns.hpp"

namespace warpz {

/// What is found in the kernel that has just run with every access watched, if its module has a twin: the first place
/// where a lane gets such a value from another one, else who has written the first element that it reached.
std::optional<located_finding> find_unset_variable(session& on, const kernel_run& what, const kernel_result& first);

}  // namespace warpz
