// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an mbarrier is made of. Nothing else.
#pragma once

#include <cstdint>

namespace warpz {
namespace detail {

/// It has the same size everywhere, so that host code may compute how much shared memory a kernel needs.
struct mbarrier_state {
  std::uint64_t word;  ///< the hardware's, where it has mbarriers
  std::uint64_t owed;  ///< for hardware that counts arrivals but no bytes
};

}  // namespace detail
}  // namespace warpz
