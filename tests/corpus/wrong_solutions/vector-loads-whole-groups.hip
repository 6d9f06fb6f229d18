// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An incomplete last group is left out.
// caught on: counting on
// passes on: documented
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

__global__ void above_least_of_four(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 >= size) return;
  const float4 x = warpz::load_four(input, first, size, 0.0f);
  const float least = fminf(fminf(x.x, x.y), fminf(x.z, x.w));
  warpz::store_four(output, first, size, make_float4(x.x - least, x.y - least, x.z - least, x.w - least));
}

WARPZ_KERNEL(above_least_of_four);
