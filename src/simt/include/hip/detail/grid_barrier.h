// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What grid_group needs from the machine (src/simt/hip/grid.cpp).
#pragma once

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// Whether the running launch is a cooperative one, whose blocks may wait for each other.
SIMT_API bool launch_is_cooperative() noexcept;

/// Waits for all threads of the grid.
SIMT_API void grid_barrier(const site& at);

}  // namespace hip
}  // namespace simt

SIMT_BOTH_SIDES_END
