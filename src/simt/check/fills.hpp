// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run that is compared with another one has in memory that nobody has written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::check {

/// `fill`: as warpz_perturbation has it.
void fill_unwritten(void* begin, std::size_t bytes, std::uint32_t fill);

}  // namespace simt::check
