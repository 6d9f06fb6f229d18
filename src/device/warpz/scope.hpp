// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a fence reaches. Nothing else.
#pragma once

namespace warpz {

/// Who sees a thread's memory accesses in their order: the threads of its block, those of its device, or the host and
/// other devices too.
enum class scope { block, device, system };

}  // namespace warpz
