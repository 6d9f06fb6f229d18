// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that have other instructions where blocks consist of whole warps.
#define WARPZ_FULL_WARPS
#include "kernels.hpp"

#define NUMBERS(type)                                                                 \
  WARP_OPERATION(whole_sum_##type, type, type, warp::sum(v));                         \
  WARP_OPERATION(whole_max_##type, type, type, warp::max(v));                         \
  WARP_OPERATION(whole_min_##type, type, type, warp::min(v));                         \
  WARP_OPERATION(whole_group_sum_8_1_##type, type, type, warp::lane_group_sum<8>(v)); \
  WARP_OPERATION(whole_group_max_16_1_##type, type, type, warp::lane_group_max<16>(v))

NUMBERS(i32);
NUMBERS(u32);
NUMBERS(i64);
NUMBERS(u64);
NUMBERS(f32);
NUMBERS(f64);

WARP_OPERATION(whole_group_sum_1_1_f32, f32, f32, warp::lane_group_sum<1>(v));
WARP_OPERATION(whole_group_sum_2_1_f32, f32, f32, warp::lane_group_sum<2>(v));
WARP_OPERATION(whole_group_sum_32_1_f32, f32, f32, warp::lane_group_sum<32>(v));
WARP_OPERATION(whole_group_sum_32_1_f64, f64, f64, warp::lane_group_sum<32>(v));
WARP_OPERATION(whole_group_sum_8_4_f32, f32, f32, (warp::lane_group_sum<8, 4>(v)));

#define OF_GROUP(lanes) \
  WARP_OPERATION(whole_group_hash_##lanes##_1_u32, u32, u32, warp::lane_group_reduce<lanes>(warp::xor_lanes, v, hash{}))

OF_GROUP(2);
OF_GROUP(4);
OF_GROUP(8);
OF_GROUP(16);
OF_GROUP(32);
WARP_OPERATION(whole_group_hash_64_1_u32, u32, u32, warp::reduce(warp::xor_lanes, v, hash{}));
WARP_OPERATION(whole_group_hash_4_2_u32, u32, u32, (warp::lane_group_reduce<4, 2>(warp::xor_lanes, v, hash{})));

#define SHUFFLES(width)                                                                            \
  WARP_OPERATION(whole_shuffle_idx_##width##_u32, u32, u32, warp::shuffle_idx<width>(v, which));   \
  WARP_OPERATION(whole_shuffle_up_##width##_u32, u32, u32, warp::shuffle_up<width>(v, which));     \
  WARP_OPERATION(whole_shuffle_down_##width##_u32, u32, u32, warp::shuffle_down<width>(v, which)); \
  WARP_OPERATION(whole_shuffle_xor_##width##_u32, u32, u32, warp::shuffle_xor<width>(v, which))

SHUFFLES(0);
SHUFFLES(8);

#define BY(kind, distance, type) \
  WARP_OPERATION(whole_by_##kind##_##distance##_##type, type, type, warp::shuffle_##kind(v, distance))

BY(xor, 16, u32);
BY(xor, 16, f64);
BY(up, 1, u32);
BY(up, 2, f64);
BY(up, 4, u32);
BY(up, 8, u32);
BY(down, 1, u32);
BY(down, 2, f64);
BY(down, 4, u32);
BY(down, 8, u32);
