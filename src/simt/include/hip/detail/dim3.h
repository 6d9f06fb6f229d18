// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extent of a grid or a block. Its conversions from and to uint3 come with hip_vector_types.h.
#pragma once

#include <cstdint>

#include "simt/detail/sides.hpp"

SIMT_BOTH_SIDES_BEGIN

#ifdef __WARPZ_CUDA__
struct uint3;
#else
template <class _Tp, unsigned _Np>
struct HIP_vector_type;
using uint3 = HIP_vector_type<unsigned, 3>;
#endif

struct dim3 {
  std::uint32_t x, y, z;
  constexpr dim3(std::uint32_t x_ = 1, std::uint32_t y_ = 1, std::uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(const uint3& extent);
  constexpr operator uint3() const;
};

SIMT_BOTH_SIDES_END
