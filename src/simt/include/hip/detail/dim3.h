// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extent of a grid or a block. Its conversions from and to uint3 come with hip_vector_types.h.
#pragma once

#include <cstdint>

#include "simt/detail/sides.hpp"

SIMT_BOTH_SIDES_BEGIN

template <class _Tp, unsigned _Np>
struct HIP_vector_type;

struct dim3 {
  std::uint32_t x, y, z;
  constexpr dim3(std::uint32_t x_ = 1, std::uint32_t y_ = 1, std::uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(const HIP_vector_type<unsigned, 3>& extent);
  constexpr operator HIP_vector_type<unsigned, 3>() const;
};

SIMT_BOTH_SIDES_END
