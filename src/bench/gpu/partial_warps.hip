// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of the warp and block operations of one type (whole_warps.hip says how it is given) in blocks that end within a
// warp. The others are told which lanes exist, which their users find out once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <hip/hip_runtime.h>

#include "peers.hpp"
#include "rows.hpp"
#include "warpz/block.hpp"
#include "warpz/warp.hpp"

#define INTRINSIC(...) PEER("intrinsic", bench::lanes_here, __VA_ARGS__)
#define GROUPS(...) PEER("cooperative groups", bench::coalesced_lanes, __VA_ARGS__)
#define EIGHTS(...) PEER("cooperative groups", bench::coalesced_eights, __VA_ARGS__)
#define CUB(...) PEER("cub", bench::lanes_here, __VA_ARGS__)

namespace {

using namespace bench;
namespace ours = warpz::warp;

/// A chain's warp, and the last one of a full GPU's blocks, have as many lanes.
constexpr int lanes = 20, block_size = 224 + lanes;

template <class T>
void reductions(const rows_of<T>& row) {
  row("sum",
      {OURS(ours::sum(v)), GROUPS(cg::reduce(here.group, v, cg::plus<T>())), CUB(warp_reduce<T>().Sum(v, here.count))});
  row("max", {OURS(ours::max(v)), GROUPS(cg::reduce(here.group, v, cg_max<T>())),
              CUB(warp_reduce<T>().Reduce(v, cub_max<T>(), here.count))});
  row("min", {OURS(ours::min(v)), GROUPS(cg::reduce(here.group, v, cg_min<T>())),
              CUB(warp_reduce<T>().Reduce(v, cub_min<T>(), here.count))});
  row("reduce all own", {OURS(ours::reduce(ours::xor_lanes, v, times())),
                         CUB(from_first_lane(warp_reduce<T>().Reduce(v, times(), here.count), here.mask))});
  row("reduce down own",
      {OURS(ours::reduce(ours::down_lanes, v, times())), CUB(warp_reduce<T>().Reduce(v, times(), here.count))});
  row("reduce up own",
      {OURS(ours::reduce(ours::up_lanes, v, times())), CUB(warp_reduce<T>().Reduce(v, times(), here.count))});
}

template <class T>
void scans(const rows_of<T>& row) {
  row("inclusive scan", {OURS(ours::prefix_sum(v)), GROUPS(cg::inclusive_scan(here.group, v, cg::plus<T>()))});
  row("exclusive scan", {OURS(ours::prefix_sum<true>(v)), GROUPS(cg::exclusive_scan(here.group, v, cg::plus<T>()))});
  row("inclusive scan own",
      {OURS(ours::scan(v, times(), T(1.0F))), GROUPS(cg::inclusive_scan(here.group, v, times_flipped()))});
  row("exclusive scan own",
      {OURS(ours::scan<true>(v, times(), T(1.0F))), GROUPS(cg::exclusive_scan(here.group, v, times_flipped()))});
}

template <class T>
void groups_of_8(const rows_of<T>& row) {
  row("group sum 8", {OURS(ours::lane_group_sum<8>(v)), EIGHTS(cg::reduce(here.group, v, cg::plus<T>())),
                      CUB(warp_reduce<T, 8>().Sum(v, here.of_segment(8)))});
  row("group max 8", {OURS(ours::lane_group_max<8>(v)), EIGHTS(cg::reduce(here.group, v, cg_max<T>())),
                      CUB(warp_reduce<T, 8>().Reduce(v, cub_max<T>(), here.of_segment(8)))});
  row("group all own 8",
      {OURS(ours::lane_group_reduce<8>(ours::xor_lanes, v, times())),
       CUB(from_first_lane<8>(warp_reduce<T, 8>().Reduce(v, times(), here.of_segment(8)), here.mask))});
  row("group down own 8", {OURS(ours::lane_group_reduce<8>(ours::down_lanes, v, times())),
                           CUB(warp_reduce<T, 8>().Reduce(v, times(), here.of_segment(8)))});
}

template <class T>
void shuffles(const rows_of<T>& row) {
  row("shuffle_xor 4",
      {OURS(ours::shuffle_xor(v, 4)), INTRINSIC(here.choose(here.lane ^ 4, __shfl_xor_sync(here.mask, v, 4), v))});
  row("shuffle_down 1",
      {OURS(ours::shuffle_down(v, 1)), INTRINSIC(here.choose(here.lane + 1, __shfl_down_sync(here.mask, v, 1), v))});
  row("shuffle_up 1", {OURS(ours::shuffle_up(v, 1)), INTRINSIC(__shfl_up_sync(here.mask, v, 1))});
  row("shuffle_idx", {OURS(ours::shuffle_idx(v, threadIdx.x & 15)),
                      INTRINSIC(here.choose(here.lane & 15, __shfl_sync(here.mask, v, threadIdx.x & 15), v))});
  row("shuffle_xor<8> 4", {OURS(ours::shuffle_xor<8>(v, 4)),
                           INTRINSIC(here.choose(here.lane ^ 4, __shfl_xor_sync(here.mask, v, 4, 8), v))});
  row("shuffle_down<8> 1", {OURS(ours::shuffle_down<8>(v, 1)),
                            INTRINSIC(here.choose(here.lane + 1, __shfl_down_sync(here.mask, v, 1, 8), v))});
  row("shuffle_up<8> 1", {OURS(ours::shuffle_up<8>(v, 1)), INTRINSIC(__shfl_up_sync(here.mask, v, 1, 8))});
  row("broadcast", {OURS(ours::broadcast(v)), INTRINSIC(__shfl_sync(here.mask, v, 0))});
  row("broadcast of lane 5", {OURS(ours::broadcast(v, 5)), INTRINSIC(here.choose(5, __shfl_sync(here.mask, v, 5), v))});
}

/// For its results, which have to be the same.
#define SIZE_UNKNOWN(...) \
  bench::by<T, bench::nothing_known>("warpz of unknown size", STEP(bench::nothing_known, __VA_ARGS__))

template <class T>
void block_operations(const rows_of<T>& row) {
  row("block sum to thread 0",
      {OURS(warpz::block::sum<false, block_size>(v)), CUB(finished(block_reduce<T, block_size>().Sum(v)))});
  row("block sum", {OURS(warpz::block::sum<true, block_size>(v)), SIZE_UNKNOWN(warpz::block::sum<true>(v)),
                    CUB(from_first(block_reduce<T, block_size>().Sum(v)))});
  row("block max to thread 0", {OURS(warpz::block::max<false, block_size>(v)),
                                CUB(finished(block_reduce<T, block_size>().Reduce(v, cub_max<T>())))});
  row("block max", {OURS(warpz::block::max<true, block_size>(v)), SIZE_UNKNOWN(warpz::block::max<true>(v)),
                    CUB(from_first(block_reduce<T, block_size>().Reduce(v, cub_max<T>())))});
  row("block min", {OURS(warpz::block::min<true, block_size>(v)), SIZE_UNKNOWN(warpz::block::min<true>(v)),
                    CUB(from_first(block_reduce<T, block_size>().Reduce(v, cub_min<T>())))});
  row("block scan", {OURS(warpz::block::prefix_sum<false, block_size>(v)), SIZE_UNKNOWN(warpz::block::prefix_sum(v))});
  row("block exclusive scan",
      {OURS(warpz::block::prefix_sum<true, block_size>(v)), SIZE_UNKNOWN(warpz::block::prefix_sum<true>(v))});
  if constexpr (std::is_integral<T>::value) {
    row("block scan", {CUB((block_scan_raking<T, block_size>().InclusiveSum(v, v), finished(v)))});
    row("block exclusive scan", {CUB((block_scan_raking<T, block_size>().ExclusiveSum(v, v), finished(v)))});
  }
  row("block fast scan", {OURS(warpz::block::fast_prefix_sum<false, block_size>(v)),
                          CUB((block_scan_raking<T, block_size>().InclusiveSum(v, v), finished(v)))});
  row("block fast exclusive scan", {OURS(warpz::block::fast_prefix_sum<true, block_size>(v)),
                                    CUB((block_scan_raking<T, block_size>().ExclusiveSum(v, v), finished(v)))});
  row("block broadcast", {OURS(warpz::block::broadcast<block_size>(v)), INTRINSIC(finished(from_first(v)))});
}

/// Integers: what the hardware has for their bits.
template <class T>
void words(const rows_of<T>& row) {
  row("match_any", {OURS(v ^ ours::match_any(v)), INTRINSIC(v ^ __match_any_sync(here.mask, v))});
  row("match_all", {OURS(v ^ ours::match_all(v)), INTRINSIC(v ^ all_that_match(v, here.mask))});
  if constexpr (sizeof(T) == 4) {
    row("sum", {INTRINSIC(__reduce_add_sync(here.mask, v))});
    row("max", {INTRINSIC(__reduce_max_sync(here.mask, v))});
    row("min", {INTRINSIC(__reduce_min_sync(here.mask, v))});
  }
}

template <class T>
void questions(const rows_of<T>& row) {
  row("vote", {OURS(v ^ ours::vote(v > 5)), INTRINSIC(v ^ __ballot_sync(here.mask, v > 5))});
  row("any", {OURS(v ^ ours::any(v > 5)), INTRINSIC(v ^ __any_sync(here.mask, v > 5))});
  row("all", {OURS(v ^ ours::all(v > 5)), INTRINSIC(v ^ __all_sync(here.mask, v > 5))});
  row("partition", {OURS(v ^ ours::partition(v, v > 5)), INTRINSIC(v ^ place_in_partition(here.mask, v > 5))});
}

}  // namespace

int main(int count, char** arguments) {
  using number = WARPZ_BENCH_NUMBER;
  const rows_of<number> of_warps(WARPZ_BENCH_TYPE, lanes, block_size);
  const rows_of<number> of_blocks(WARPZ_BENCH_TYPE, block_size, block_size);
  reductions(of_warps);
  scans(of_warps);
  groups_of_8(of_warps);
  shuffles(of_warps);
  block_operations(of_blocks);
  if constexpr (std::is_integral<number>::value) words(of_warps);
  if constexpr (std::is_same<number, int>::value) questions(of_warps);
  return measure_rows(count, arguments);
}
