// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of hipcc and nvcc that have no meaning on the CPU machine: for which GPU code is made, whether it is linked,
// which here it always is, with which runtime, and how the GPU's own assembler works.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace warpz {

/// How many of the words, from the first on, are such an option with its value; 0: the first is none.
std::size_t gpu_option_words(std::span<const std::string> words);

}  // namespace warpz
