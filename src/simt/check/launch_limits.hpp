// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of a launch that only the kernel knows. The others are checked before the launch (simt/hip/launch.cpp).
#pragma once

#include <cstdint>

#include "simt/check/reports.hpp"

namespace simt::check {

/// Publishes the finding if the block has more threads than the kernel's __launch_bounds__ allows.
void check_threads(const block& current, std::uint64_t bound, access_finding found);

/// Publishes the finding if the block has more shared memory than a device has.
void check_shared_memory(const block& current, std::uint64_t static_bytes, access_finding found);

}  // namespace simt::check
