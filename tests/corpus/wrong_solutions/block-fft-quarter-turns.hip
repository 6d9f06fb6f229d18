// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns by quarters of a circle only: in transforms of more than four numbers by too little.
// caught on: 200 times the same; --random 3 --size 700
// passes on: documented
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void block_fft(float* output, const float* input, int size) {
  struct complex {
    float re, im;
  };
  constexpr int block_threads = 256;
  __shared__ complex traded[block_threads];
  const int local_i = threadIdx.x;
  const int global_i = 2 * (blockIdx.x * block_threads + local_i);

  // Threads past the end take part with a number that adds nothing.
  complex value = {global_i < size ? input[global_i] : 0.0f, global_i + 1 < size ? input[global_i + 1] : 0.0f};

  // A thread's number in the block has 8 bits.
  traded[__brev(local_i) >> 24] = value;
  warpz::barrier();
  value = traded[local_i];

  for (int distance = 1; distance < block_threads; distance *= 2) {
    const bool is_upper = (local_i & distance) != 0;
    const float half_circles = is_upper ? 0.5f * (2 * (local_i & (distance - 1)) / distance) : 0.0f;
    float sine, cosine;
    sincospif(-half_circles, &sine, &cosine);
    value = {value.re * cosine - value.im * sine, value.re * sine + value.im * cosine};

    complex partner;
    if (distance < warp::size()) {
      partner = warp::shuffle_xor(value, distance);
    } else {
      // Nobody writes this step's values before everybody has read those before.
      warpz::barrier();
      traded[local_i] = value;
      // Nobody reads before everybody has written.
      warpz::barrier();
      partner = traded[local_i ^ distance];
    }
    value = is_upper ? complex{partner.re - value.re, partner.im - value.im}
                     : complex{value.re + partner.re, value.im + partner.im};
  }

  if (global_i < size) output[global_i] = value.re;
  if (global_i + 1 < size) output[global_i + 1] = value.im;
}

WARPZ_KERNEL(block_fft);
