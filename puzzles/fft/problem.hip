// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: the Fourier transform of each warp's complex numbers.
__global__ void warp_fft(float* output, const float* input, int size) {
  struct complex {
    float re, im;
  };
  const int global_i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int lane = warp::lane_id();

  // Lanes past the end take part with a number that adds nothing.
  complex value = {global_i < size ? input[global_i] : 0.0f, global_i + 1 < size ? input[global_i + 1] : 0.0f};

  // 1. Put the numbers into the order of reversed bits. Which lane has the one that belongs here?
  value = warp::shuffle_idx(value, lane);

  for (int distance = 1; distance < warp::size(); distance *= 2) {
    const bool is_upper = (lane & distance) != 0;
    // 2. By which part of half a circle is an upper partner's value turned, before the two meet?
    const float half_circles = 0.0f;
    float sine, cosine;
    sincospif(-half_circles, &sine, &cosine);
    value = {value.re * cosine - value.im * sine, value.re * sine + value.im * cosine};

    const complex partner = warp::shuffle_xor(value, distance);
    value = is_upper ? complex{partner.re - value.re, partner.im - value.im}
                     : complex{value.re + partner.re, value.im + partner.im};
  }

  if (global_i < size) output[global_i] = value.re;
  if (global_i + 1 < size) output[global_i + 1] = value.im;
}

WARPZ_KERNEL(warp_fft);
