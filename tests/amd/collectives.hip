// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, scans, votes, and what a lane knows of itself.
#include "kernels.hpp"

#define NUMBERS(type)                                                 \
  WARP_OPERATION(sum_##type, type, type, warp::sum(v));               \
  WARP_OPERATION(max_##type, type, type, warp::max(v));               \
  WARP_OPERATION(min_##type, type, type, warp::min(v));               \
  WARP_OPERATION(prefix_sum_##type, type, type, warp::prefix_sum(v)); \
  WARP_OPERATION(exclusive_prefix_sum_##type, type, type, warp::prefix_sum<true>(v))

NUMBERS(i32);
NUMBERS(u32);
NUMBERS(i64);
NUMBERS(u64);
NUMBERS(f32);
NUMBERS(f64);

WARP_OPERATION(group_sum_8_4_f32, f32, f32, (warp::lane_group_sum<8, 4>(v)));
WARP_OPERATION(group_sum_2_1_f32, f32, f32, warp::lane_group_sum<2>(v));
WARP_OPERATION(group_sum_8_1_f32, f32, f32, warp::lane_group_sum<8>(v));
WARP_OPERATION(group_sum_4_1_f64, f64, f64, warp::lane_group_sum<4>(v));
WARP_OPERATION(group_max_16_1_f32, f32, f32, warp::lane_group_max<16>(v));
WARP_OPERATION(group_max_16_1_i32, i32, i32, (warp::lane_group_max<16>(v)));
WARP_OPERATION(group_hash_4_2_u32, u32, u32, (warp::lane_group_reduce<4, 2>(warp::xor_lanes, v, hash{})));
WARP_OPERATION(group_hash_64_1_u32, u32, u32, warp::reduce(warp::xor_lanes, v, hash{}));
WARP_OPERATION(scan_hash_u32, u32, u32, warp::scan(v, hash{}, 99u));
WARP_OPERATION(exclusive_scan_hash_u32, u32, u32, warp::scan<true>(v, hash{}, 99u));

WARP_OPERATION(match_any_u32, u64, u32, warp::match_any(v % 5));
WARP_OPERATION(match_all_u32, u64, u32, warp::match_all(v | 0xfffffffeu));
WARP_OPERATION(partition_u32, u32, u32, static_cast<u32>(warp::partition(v, (v & 1) != 0)));

WARP_OPERATION(vote_u32, u64, u32, warp::vote((v & 1) != 0));
WARP_OPERATION(any_u32, u32, u32, warp::any((v & 1) != 0) ? 1 : 0);
WARP_OPERATION(all_u32, u32, u32, warp::all((v & 1) != 0) ? 1 : 0);

WARP_OPERATION(size_u32, u32, u32, static_cast<u32>(warp::size()));
WARP_OPERATION(lane_id_u32, u32, u32, static_cast<u32>(warp::lane_id()));

/// Odd values go one way, even ones the other: on AMD the lanes that do are together there.
extern "C" __global__ void active_mask_u32(u64* output, const u32* input, const u32*) {
  const unsigned i = thread_number();
  u64 active = 0;
  if ((input[i] & 1) != 0) active = warp::active_mask();
  output[i] = active;
}
