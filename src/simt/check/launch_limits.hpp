// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch may not ask for, where only the kernel knows it. The rest is told before the launch
// (simt/hip/launch.cpp).
#pragma once

#include <cstdint>

#include "simt/check/reports.hpp"

namespace simt::check {

/// Publishes the finding if the block has more threads than the kernel's __launch_bounds__ allows.
void check_threads(const block& current, std::uint64_t bound, access_finding found);

/// Publishes it if the block has more shared memory than a device gives.
void check_shared_memory(const block& current, std::uint64_t static_bytes, access_finding found);

}  // namespace simt::check
