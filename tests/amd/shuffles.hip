// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shuffles, by segment width and type. Three words of 32 bits make the longest type, one byte the shortest.
#include "kernels.hpp"

struct words {
  u32 word[3];
};
using b8 = std::uint8_t;

#define SHUFFLES(width, type)                                                                     \
  WARP_OPERATION(shuffle_idx_##width##_##type, type, type, warp::shuffle_idx<width>(v, which));   \
  WARP_OPERATION(shuffle_up_##width##_##type, type, type, warp::shuffle_up<width>(v, which));     \
  WARP_OPERATION(shuffle_down_##width##_##type, type, type, warp::shuffle_down<width>(v, which)); \
  WARP_OPERATION(shuffle_xor_##width##_##type, type, type, warp::shuffle_xor<width>(v, which))

SHUFFLES(0, u32);
SHUFFLES(1, u32);
SHUFFLES(2, u32);
SHUFFLES(8, u32);
SHUFFLES(32, u32);
SHUFFLES(64, u32);
SHUFFLES(0, u64);
SHUFFLES(16, f64);
SHUFFLES(0, words);
SHUFFLES(4, b8);

WARP_OPERATION(broadcast_first_f32, f32, f32, warp::broadcast(v));
WARP_OPERATION(broadcast_f64, f64, f64, warp::broadcast(v, which));

// By a number that the compiler knows, which has fast paths.
#define BY(kind, distance) WARP_OPERATION(by_##kind##_##distance##_u32, u32, u32, warp::shuffle_##kind(v, distance))

BY(xor, 1);
BY(xor, 2);
BY(xor, 3);
BY(xor, 4);
BY(xor, 8);
BY(xor, 16);
BY(up, 1);
BY(up, 2);
BY(up, 4);
BY(up, 8);
BY(down, 1);
BY(down, 2);
BY(down, 4);
BY(down, 8);
WARP_OPERATION(by_xor_4_f64, f64, f64, warp::shuffle_xor(v, 4));
