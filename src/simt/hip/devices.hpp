// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices, and what they offer to a launch: two, or the one of a whole user program.
#pragma once

#include <cstddef>

namespace simt {

inline constexpr int max_device_number = 2;

/// The warp size of the only device; 0: there are two devices, the first of 32 lanes.
extern unsigned only_warp_size;
inline int device_count() { return only_warp_size != 0 ? 1 : max_device_number; }

inline constexpr unsigned max_threads_per_block = 1024;
inline constexpr unsigned max_grid_x = 2147483647;
inline constexpr unsigned max_grid_yz = 65535;

/// The rate of clock64() and wall_clock64(), which count nanoseconds.
inline constexpr int clock_kilohertz = 1'000'000;

inline bool is_device(int device) { return device >= 0 && device < device_count(); }

inline unsigned warp_size_of(int device) {
  if (only_warp_size != 0) return only_warp_size;
  return device == 0 ? 32 : 64;
}

/// The calling thread's device.
int current_device();

}  // namespace simt
