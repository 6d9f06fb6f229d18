// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the vendor's fast paths to what shuffles do too, with the same bits: none on the CPU machine, and none where
// WARPZ_PORTABLE is defined. Then it lists what each of these headers has to declare, and what that means.
#pragma once

#include "warpz/detail/platform.hpp"

#if defined(WARPZ_PORTABLE) || defined(__WARPZ_CPU__)
#include "warpz/detail/portable_paths.hpp"
#elif defined(__HIP_PLATFORM_NVIDIA__)
#include "warpz/detail/nvidia_paths.hpp"
#else
#include "warpz/detail/amd_paths.hpp"
#endif

namespace warpz {
namespace detail {

/// What a header of fast paths declares. Nobody uses these names by this namespace: what such a header lacks is an
/// error here, at its name.
namespace required_paths {

// Values that move. `at` is the caller's line.
using detail::broadcast;    ///< (v, at) of the first lane; (v, source, at)
using detail::fetch_above;  ///< (v, distance, at): unspecified where there is no lane so far above
using detail::fetch_below;  ///< (v, distance, at): unspecified where there is no lane so far below
using detail::lane_before;  ///< (v, first, at): the value of the lane before; `first` in lane 0
using detail::short_down;   ///< <width>(v, delta, mask, at): shuffle_down
using detail::short_idx;    ///< <width>(v, source, mask, at): shuffle_idx
using detail::short_up;     ///< <width>(v, delta, mask, at): shuffle_up
using detail::short_xor;    ///< <width>(v, bits, mask, at): shuffle_xor

// Votes.
using detail::match_bits;       ///< <bits>(word, at): the lanes with the same lowest bits
using detail::short_all;        ///< (holds, at)
using detail::short_any;        ///< (holds, at)
using detail::short_match_all;  ///< (v, at)
using detail::short_match_any;  ///< (v, at)

// Reductions.
using detail::adds_in_words;         ///< <T, Combine>: sums had better be of words; then in_word(v), from_word(word)
using detail::combine_if;            ///< (combines, other, v, combine): combine(other, v), or v
using detail::combines_with_itself;  ///< <Combine>: a lane without a partner had better take its own value twice
using detail::has_short_groups;  ///< <lanes, stride, T, Combine>: there is short_groups<lanes>(v, combine), reduce_xor
using detail::has_short_reduce;  ///< <T, Combine>: there is short_reduce(v, combine), of all lanes, for all lanes
using detail::reduces_by_butterfly;  ///< all lanes exist, and short_xor is the best way to reduce them
using detail::reduces_down_for_all;  ///< <T>: what keeps its order is best reduced in the first lane, for all

// Scans.
using detail::has_short_exclusive_scan;  ///< <T, Combine>: there is short_exclusive_scan(v, combine, first)
using detail::has_short_scan;            ///< <T, Combine>: there is short_scan(v, combine), inclusive

// Blocks of a known number of threads.
using detail::joins_in_every_warp;  ///< <threads>: each warp had better combine what all have found
using detail::max_warps;            ///< <threads>: the most warps that they can be
using detail::reads_all_results;    ///< <threads>: each thread had better do so; then keep_shared(pointer), for_scan(v,
                                  ///< combine), scan_in_rows(v, combine), inclusive_of_rows(rows, combine), in_word(v),
                                  ///< from_word(word), add_halves(others, word, a value of their type)
using detail::scan_lanes;  ///< <lanes>(v, combine): inclusive, of the first so many lanes

}  // namespace required_paths
}  // namespace detail
}  // namespace warpz
