// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each thread gets of a block's operations where nothing says how many threads there are.
#pragma once

#include <hip/hip_runtime.h>

#include "test_block_support.hpp"
#include "warpz/block.hpp"

namespace blocks {

template <class T>
struct results {
  T sum, max, min, sum_in_first, max_in_first, min_in_first, inclusive, exclusive;
};

template <class T>
__global__ void run_all(const T* input, results<T>* out) {
  const unsigned i = rank();
  namespace block = warpz::block;
  const T v = input[i];
  out[i] = {block::sum(v),        block::max(v),        block::min(v),        block::sum<false>(v),
            block::max<false>(v), block::min<false>(v), block::prefix_sum(v), block::prefix_sum<true>(v)};
}

}  // namespace blocks
