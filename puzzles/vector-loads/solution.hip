// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

/// Each thread has four consecutive elements, and writes how far each is above the least of them: one load and one
/// store of 16 bytes.
///
///     thread     0              1
///     input      5  3  8  4     9  9  7  …
///     output     2  0  5  1     2  2  0  …
__global__ void above_least_of_four(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // What the last group lacks is never the least.
  const float4 x = warpz::load_four(input, first, size, INFINITY);
  const float least = fminf(fminf(x.x, x.y), fminf(x.z, x.w));
  warpz::store_four(output, first, size, make_float4(x.x - least, x.y - least, x.z - least, x.w - least));
}

WARPZ_KERNEL(above_least_of_four);
