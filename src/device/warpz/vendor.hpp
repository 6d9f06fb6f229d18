// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose machine a kernel is compiled for. Kernels ask vendor() instead of testing a vendor's macro; the macros
// stay in detail/.
#pragma once

#include "warpz/detail/platform.hpp"

namespace warpz {

/// The platform this code is compiled for, at compile time:
/// `if constexpr (warpz::vendor() == warpz::platform::amd)`. Any thread may call it, also on the host.
/// Other names: __HIP_PLATFORM_AMD__, __HIP_PLATFORM_NVIDIA__ (HIP's macros), is_amd_gpu, is_nvidia_gpu (Mojo).
__host__ __device__ constexpr platform vendor() { return detail::this_platform; }

}  // namespace warpz
