// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a whole grid, from the host's side.
#pragma once

namespace simt {
namespace hip {

/// A cooperative launch begins: nobody has arrived. One that a divergence has ended may have left blocks at the
/// barrier.
void begin_grid_barriers();

}  // namespace hip
}  // namespace simt
