// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is right in a puzzle of one's own: a list of numbers, a plain kernel for the CPU machine, or a Python function.
// Both kinds of code run in a process of their own, for a limited time.
#pragma once

#include "puzzle/puzzle.hpp"

namespace warpz {

/// Gives the puzzle the one reference in its folder: reference.py, reference.hip or reference.txt. Throws
/// error(bad_input) where there is none, or more than one. What it throws once it is called is of the same kind.
void add_reference(puzzle& task);

}  // namespace warpz
