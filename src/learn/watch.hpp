// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges each file of a working copy as it is saved, on one screen.
#pragma once

#include <string>

#include "learn/course.hpp"
#include "learn/working_copy.hpp"

namespace warpz {

/// Until the user quits. Returns the exit code. `program` is warpz as the user called it.
int watch(const course& all, const working_copy& copy, const std::string& program, bool has_color);

}  // namespace warpz
