// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the vendor's shorter ways to what shuffles do too, with the same bits: none on the CPU machine, and none
// where WARPZ_PORTABLE is defined. Each header gives, in warpz::detail:
//   broadcast(v, at), broadcast(v, source, at)
//   short_idx<width>(v, source, mask, at)     shuffle_idx
//   short_xor<width>(v, bits, mask, at)       shuffle_xor
//   short_up<width>(v, delta, mask, at)       shuffle_up
//   short_down<width>(v, delta, mask, at)     shuffle_down
//   fetch_above(v, distance, at), fetch_below(v, distance, at)    of the lane so far above or below; something or
//                                             other where there is none
//   combine_if(combines, other, v, combine)   combine(other, v) or v
//   short_any(holds, at), short_all(holds, at)
//   short_match_any(v, at), short_match_all(v, at)
//   match_bits<bits>(word, at)                the lanes with the same lowest bits
//   has_short_reduce<T, Combine>, short_reduce(v, combine)    of all lanes, for all lanes
//   has_short_groups<lanes, stride, T, Combine>, short_groups<lanes>(v, combine)    reduce_xor
//   reduces_by_butterfly                      whether all lanes exist, and short_xor is the best way to reduce them
//   adds_in_words<T, Combine>                 whether words had better be added; then in_word(v), from_word(word)
//   combines_with_itself<Combine>             whether a lane without a partner had better take its own value twice
//   reduces_down_for_all<T>                   whether what keeps its order is best reduced in the first lane, for all
//   has_short_scan<T, Combine>, short_scan(v, combine)        inclusive
//   has_short_exclusive_scan<T, Combine>, short_exclusive_scan(v, combine, first)
//   lane_before(v, first, at)                 the value of the lane before, `first` in lane 0
//   reads_all_results<threads>                whether threads had better combine by themselves what all warps found;
//                                             with max_warps<threads>, keep_shared(pointer), for_scan(v, combine),
//                                             inclusive_of_rows(scan_in_rows(v, combine), combine), in_word(v),
//                                             from_word(word), add_halves(others, word, a value of their type)
//   joins_in_every_warp<threads>              whether each warp of a block had better combine what all have found; then
//   max_warps<threads>, scan_lanes<lanes>(v, combine)        inclusive, of the first so many lanes
#pragma once

#include "warpz/detail/platform.hpp"

#if defined(WARPZ_PORTABLE) || defined(__WARPZ_CPU__)
#include "warpz/detail/portable_paths.hpp"
#elif defined(__HIP_PLATFORM_NVIDIA__)
#include "warpz/detail/nvidia_paths.hpp"
#else
#include "warpz/detail/amd_paths.hpp"
#endif
