// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of reduce and the scans, as CUDA's cooperative groups name them.
#pragma once

#include "hip/detail/host_defines.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {

#define SIMT_OPERATOR(name, result)                                 \
  template <class _Tp>                                              \
  struct name {                                                     \
    constexpr _Tp operator()(_Tp a, _Tp b) const { return result; } \
  };
SIMT_OPERATOR(plus, a + b)
SIMT_OPERATOR(less, b < a ? b : a)
SIMT_OPERATOR(greater, a < b ? b : a)
SIMT_OPERATOR(bit_and, a& b)
SIMT_OPERATOR(bit_or, a | b)
SIMT_OPERATOR(bit_xor, a ^ b)
#undef SIMT_OPERATOR

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END
