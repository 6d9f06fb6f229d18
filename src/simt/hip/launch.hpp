// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as HIP sees them: by a grid of a device, on a stream.
#pragma once

#include <cstddef>
#include <memory>

#include "hip/detail/api_types.h"
#include "hip/detail/dim3.h"
#include "simt/lane.hpp"

struct warpz_kernel_code;
struct warpz_lane_loops;

namespace simt {

struct launch_shape {
  const char* name;  ///< the kernel's, for findings
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  hipStream_t stream;
  bool cooperative;                                       ///< all blocks have to be alive at once
  std::shared_ptr<const void> arguments_owner = nullptr;  ///< as of launch_request
  const warpz_kernel_code* code = nullptr;                ///< likewise
};

/// Calls `entry(call)` in every lane, for each of its blocks, or once if it goes on with the lane's next block itself.
/// An error is also the thread's last one.
/// `loops`: how the kernel runs as loops over lanes; null: not at all.
SIMT_API hipError_t launch_lanes(const launch_shape& shape, void (*entry)(const void*), const void* call,
                                 const warpz_lane_loops* loops = nullptr);

/// The error of a shape that no kernel can have.
hipError_t check_shape(const launch_shape& shape);

/// Launches the kernel at this address, by its own name; `arguments` holds the address of each of its arguments.
hipError_t launch_kernel(const void* kernel, launch_shape shape, void** arguments);

}  // namespace simt
