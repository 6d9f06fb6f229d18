// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PTX instructions become, as the PTX ISA defines them. Each function says whether it knows the instruction.
#pragma once

#include "instrument/ptx_registers.hpp"

namespace warpz::instrument {

/// Moves, arithmetic, bits, comparisons and conversions.
bool build_ptx_arithmetic(ptx_registers& registers, const ptx_instruction& one);
/// Instructions on bits: bfe, prmt, shf and the like.
bool build_ptx_bits(ptx_registers& registers, const ptx_instruction& one);
/// Loads, stores and atomics.
bool build_ptx_memory(ptx_registers& registers, const ptx_instruction& one);
/// What lanes do together, barriers, fences and traps: the machine's functions.
bool build_ptx_machine(ptx_registers& registers, const ptx_instruction& one);

}  // namespace warpz::instrument
