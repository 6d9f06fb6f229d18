// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways of amd_collectives.hpp that the others do not have (vendor_paths.hpp).
#pragma once

#include <hip/hip_runtime.h>

namespace warpz {
namespace detail {

template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
inline constexpr bool has_short_groups = false;

template <unsigned lanes, class _Tp, class _Combine>
__device__ _Tp short_groups(_Tp v, _Combine combine);  // called nowhere

template <unsigned threads>
inline constexpr bool joins_in_every_warp = false;

template <unsigned threads>
inline constexpr unsigned max_warps = 0;

template <unsigned lanes, class _Tp, class _Combine>
__device__ _Tp scan_lanes(_Tp v, _Combine combine);  // called nowhere

}  // namespace detail
}  // namespace warpz
