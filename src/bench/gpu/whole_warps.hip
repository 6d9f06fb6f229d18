// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of the warp and block operations of one type, in blocks of whole warps: WARPZ_BENCH_NUMBER, which the table
// calls WARPZ_BENCH_TYPE. With WARPZ_BENCH_ALONE the others are left out.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <hip/hip_runtime.h>

#include "peers.hpp"
#include "rows.hpp"
#include "warpz/block.hpp"
#include "warpz/sync.hpp"
#include "warpz/warp.hpp"

#define INTRINSIC(...) PEER("intrinsic", bench::nothing_known, __VA_ARGS__)
#define GROUPS(...) PEER("cooperative groups", bench::warp_tile, __VA_ARGS__)
#define CUB(...) PEER("cub", bench::nothing_known, __VA_ARGS__)

namespace {

using namespace bench;
namespace ours = warpz::warp;

constexpr int block_size = 256;

template <class T>
void reductions(const rows_of<T>& row) {
  row("sum", {OURS(ours::sum(v)), GROUPS(cg::reduce(here.group, v, cg::plus<T>())), CUB(warp_reduce<T>().Sum(v))});
  row("max", {OURS(ours::max(v)), GROUPS(cg::reduce(here.group, v, cg_max<T>())),
              CUB(warp_reduce<T>().Reduce(v, cub_max<T>()))});
  row("min", {OURS(ours::min(v)), GROUPS(cg::reduce(here.group, v, cg_min<T>())),
              CUB(warp_reduce<T>().Reduce(v, cub_min<T>()))});
  // None of cooperative groups, whose reduce() needs an operation that commutes.
  row("reduce all own",
      {OURS(ours::reduce(ours::xor_lanes, v, times())), CUB(from_first_lane(warp_reduce<T>().Reduce(v, times())))});
  row("reduce down own", {OURS(ours::reduce(ours::down_lanes, v, times())), CUB(warp_reduce<T>().Reduce(v, times()))});
  row("reduce up own", {OURS(ours::reduce(ours::up_lanes, v, times())), CUB(warp_reduce<T>().Reduce(v, times()))});
}

template <class T>
void scans(const rows_of<T>& row) {
  row("inclusive scan", {OURS(ours::prefix_sum(v)), GROUPS(cg::inclusive_scan(here.group, v, cg::plus<T>())),
                         CUB((warp_scan<T>().InclusiveSum(v, v), v))});
  row("exclusive scan", {OURS(ours::prefix_sum<true>(v)), GROUPS(cg::exclusive_scan(here.group, v, cg::plus<T>())),
                         CUB((warp_scan<T>().ExclusiveSum(v, v), v))});
  row("inclusive scan own",
      {OURS(ours::scan(v, times(), T(1.0F))), GROUPS(cg::inclusive_scan(here.group, v, times_flipped())),
       CUB((warp_scan<T>().InclusiveScan(v, v, times()), v))});
  row("exclusive scan own",
      {OURS(ours::scan<true>(v, times(), T(1.0F))), GROUPS(cg::exclusive_scan(here.group, v, times_flipped())),
       CUB((warp_scan<T>().ExclusiveScan(v, v, T(1.0F), times()), v))});
}

#define OF_GROUPS(...) PEER("cooperative groups", bench::lane_tile<lanes>, __VA_ARGS__)

template <unsigned lanes, class T>
void lane_groups(const rows_of<T>& row) {
  const std::string size = " " + std::to_string(lanes);
  row("group sum" + size, {OURS(ours::lane_group_sum<lanes>(v)), OF_GROUPS(cg::reduce(here.group, v, cg::plus<T>())),
                           CUB(warp_reduce<T, lanes>().Sum(v))});
  row("group max" + size, {OURS(ours::lane_group_max<lanes>(v)), OF_GROUPS(cg::reduce(here.group, v, cg_max<T>())),
                           CUB(warp_reduce<T, lanes>().Reduce(v, cub_max<T>()))});
  row("group min" + size, {OURS(ours::lane_group_min<lanes>(v)), OF_GROUPS(cg::reduce(here.group, v, cg_min<T>())),
                           CUB(warp_reduce<T, lanes>().Reduce(v, cub_min<T>()))});
  row("group all own" + size, {OURS(ours::lane_group_reduce<lanes>(ours::xor_lanes, v, times())),
                               CUB(from_first_lane<lanes>(warp_reduce<T, lanes>().Reduce(v, times())))});
  row("group down own" + size, {OURS(ours::lane_group_reduce<lanes>(ours::down_lanes, v, times())),
                                CUB(warp_reduce<T, lanes>().Reduce(v, times()))});
  row("group up own" + size, {OURS(ours::lane_group_reduce<lanes>(ours::up_lanes, v, times())),
                              CUB(warp_reduce<T, lanes>().Reduce(v, times()))});
}

template <class T>
void shuffles(const rows_of<T>& row) {
  row("shuffle_xor 4", {OURS(ours::shuffle_xor(v, 4)), INTRINSIC(__shfl_xor_sync(everyone, v, 4))});
  row("shuffle_down 1", {OURS(ours::shuffle_down(v, 1)), INTRINSIC(__shfl_down_sync(everyone, v, 1))});
  row("shuffle_up 1", {OURS(ours::shuffle_up(v, 1)), INTRINSIC(__shfl_up_sync(everyone, v, 1))});
  row("shuffle_idx",
      {OURS(ours::shuffle_idx(v, threadIdx.x & 15)), INTRINSIC(__shfl_sync(everyone, v, threadIdx.x & 15))});
  row("shuffle_xor<8> 4", {OURS(ours::shuffle_xor<8>(v, 4)), INTRINSIC(__shfl_xor_sync(everyone, v, 4, 8))});
  row("shuffle_down<8> 1", {OURS(ours::shuffle_down<8>(v, 1)), INTRINSIC(__shfl_down_sync(everyone, v, 1, 8))});
  row("shuffle_up<8> 1", {OURS(ours::shuffle_up<8>(v, 1)), INTRINSIC(__shfl_up_sync(everyone, v, 1, 8))});
  row("shuffle_idx<8>", {OURS(ours::shuffle_idx<8>(v, (threadIdx.x + 3) & 7)),
                         INTRINSIC(__shfl_sync(everyone, v, (threadIdx.x + 3) & 7, 8))});
  row("broadcast", {OURS(ours::broadcast(v)), INTRINSIC(__shfl_sync(everyone, v, 0))});
  row("broadcast of lane 5", {OURS(ours::broadcast(v, 5)), INTRINSIC(__shfl_sync(everyone, v, 5))});
}

#define OF_BLOCK(...) PEER("cooperative groups", bench::block_tile<block_size>, __VA_ARGS__)
#define CUB_RAKING(...) PEER("cub raking", bench::nothing_known, __VA_ARGS__)

/// Raking adds floats in an order that depends on the block's size, and its exclusive result is not the inclusive one
/// of the thread before: of them it is a peer of the fast scan alone.
template <class T>
implementation if_any_order(implementation peer) {
  return std::is_integral<T>::value ? peer : implementation{};
}

template <class T>
void block_operations(const rows_of<T>& row) {
  row("block sum to thread 0",
      {OURS(warpz::block::sum<false, block_size>(v)), CUB(finished(block_reduce<T, block_size>().Sum(v)))});
  row("block sum", {OURS(warpz::block::sum<true, block_size>(v)), CUB(from_first(block_reduce<T, block_size>().Sum(v))),
                    OF_BLOCK(cg::reduce(here.group, v, cg::plus<T>()))});
  row("block max to thread 0", {OURS(warpz::block::max<false, block_size>(v)),
                                CUB(finished(block_reduce<T, block_size>().Reduce(v, cub_max<T>())))});
  row("block max", {OURS(warpz::block::max<true, block_size>(v)),
                    CUB(from_first(block_reduce<T, block_size>().Reduce(v, cub_max<T>()))),
                    OF_BLOCK(cg::reduce(here.group, v, cg_max<T>()))});
  row("block min to thread 0", {OURS(warpz::block::min<false, block_size>(v)),
                                CUB(finished(block_reduce<T, block_size>().Reduce(v, cub_min<T>())))});
  row("block min", {OURS(warpz::block::min<true, block_size>(v)),
                    CUB(from_first(block_reduce<T, block_size>().Reduce(v, cub_min<T>()))),
                    OF_BLOCK(cg::reduce(here.group, v, cg_min<T>()))});
  row("block scan", {OURS(warpz::block::prefix_sum<false, block_size>(v)),
                     CUB((block_scan<T, block_size>().InclusiveSum(v, v), finished(v))),
                     if_any_order<T>(CUB_RAKING((block_scan_raking<T, block_size>().InclusiveSum(v, v), finished(v)))),
                     OF_BLOCK(cg::inclusive_scan(here.group, v, cg::plus<T>()))});
  row("block exclusive scan",
      {OURS(warpz::block::prefix_sum<true, block_size>(v)),
       CUB((block_scan<T, block_size>().ExclusiveSum(v, v), finished(v))),
       if_any_order<T>(CUB_RAKING((block_scan_raking<T, block_size>().ExclusiveSum(v, v), finished(v)))),
       OF_BLOCK(cg::exclusive_scan(here.group, v, cg::plus<T>()))});
  row("block fast scan", {OURS(warpz::block::fast_prefix_sum<false, block_size>(v)),
                          CUB((block_scan<T, block_size>().InclusiveSum(v, v), finished(v))),
                          CUB_RAKING((block_scan_raking<T, block_size>().InclusiveSum(v, v), finished(v))),
                          OF_BLOCK(cg::inclusive_scan(here.group, v, cg::plus<T>()))});
  row("block fast exclusive scan", {OURS(warpz::block::fast_prefix_sum<true, block_size>(v)),
                                    CUB((block_scan<T, block_size>().ExclusiveSum(v, v), finished(v))),
                                    CUB_RAKING((block_scan_raking<T, block_size>().ExclusiveSum(v, v), finished(v))),
                                    OF_BLOCK(cg::exclusive_scan(here.group, v, cg::plus<T>()))});
  row("block broadcast", {OURS(warpz::block::broadcast<block_size>(v)), INTRINSIC(finished(from_first(v)))});
}

/// Integers: what the hardware has for their bits.
template <class T>
void words(const rows_of<T>& row) {
  row("match_any", {OURS(v ^ ours::match_any(v)), INTRINSIC(v ^ __match_any_sync(everyone, v))});
  row("match_all", {OURS(v ^ ours::match_all(v)), INTRINSIC(v ^ all_that_match(v))});
  if constexpr (sizeof(T) == 4) {
    row("sum", {INTRINSIC(__reduce_add_sync(everyone, v))});
    row("max", {INTRINSIC(__reduce_max_sync(everyone, v))});
    row("min", {INTRINSIC(__reduce_min_sync(everyone, v))});
  }
}

/// What has no type.
template <class T>
void questions(const rows_of<T>& row) {
  row("vote", {OURS(v ^ ours::vote(v > 5)), INTRINSIC(v ^ __ballot_sync(everyone, v > 5))});
  row("any", {OURS(v ^ ours::any(v > 5)), INTRINSIC(v ^ __any_sync(everyone, v > 5))});
  row("all", {OURS(v ^ ours::all(v > 5)), INTRINSIC(v ^ __all_sync(everyone, v > 5))});
  row("partition", {OURS(v ^ ours::partition(v, v > 5)), INTRINSIC(v ^ place_in_partition(everyone, v > 5))});
  row("syncwarp", {OURS((warpz::syncwarp(), v)), INTRINSIC((__syncwarp(), v))});
  row("threadfence of block",
      {OURS((warpz::threadfence<warpz::scope::block>(), v)), INTRINSIC((__threadfence_block(), v))});
}

template <class T>
void barriers(const rows_of<T>& row) {
  row("barrier", {OURS((warpz::barrier(), v)), INTRINSIC((__syncthreads(), v))});
  row("named_barrier",
      {OURS((warpz::named_barrier(1, block_size), v)), INTRINSIC((__barrier_sync_count(1, block_size), v))});
}

}  // namespace

int main(int count, char** arguments) {
  using number = WARPZ_BENCH_NUMBER;
  const rows_of<number> of_warps(WARPZ_BENCH_TYPE, 32, block_size), of_blocks(WARPZ_BENCH_TYPE, block_size, block_size);
  reductions(of_warps);
  scans(of_warps);
  lane_groups<2>(of_warps);
  lane_groups<4>(of_warps);
  lane_groups<8>(of_warps);
  lane_groups<16>(of_warps);
  lane_groups<32>(of_warps);
  shuffles(of_warps);
  block_operations(of_blocks);
  if constexpr (std::is_integral<number>::value) words(of_warps);
  if constexpr (std::is_same<number, int>::value) {
    questions(of_warps);
    barriers(of_blocks);
  }
  return measure_rows(count, arguments);
}
