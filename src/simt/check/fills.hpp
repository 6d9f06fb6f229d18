// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run that is compared with another one has in memory that nobody has written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::check {

/// `fill`: as warpz_perturbation has it. `first_word`: how many words are in front of these bytes.
void fill_unwritten(void* begin, std::size_t bytes, std::uint32_t fill, std::size_t first_word = 0);

}  // namespace simt::check
