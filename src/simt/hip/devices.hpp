// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices, and what they offer to a launch: two, or the one of a whole user program.
#pragma once

#include <cstddef>

#include "hip/detail/api_types.h"

namespace simt {

inline constexpr int max_device_number = 2;

/// The warp size of the only device; 0: there are two devices, the first of 32 lanes.
extern unsigned only_warp_size;
inline int device_count() { return only_warp_size != 0 ? 1 : max_device_number; }

inline constexpr unsigned max_threads_per_block = 1024;

// What a multiprocessor holds at once, as a real one. There are few of them, so that a cooperative grid that fills the
// device stays within what the machine keeps alive (machine/stacks.hpp).
inline constexpr unsigned max_threads_per_multiprocessor = 2048;
inline constexpr unsigned max_blocks_per_multiprocessor = 32;
inline constexpr int min_multiprocessors = 4;
inline constexpr int max_multiprocessors = 7;

inline constexpr unsigned max_grid_x = 2147483647;
inline constexpr unsigned max_grid_yz = 65535;

/// The rate of clock64() and wall_clock64(), which count nanoseconds.
inline constexpr int clock_kilohertz = 1'000'000;

inline bool is_device(int device) { return device >= 0 && device < device_count(); }

inline unsigned warp_size_of(int device) {
  if (only_warp_size != 0) return only_warp_size;
  return device == 0 ? 32 : 64;
}

/// The flags that a device or a context can have.
inline constexpr unsigned device_flags = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;

/// The calling thread's device.
int current_device();

}  // namespace simt
