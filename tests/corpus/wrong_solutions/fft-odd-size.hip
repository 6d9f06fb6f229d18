// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes nothing for a number that lacks its imaginary part.
// caught on: documented; 5 random numbers
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_fft(float* output, const float* input, int size) {
  struct complex {
    float re, im;
  };
  const int global_i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int lane = warp::lane_id();

  // Lanes past the end take part with a number that adds nothing.
  complex value = {global_i + 1 < size ? input[global_i] : 0.0f, global_i + 1 < size ? input[global_i + 1] : 0.0f};

  // As many bits as a lane's number has, in reversed order: 5 with 32 lanes, 6 with 64.
  value = warp::shuffle_idx(value, __brev(lane) >> __clz(warp::size() - 1));

  for (int distance = 1; distance < warp::size(); distance *= 2) {
    // Upper partners' values are turned clockwise: in a transform of 2 * distance numbers, by half a circle in
    // `distance` parts. The lower ones stay as they are.
    const bool is_upper = (lane & distance) != 0;
    const float half_circles = is_upper ? static_cast<float>(lane & (distance - 1)) / distance : 0.0f;
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
