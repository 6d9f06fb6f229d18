// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads warpz/device.hpp wants in a block, how many blocks are of use, and how much memory the blocks need
// to hand values to each other. For host code, too: nothing of HIP's is needed here.
#pragma once

#include <cstddef>
#include <cstdint>

// A kernel computes with some of it, too.
#if defined(__HIP__) || defined(__CUDACC__)
#define WARPZ_HOST_DEVICE __host__ __device__
#else
#define WARPZ_HOST_DEVICE
#endif

namespace warpz {
namespace device {

/// Threads of a block, in one dimension: a whole number of warps, whatever their size.
inline constexpr unsigned block_threads = 256;

/// More blocks than this bring nothing: they are about as many as a device runs at once, and each works until nothing
/// is left. Those that begin then cost time.
inline constexpr unsigned max_blocks = 1024;

}  // namespace device

namespace detail {

/// Bytes that a lane loads or stores at once.
inline constexpr unsigned access_bytes = 16;

/// Consecutive elements of a lane.
template <class _Tp>
inline constexpr unsigned access_elements = access_bytes / static_cast<unsigned>(sizeof(_Tp));

/// A warp's part of a tile consists of rows: one access of each of its lanes. As many as there is room for, since a
/// block waits once a tile: in registers for a reduction, in 48 KiB of shared memory for the others.
inline constexpr unsigned reduce_rows = 16, scan_rows = 11;
/// Those of a split: each of a lane's elements has a bit of a word.
template <class _Tp>
inline constexpr unsigned split_rows = sizeof(_Tp) < 4 ? 2 * static_cast<unsigned>(sizeof(_Tp)) : 8;

/// What a block works on at once.
template <class _Tp, unsigned rows>
inline constexpr unsigned tile_elements = device::block_threads* rows* access_elements<_Tp>;

/// How many parts of that length the array has, the last one perhaps shorter.
WARPZ_HOST_DEVICE constexpr std::size_t parts_of(std::size_t size, std::size_t length) {
  return (size + length - 1) / length;
}

/// A reduction's blocks take chunks of one to four tiles: the more a block loads in one go, the less time is lost when
/// one ends and the next one begins, as long as there are enough of them.
template <class _Tp>
WARPZ_HOST_DEVICE constexpr std::size_t chunk_elements(std::size_t size) {
  constexpr std::size_t tile = tile_elements<_Tp, reduce_rows>, enough = 256, most = 4;
  const std::size_t tiles = size / tile / enough;
  return tile * (tiles < 1 ? 1 : tiles > most ? most : tiles);
}

/// 32-bit words of the counters in front of all else: 32 bytes.
inline constexpr std::size_t counter_words = 8;

/// Tiles whose sums are added up as one: a warp's lanes, and so at least as many.
inline constexpr std::size_t least_group = 32;

/// Values that blocks publish for `tiles` tiles: one each, one for each group, and one for each group of groups.
constexpr std::size_t published_values(std::size_t tiles) {
  const std::size_t groups = parts_of(tiles, least_group);
  return tiles + groups + parts_of(groups, least_group);
}

/// 32-bit words of a result: a narrow type's has one, too.
template <class _Tp>
inline constexpr std::size_t result_words = parts_of(sizeof(_Tp), sizeof(std::uint32_t));

/// 32-bit words of a published value: each word of it beside a flag.
template <class _Tp>
inline constexpr std::size_t published_words = 2 * result_words<_Tp>;

/// The digits of a sort: their bits, and how many values one can have, one for each thread of a block.
inline constexpr unsigned digit_bits = 8, digit_values = 1 << digit_bits;
static_assert(digit_values == device::block_threads, "a thread for each digit");

/// Keys of a thread at once, and of a block: as many as there is room for in registers.
template <class _Tp>
inline constexpr unsigned sort_items = sizeof(_Tp) == sizeof(std::uint64_t) ? 24
                                       : sizeof(_Tp) == 1                   ? 128
                                                                            : 32;
template <class _Tp>
inline constexpr unsigned sort_tile = device::block_threads* sort_items<_Tp>;

/// Those of which 48 KiB of shared memory have room for all: so many one block sorts.
template <class _Tp>
inline constexpr unsigned sort_block_items = sizeof(_Tp) == sizeof(std::uint64_t) ? 16 : sort_items<_Tp>;
template <class _Tp>
inline constexpr unsigned sort_block_keys = device::block_threads* sort_block_items<_Tp>;

/// 32-bit words in front of a sort's tiles.
template <class _Tp>
inline constexpr std::size_t sort_control_words = counter_words + 16 + sizeof(_Tp) * digit_values;

/// 32-bit words that many blocks count in.
template <class _Tp>
constexpr std::size_t sort_counters(std::size_t size) {
  if (sizeof(_Tp) == 1) return sort_control_words<_Tp>;
  return sort_control_words<_Tp> + parts_of(size, sort_tile<_Tp>) * digit_values * 2;
}

}  // namespace detail

namespace device {

/// Blocks that are of use for `size` elements of type _Tp, to all but sum, max and min. Any thread may call it, on the
/// host. Other names: the grid that CUB chooses.
template <class _Tp>
constexpr unsigned blocks_for(std::size_t size) {
  const std::size_t tiles = detail::parts_of(size, detail::tile_elements<_Tp, detail::split_rows<_Tp>>);
  return tiles < max_blocks ? static_cast<unsigned>(tiles) : max_blocks;
}

/// Blocks that are of use to sum, max and min, which wait for nobody: one for each chunk. Any thread may call it, on
/// the host. Other names: the grid that CUB chooses.
template <class _Tp>
constexpr unsigned reduce_blocks(std::size_t size) {
  return static_cast<unsigned>(detail::parts_of(size, detail::chunk_elements<_Tp>(size)));
}

/// 32-bit words of the state of sum, max and min. Any thread may call it, on the host. Other names: temp_storage_bytes
/// (CUB, rocPRIM).
template <class _Tp>
constexpr std::size_t reduce_state(std::size_t size) {
  return detail::counter_words + detail::parts_of(size, detail::chunk_elements<_Tp>(size)) * detail::result_words<_Tp>;
}

/// 32-bit words of the state of prefix_sum. Any thread may call it, on the host. Other names: temp_storage_bytes (CUB,
/// rocPRIM).
template <class _Tp>
constexpr std::size_t scan_state(std::size_t size) {
  return detail::counter_words +
         detail::published_values(detail::parts_of(size, detail::tile_elements<_Tp, detail::scan_rows>)) *
             detail::published_words<_Tp>;
}

/// 32-bit words of the state of compact and partition. Any thread may call it, on the host. Other names:
/// temp_storage_bytes (CUB, rocPRIM).
template <class _Tp>
constexpr std::size_t split_state(std::size_t size) {
  return detail::counter_words +
         detail::published_values(detail::parts_of(size, detail::tile_elements<_Tp, detail::split_rows<_Tp>>)) *
             detail::published_words<std::uint32_t>;
}

/// 32-bit words at the beginning of sort's state that have to be zero at the launch: none where one block sorts all;
/// behind them is room for elements, where anything may lie. Any thread may call it, on the host. Other names: none.
template <class _Tp>
constexpr std::size_t sort_zeros(std::size_t size) {
  return size <= detail::sort_block_keys<_Tp> ? 0 : detail::sort_counters<_Tp>(size);
}

/// 32-bit words of the state of sort. Any thread may call it, on the host. Other names: temp_storage_bytes (CUB,
/// rocPRIM).
template <class _Tp>
constexpr std::size_t sort_state(std::size_t size) {
  const std::size_t moved = sizeof(_Tp) == 1 ? 0 : size;
  return detail::sort_counters<_Tp>(size) + detail::parts_of(moved * sizeof(_Tp), sizeof(std::uint32_t));
}

}  // namespace device
}  // namespace warpz
