// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sort of warpz/distributed.hpp on two GPUs: as on one (device_sort.hpp), but that the keys change GPUs between the
// first pass and the second one.
//
//     splitter      a key that half of all keys come before, as far as a sample of them tells
//     count         each GPU counts its keys' digits, apart for those before the splitter and behind it
//     pass 0        each GPU sorts its keys by splitter and lowest digit, in its own memory
//     pass 1        each GPU takes its keys from both, digit by digit, and sorts them by the next digit
//     passes 2, …   in its own memory; the last one writes to the output, which may be on the other GPU
//
//     after pass 0, on GPU 0    before the splitter 0 0 1 2   behind it 0 1 1 3      the keys' lowest digits
//                   on GPU 1                        0 1 1 2             0 2 2 3
//     GPU 0 takes               0 0 0 1 1 1 2 2                                      of each digit both GPUs' run
//     GPU 1 takes                                           0 0 1 1 2 2 3 3
//
// So the links are busy while keys are being sorted. Pass 1 reads what the other GPU has, in whole lines; to write it
// there in pass 0 would be to send it in pieces of a few keys.
//
// Of equal keys those come first that lie first in the whole array, also on the splitter's two sides. It is therefore
// a key at a place, and all keys may be equal. Where the sample was wrong by more than there is room for, all this does
// nothing and the GPUs merge (distributed_sort.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/device_sort.hpp"
#include "warpz/detail/grid_constant.hpp"
#include "warpz/gpu_group.hpp"

namespace warpz {
namespace detail {

/// The sides of the splitter, and the GPUs.
inline constexpr unsigned sides = 2;

/// Keys in a thread's share of the sample, and in all of it. The GPUs' parts differ by 0.6 per cent or so.
inline constexpr unsigned sample_items = 32, sample_most = device::block_threads * sample_items;

WARPZ_HOST_DEVICE constexpr unsigned sample_size(std::size_t keys) {
  return keys < sample_most ? static_cast<unsigned>(keys) : sample_most;
}

/// Where key `i` of the sample lies: somewhere in the i-th of equal parts of the array.
WARPZ_HOST_DEVICE constexpr std::size_t sample_place(unsigned i, unsigned samples, std::size_t keys) {
  const std::size_t first = i * keys / samples, end = (i + std::size_t{1}) * keys / samples;
  unsigned mixed = (i + 1) * 0x9E3779B9U;
  mixed = (mixed ^ mixed >> 16) * 0x85EBCA6BU;
  return first + (mixed ^ mixed >> 13) % (end - first);
}

/// The least key behind the splitter, of all with its bits the first one: all keys before it go to GPU 0.
template <class _Tp>
struct splitter {
  key_bits<_Tp> bits;
  std::size_t place;  ///< in the whole array
};

/// What two GPUs know of their sort.
template <class _Tp>
struct exchange_state {
  // Zeros at the start.
  device_counters tickets[sizeof(_Tp) + 1];           ///< of the count, and of each pass
  unsigned count[sizeof(_Tp) * sides][digit_values];  ///< the GPU's own keys with each digit, by pass and side

  // Set by plan_exchange().
  splitter<_Tp> limit;
  unsigned first_split[sides][digit_values];  ///< where the first key belongs in pass 0
  unsigned first[sizeof(_Tp)][digit_values];  ///< and in later ones
  std::size_t keys, before;                   ///< those that the GPU sorts, and those that come before them
  unsigned is_merged;                         ///< 1 if there is no room for them
  unsigned tiles_of_runs;
  unsigned first_tile[digit_values];  ///< of pass 1's tiles the first one with each digit
  unsigned run_first[digit_values][sides], run_size[digit_values][sides];  ///< its keys in both GPUs' memory
};

template <class _Tp>
using exchange_states = distributed::per_gpu<exchange_state<_Tp>*>;

/// Which side of the splitter a GPU's keys are on.
template <class _Tp>
struct side_of {
  key_bits<_Tp> bits;
  std::size_t equal_before;  ///< those of the GPU's keys that are equal and lie before this place are on the lower side

  __device__ __forceinline__ side_of(const splitter<_Tp>& limit, const distributed::layout& dealt, unsigned gpu)
      : bits(limit.bits), equal_before(dealt.elements_of(gpu)) {
    const std::size_t first = gpu * dealt.stripe, before = limit.place < first ? 0 : limit.place - first;
    if (before < equal_before) equal_before = before;
  }

  __device__ __forceinline__ unsigned operator()(_Tp key, std::size_t place) const {
    const key_bits<_Tp> mine = ordered_bits(key);
    return mine > bits || (mine == bits && place >= equal_before) ? 1 : 0;
  }
};

/// How many keys of the sample have each digit, and the digit of the one that is looked for.
struct select_memory {
  unsigned count[digit_values];
  unsigned digit, before;
};

__device__ __forceinline__ select_memory& shared_select_memory() {
  __shared__ select_memory all;
  return all;
}

/// Keeps those of the caller's keys, one a bit of `left`, that have the digit of the key with this rank among all that
/// are left, and makes the rank that among those. All threads of the block take part.
template <class _DigitOf>
__device__ __forceinline__ void select_digit(unsigned& left, unsigned& rank, const _DigitOf& digit_of_item,
                                             const site& at) {
  select_memory& shared = shared_select_memory();
  const unsigned thread = thread_in_tile();
  shared.count[thread] = 0;
  block_barrier(at);
  for (unsigned i = 0; i < sample_items; ++i) {
    if ((left >> i & 1) != 0) atomicAdd(&shared.count[digit_of_item(i)], 1U);
  }
  block_barrier(at);
  const unsigned mine = shared.count[thread], before = block::prefix_sum<true, device::block_threads>(mine, at);
  if (before <= rank && rank < before + mine) {
    shared.digit = thread;
    shared.before = before;
  }
  block_barrier(at);
  for (unsigned i = 0; i < sample_items; ++i) {
    if ((left >> i & 1) != 0 && digit_of_item(i) != shared.digit) left &= ~(1U << i);
  }
  rank -= shared.before;
  block_barrier(at);
}

/// Finds the splitter, each GPU by itself.
template <class _Tp>
__global__ void __launch_bounds__(device::block_threads)
    find_splitter(WARPZ_GRID_CONSTANT exchange_states<_Tp> states,
                  WARPZ_GRID_CONSTANT distributed::array<const _Tp> input, unsigned first_gpu) {
  const site at = here("distributed::sort");
  const distributed::layout& dealt = input.dealt;
  splitter<_Tp>& found = states[first_gpu + blockIdx.x]->limit;
  const unsigned samples = sample_size(dealt.size), thread = thread_in_tile();
  unsigned rank = static_cast<unsigned>(samples * dealt.elements_of(0) / dealt.size), left = 0;
  if (rank == samples) {  // all keys are GPU 0's
    if (thread == 0) found = {static_cast<key_bits<_Tp>>(~key_bits<_Tp>{0}), dealt.size};
    return;
  }
  const auto number_of = [&](unsigned i) { return thread + i * device::block_threads; };
  key_bits<_Tp> bits[sample_items];
  WARPZ_UNROLL
  for (unsigned i = 0; i < sample_items; ++i) {
    if (number_of(i) >= samples) continue;
    const std::size_t place = sample_place(number_of(i), samples, dealt.size);
    const unsigned gpu = place < dealt.stripe ? 0 : 1;
    bits[i] = ordered_bits(input.part[gpu][place - gpu * dealt.stripe]);
    left |= 1U << i;
  }
  const auto select = [&](const auto& word_of, unsigned bytes) {
    for (unsigned shift = bytes * digit_bits; shift != 0;) {
      shift -= digit_bits;
      select_digit(
          left, rank, [&](unsigned i) { return static_cast<unsigned>(word_of(i) >> shift) % digit_values; }, at);
    }
  };
  // By its key, and of equal ones by its place.
  select([&](unsigned i) { return bits[i]; }, sizeof(_Tp));
  select(number_of, 2);
  WARPZ_UNROLL
  for (unsigned i = 0; i < sample_items; ++i) {
    if ((left >> i & 1) != 0) found = {bits[i], sample_place(number_of(i), samples, dealt.size)};
  }
}

template <class _Tp>
struct side_counts {
  unsigned count[sizeof(_Tp) * sides][digit_values];
};

template <class _Tp>
__device__ __forceinline__ side_counts<_Tp>& shared_side_counts() {
  __shared__ side_counts<_Tp> all;
  return all;
}

/// Counts the digits of each GPU's keys.
template <class _Tp>
__global__ void __launch_bounds__(device::block_threads, 2)
    count_sides(WARPZ_GRID_CONSTANT exchange_states<_Tp> states,
                WARPZ_GRID_CONSTANT distributed::array<const _Tp> input, unsigned first_gpu) {
  const site at = here("distributed::sort");
  const unsigned gpu = first_gpu + blockIdx.x;
  exchange_state<_Tp>& state = *states[gpu];
  auto& count = shared_side_counts<_Tp>().count;
  ticket_drawer tickets(&state.tickets[0]);
  const side_of<_Tp> side(state.limit, input.dealt, gpu);
  const counted_tiles counted =
      count_tiles<sides>(count, input.part[gpu], input.dealt.elements_of(gpu), side, tickets, at);
  if (counted.tiles == 0) return;
  block_barrier(at);
  const unsigned digit = thread_in_tile();
  for (unsigned row = 0; row < sizeof(_Tp) * sides; ++row) atomicAdd(&state.count[row][digit], count[row][digit]);
}

/// Makes places of both GPUs' counts, of which each has room for so many keys. All threads of the block take part, each
/// with a digit of its own.
template <class _Tp>
__global__ void __launch_bounds__(device::block_threads)
    plan_exchange(WARPZ_GRID_CONSTANT exchange_states<_Tp> states, distributed::layout dealt, std::size_t room,
                  unsigned first_gpu) {
  const site at = here("distributed::sort");
  const unsigned gpu = first_gpu + blockIdx.x, digit = thread_in_tile();
  exchange_state<_Tp>& state = *states[gpu];
  const auto sum_before = [&](unsigned v) { return block::prefix_sum<true, device::block_threads>(v, at); };
  unsigned lower_keys = 0, tiles = 0;
  for (unsigned from = 0; from < sides; ++from) {
    const auto& count = states[from]->count;
    const unsigned lower = count[0][digit], upper = count[1][digit];
    const unsigned all_lower = block::sum(lower, at);
    const unsigned first_lower = sum_before(lower), first_upper = sum_before(upper) + all_lower;
    if (from == gpu) {
      state.first_split[0][digit] = first_lower;
      state.first_split[1][digit] = first_upper;
    }
    lower_keys += all_lower;
    state.run_first[digit][from] = gpu == 0 ? first_lower : first_upper;
    state.run_size[digit][from] = count[gpu][digit];
    tiles += static_cast<unsigned>(parts_of(count[gpu][digit], sort_tile<_Tp>));
  }
  const unsigned tiles_before = sum_before(tiles);
  state.first_tile[digit] = tiles_before;
  for (unsigned pass = 1; pass < sizeof(_Tp); ++pass) {
    const unsigned row = pass * sides + gpu;
    state.first[pass][digit] = sum_before(states[0]->count[row][digit] + states[1]->count[row][digit]);
  }
  if (digit != digit_values - 1) return;
  const std::size_t upper_keys = dealt.size - lower_keys;
  state.keys = gpu == 0 ? lower_keys : upper_keys;
  state.before = gpu == 0 ? 0 : lower_keys;
  state.is_merged = lower_keys > room || upper_keys > room ? 1 : 0;
  state.tiles_of_runs = tiles_before + tiles;
}

/// Where the block's keys of both sides go.
struct side_memory {
  unsigned offset[sides][digit_values];  ///< from places in the tile to places in the array; wraps
  unsigned lower;                        ///< keys of the tile on the lower side, which come first
};

__device__ __forceinline__ side_memory& shared_side_memory() {
  __shared__ side_memory all;
  return all;
}

/// Pass 0: by side and digit, with a thread's digit counted for both sides in one word. In a tile's words for other
/// blocks each has 31 bits, above which are whether it is the sum from the start and whether it is one of the tile.
template <class _Tp>
struct split_pass {
  using sum = unsigned long long;
  static constexpr unsigned side_bits = 16, sum_bits = 31;
  static constexpr unsigned missing = 1U << side_bits;  ///< what does not exist comes last, on the upper side
  static_assert(sort_tile<_Tp> < missing, "a tile's count has room in half of a word");

  const unsigned (&first)[sides][digit_values];
  _Tp* target;
  const side_of<_Tp>& side;
  std::size_t tile_first;
  unsigned upper_rows = 0;  ///< of the caller's keys in the tile, those that count_of() found on the upper side

  __device__ __forceinline__ unsigned digit(_Tp key) const { return digit_of(key, 0); }
  __device__ __forceinline__ unsigned count_of(_Tp key, unsigned row, unsigned place) {
    const unsigned is_upper = side(key, tile_first + place);
    upper_rows |= is_upper << row;
    return is_upper == 0 ? 1 : missing;
  }
  __device__ __forceinline__ key_places places(unsigned next, warp_lanes same, warp_lanes lanes_below, unsigned row,
                                               const site& at) const {
    const bool is_upper = (upper_rows >> row & 1) != 0;
    const warp_lanes upper = same & static_cast<warp_lanes>(vote(is_upper, at)), lower = same & ~upper;
    const unsigned first_of_side = is_upper ? (next >> side_bits) + shared_side_memory().lower : next & (missing - 1);
    return {first_of_side + count_lanes((is_upper ? upper : lower) & lanes_below),
            next + count_lanes(lower) + count_lanes(upper) * missing};
  }
  __device__ __forceinline__ sum first_of(unsigned digit) const {
    return sum{first[1][digit]} << sum_bits | first[0][digit];
  }
  __device__ __forceinline__ static sum sum_of(unsigned count) {
    return sum{count >> side_bits} << sum_bits | (count & (missing - 1));
  }
  __device__ __forceinline__ static unsigned long long word(bool is_from_start, sum s) {
    return sum{is_from_start ? 3U : 1U} << 2 * sum_bits | s;
  }
  __device__ __forceinline__ static bool is_of_this(unsigned long long word) { return word >> 2 * sum_bits != 0; }
  __device__ __forceinline__ static bool is_from_start(unsigned long long word) { return word >> 63 != 0; }
  __device__ __forceinline__ static sum sum_in(unsigned long long word) { return word << 2 >> 2; }

  __device__ __forceinline__ void begin_tile(unsigned in_tile, unsigned own) const {
    if (thread_in_tile() == digit_values - 1) shared_side_memory().lower = (in_tile + own) & (missing - 1);
  }
  __device__ __forceinline__ void set_offset(sum place, unsigned in_tile) const {
    side_memory& shared = shared_side_memory();
    shared.offset[0][thread_in_tile()] =
        static_cast<unsigned>(place & ((1U << sum_bits) - 1)) - (in_tile & (missing - 1));
    shared.offset[1][thread_in_tile()] =
        static_cast<unsigned>(place >> sum_bits) - ((in_tile >> side_bits) + shared.lower);
  }
  __device__ __forceinline__ void put(unsigned place, _Tp moved) const {
    const side_memory& shared = shared_side_memory();
    target[shared.offset[place < shared.lower ? 0 : 1][digit(moved)] + place] = moved;
  }
};

template <class _Tp>
__global__ void __launch_bounds__(device::block_threads, 2)
    split_keys(WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> target,
               WARPZ_GRID_CONSTANT distributed::array<const _Tp> input, WARPZ_GRID_CONSTANT exchange_states<_Tp> states,
               WARPZ_GRID_CONSTANT distributed::per_gpu<unsigned long long*> words, unsigned first_gpu) {
  const site at = here("distributed::sort");
  const unsigned gpu = first_gpu + blockIdx.x;
  exchange_state<_Tp>& state = *states[gpu];
  if (state.is_merged != 0) return;
  ticket_drawer tickets(&state.tickets[1]);
  const side_of<_Tp> side(state.limit, input.dealt, gpu);
  const std::size_t size = input.dealt.elements_of(gpu), tiles = parts_of(size, sort_tile<_Tp>);
  for (unsigned tile = tickets.drawn(at).number; tile < tiles; tile = tickets.drawn(at).number) {
    split_pass<_Tp> pass{state.first_split, target[gpu], side, std::size_t{tile} * sort_tile<_Tp>};
    sort_tile_of(pass, input.part[gpu], size, tile, words[gpu], tickets, at);
  }
}

/// A tile of pass 1: so many keys of one GPU.
template <class _Tp>
struct run_tile {
  const _Tp* first;
  unsigned size;
};

template <class _Tp>
__device__ __forceinline__ run_tile<_Tp>& shared_run_tile() {
  __shared__ run_tile<_Tp> one;
  return one;
}

/// Which tile of which GPU's run.
struct place_in_runs {
  unsigned gpu, tile;
};

/// The one with this number among those of two runs: in turn as far as it goes, so that the links and the GPU's own
/// memory are both busy. Equal keys have equal bits, whatever their order, but for NaNs: they have the last digit,
/// where GPU 0's come first.
__device__ __forceinline__ place_in_runs place_in_two_runs(unsigned number, unsigned of_first, unsigned of_second,
                                                           bool is_last_digit) {
  if (is_last_digit) return number < of_first ? place_in_runs{0, number} : place_in_runs{1, number - of_first};
  const unsigned paired = of_first < of_second ? of_first : of_second;
  if (number < 2 * paired) return {number % 2, number / 2};
  return {of_first > paired ? 0U : 1U, number - paired};
}

/// Pass 1. Each tile comes in one piece from one GPU.
template <class _Tp>
__global__ void __launch_bounds__(device::block_threads, 2)
    sort_runs(WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> target,
              WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> source, WARPZ_GRID_CONSTANT exchange_states<_Tp> states,
              WARPZ_GRID_CONSTANT distributed::per_gpu<unsigned long long*> words, unsigned first_gpu) {
  const site at = here("distributed::sort");
  const unsigned gpu = first_gpu + blockIdx.x, digit = thread_in_tile();
  exchange_state<_Tp>& state = *states[gpu];
  if (state.is_merged != 0) return;
  ticket_drawer tickets(&state.tickets[2]);
  const sort_pass<_Tp> pass{{1}, state.first[1], target[gpu]};
  const unsigned tiles = state.tiles_of_runs;
  run_tile<_Tp>& shared = shared_run_tile<_Tp>();
  for (unsigned tile = tickets.drawn(at).number; tile < tiles; tile = tickets.drawn(at).number) {
    // The thread whose digit it has says where it lies.
    const auto tiles_of = [&](unsigned from) {
      return static_cast<unsigned>(parts_of(state.run_size[digit][from], sort_tile<_Tp>));
    };
    const unsigned number = tile - state.first_tile[digit];  // wraps
    if (number < tiles_of(0) + tiles_of(1)) {
      const auto [from, own] = place_in_two_runs(number, tiles_of(0), tiles_of(1), digit == digit_values - 1);
      const std::size_t first = std::size_t{own} * sort_tile<_Tp>;
      shared = {source[from] + state.run_first[digit][from] + first,
                existing_in_tile(state.run_size[digit][from], first, sort_tile<_Tp>)};
    }
    block_barrier(at);
    sort_one_tile(
        pass, shared.first, shared.size, tile, [] {}, words[gpu], tickets, at);
  }
}

/// A GPU's sorted keys in the output, most of them in its own memory.
template <class _Tp>
struct keys_in_output {
  _Tp* lower;
  _Tp* upper;
  std::size_t before, stripe;

  __device__ __forceinline__ _Tp& operator[](unsigned i) const {
    const std::size_t place = before + i;
    return place < stripe ? lower[place] : upper[place - stripe];
  }
};

/// A pass within each GPU's memory, or from there to the output.
template <bool is_last, class _Tp>
__global__ void __launch_bounds__(device::block_threads, 2)
    sort_share(WARPZ_GRID_CONSTANT distributed::array<_Tp> target,
               WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> source, WARPZ_GRID_CONSTANT exchange_states<_Tp> states,
               WARPZ_GRID_CONSTANT distributed::per_gpu<unsigned long long*> words, unsigned number,
               unsigned first_gpu) {
  const site at = here("distributed::sort");
  const unsigned gpu = first_gpu + blockIdx.x;
  exchange_state<_Tp>& state = *states[gpu];
  if (state.is_merged != 0) return;
  ticket_drawer tickets(&state.tickets[number + 1]);
  const std::size_t size = state.keys, tiles = parts_of(size, sort_tile<_Tp>);
  const auto go = [&](auto to) {
    const sort_pass<_Tp, decltype(to)> pass{{number}, state.first[number], to};
    for (unsigned tile = tickets.drawn(at).number; tile < tiles; tile = tickets.drawn(at).number) {
      sort_tile_of(pass, static_cast<const _Tp*>(source[gpu]), size, tile, words[gpu], tickets, at);
    }
  };
  if constexpr (is_last) {
    go(keys_in_output<_Tp>{target.part[0], target.part[1], state.before, target.dealt.stripe});
  } else {
    go(target.part[gpu]);
  }
}

/// Where two GPUs' keys are on their way, with room for so many on each.
template <class _Tp>
struct exchange_rooms {
  exchange_states<_Tp> states;
  distributed::per_gpu<unsigned long long*> words;  ///< zeros
  distributed::per_gpu<_Tp*> one, other;
  std::size_t keys;

  /// More than each GPU's part, since a sample tells its share.
  static constexpr std::size_t keys_for(std::size_t part) { return part + part / 16; }
  /// Pass 1 may have a tile for each run that is not full.
  static constexpr std::size_t tiles_for(std::size_t part) {
    constexpr std::size_t runs = std::size_t{sides} * digit_values;
    const std::size_t keys = keys_for(part);
    return keys / sort_tile<_Tp> + (keys < runs ? keys : runs);
  }
};

/// Sorts on both GPUs, or else has each state say that they have to merge.
template <class _Tp>
void sort_by_exchange(distributed::gpu_group& group, const distributed::array<_Tp>& output,
                      const distributed::array<const _Tp>& input, const exchange_rooms<_Tp>& room) {
  const dim3 block(device::block_threads);
  const unsigned blocks = device::blocks_for<_Tp>(input.dealt.elements_of(0));
  group.join();
  group.launch(1, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL(find_splitter<_Tp>, grid, block, 0, stream, room.states, input, gpu);
  });
  group.launch(blocks, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL(count_sides<_Tp>, grid, block, 0, stream, room.states, input, gpu);
  });
  group.join();
  group.launch(1, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL(plan_exchange<_Tp>, grid, block, 0, stream, room.states, input.dealt, room.keys, gpu);
  });
  group.launch(blocks, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL(split_keys<_Tp>, grid, block, 0, stream, room.one, input, room.states, room.words, gpu);
  });
  group.join();
  const std::size_t tiles = exchange_rooms<_Tp>::tiles_for(input.dealt.elements_of(0));
  group.launch(
      tiles < device::max_blocks ? tiles : device::max_blocks, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
        hipLaunchKernelGGL(sort_runs<_Tp>, grid, block, 0, stream, room.other, room.one, room.states, room.words, gpu);
      });
  group.join();
  for (unsigned pass = 2; pass < sizeof(_Tp); ++pass) {
    const auto& source = pass % 2 == 0 ? room.other : room.one;
    const distributed::array<_Tp> between{output.dealt, pass % 2 == 0 ? room.one : room.other};
    const bool is_last = pass + 1 == sizeof(_Tp);
    group.launch(blocks, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
      if (is_last) {
        hipLaunchKernelGGL((sort_share<true, _Tp>), grid, block, 0, stream, output, source, room.states, room.words,
                           pass, gpu);
      } else {
        hipLaunchKernelGGL((sort_share<false, _Tp>), grid, block, 0, stream, between, source, room.states, room.words,
                           pass, gpu);
      }
    });
  }
}

}  // namespace detail
}  // namespace warpz
