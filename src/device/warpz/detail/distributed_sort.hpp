// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sort of warpz/distributed.hpp: each GPU sorts its part; then it merges those keys of all parts that belong to its
// own place, from the other GPUs' memory. Two GPUs exchange their keys in between (distributed_exchange.hpp), and merge
// where that cannot be.
//
//     sorted parts     1 4 6 9      2 3 7 8
//     of each GPU      1 4          2 3            the lower half of all, of four keys: cut before 6 and before 7
//     merged           1 2 3 4      6 7 8 9
//
// Where to cut is found digit by digit, as the greatest key that has no more keys below it than belong to the GPUs
// before. Of equal keys those of lower GPUs come first, so that keys which differ in bits that do not count, as those
// of NaNs, keep their order.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <type_traits>

#include "warpz/detail/device_sort.hpp"
#include "warpz/detail/distributed_exchange.hpp"
#include "warpz/detail/grid_constant.hpp"
#include "warpz/gpu_group.hpp"

namespace warpz {
namespace detail {

/// Sorted keys, one behind the other.
template <class _Tp>
struct sorted_run {
  const _Tp* first;
  std::size_t size;
};

/// The runs that a GPU merges, some of them with others.
template <class _Tp>
struct merge_list {
  sorted_run<_Tp> run[distributed::max_gpus];
};

/// Where it says whether GPUs merge, 0 or 1; null where they always do.
using merge_flags = distributed::per_gpu<const unsigned*>;

__device__ __forceinline__ bool is_merged(const merge_flags& flags, unsigned gpu) {
  return flags[gpu] == nullptr || *flags[gpu] != 0;
}

template <class _Tp>
__global__ void __launch_bounds__(device::block_threads, 2)
    sort_parts(WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> sorted,
               WARPZ_GRID_CONSTANT distributed::array<const _Tp> input,
               WARPZ_GRID_CONSTANT distributed::per_gpu<unsigned*> states, WARPZ_GRID_CONSTANT merge_flags flags,
               unsigned first_gpu) {
  const unsigned gpu = first_gpu + blockIdx.x;
  if (!is_merged(flags, gpu)) return;
  sort_device(sorted[gpu], input.part[gpu], input.dealt.elements_of(gpu), states[gpu], blockIdx.y,
              here("distributed::sort"));
}

/// How many of the keys come before those with these bits: at least `from`, at most `to`.
template <class _Tp>
__device__ __forceinline__ std::size_t keys_below(const _Tp* sorted, std::size_t from, std::size_t to,
                                                  key_bits<_Tp> bits) {
  while (from < to) {
    const std::size_t middle = from + (to - from) / 2;
    if (ordered_bits(sorted[middle]) < bits) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

/// What is known of a cut through all parts: it is not before `from` and not behind `to`.
struct cut_memory {
  std::size_t from[distributed::max_gpus], to[distributed::max_gpus];
};

__device__ __forceinline__ cut_memory& shared_cut_memory() {
  __shared__ cut_memory all;
  return all;
}

/// How many of each sorted part belong to the first `wanted` keys of all: to `from` of the memory returned. All threads
/// of the block take part, each with a digit of its own.
template <class _Tp>
__device__ __forceinline__ const cut_memory& cut_parts(const distributed::array<const _Tp>& sorted, std::size_t wanted,
                                                       const site& at) {
  using bits = key_bits<_Tp>;
  cut_memory& cut = shared_cut_memory();
  const unsigned thread = thread_in_tile(), gpus = sorted.dealt.gpus;
  if (thread < gpus) {
    cut.to[thread] = sorted.dealt.elements_of(thread);
    cut.from[thread] = wanted == sorted.dealt.size ? cut.to[thread] : 0;
  }
  block_barrier(at);
  if (wanted == 0 || wanted == sorted.dealt.size) return cut;
  // The greatest key that has no more keys below it than are wanted. Those with its upper digits are between the two.
  bits key = 0;
  for (int pass = static_cast<int>(sizeof(_Tp)) - 1; pass >= 0; --pass) {
    const bits mine = key | static_cast<bits>(thread) << static_cast<unsigned>(pass) * digit_bits;
    std::size_t below[distributed::max_gpus], below_all = 0;
    for (unsigned i = 0; i < gpus; ++i) {
      below[i] = keys_below(sorted.part[i], cut.from[i], cut.to[i], mine);
      below_all += below[i];
    }
    const unsigned digit = block::sum(below_all <= wanted ? 1U : 0U, at) - 1;
    for (unsigned i = 0; i < gpus; ++i) {
      if (thread == digit) cut.from[i] = below[i];
      if (thread == digit + 1) cut.to[i] = below[i];
    }
    key |= static_cast<bits>(digit) << static_cast<unsigned>(pass) * digit_bits;
    block_barrier(at);
  }
  if (thread == 0) {
    std::size_t left = wanted;
    for (unsigned i = 0; i < gpus; ++i) left -= cut.from[i];
    for (unsigned i = 0; i < gpus; ++i) {
      const std::size_t equal = cut.to[i] - cut.from[i], taken = equal < left ? equal : left;
      cut.from[i] += taken;
      left -= taken;
    }
  }
  block_barrier(at);
  return cut;
}

/// Finds out which keys of each part belong to the GPU, and makes runs of them.
template <class _Tp>
__global__ void __launch_bounds__(device::block_threads)
    find_runs(WARPZ_GRID_CONSTANT distributed::per_gpu<merge_list<_Tp>*> lists,
              WARPZ_GRID_CONSTANT distributed::array<const _Tp> sorted, WARPZ_GRID_CONSTANT merge_flags flags,
              unsigned first_gpu) {
  const site at = here("distributed::sort");
  const unsigned gpu = first_gpu + blockIdx.x, thread = thread_in_tile();
  if (!is_merged(flags, gpu)) return;
  const std::size_t size = sorted.dealt.size, stripe = sorted.dealt.stripe;
  const std::size_t first = gpu * stripe < size ? gpu * stripe : size, end = first + sorted.dealt.elements_of(gpu);
  std::size_t before = 0;
  {
    const cut_memory& cut = cut_parts(sorted, first, at);
    if (thread < sorted.dealt.gpus) before = cut.from[thread];
    block_barrier(at);
  }
  const cut_memory& cut = cut_parts(sorted, end, at);
  if (thread >= sorted.dealt.gpus) return;
  lists[gpu]->run[thread] = {sorted.part[thread] + before, cut.from[thread] - before};
}

/// Keys of a thread, and of a block: as many as 32 KiB hold.
template <class _Tp>
inline constexpr unsigned merge_items = 128 / static_cast<unsigned>(sizeof(_Tp));
template <class _Tp>
inline constexpr unsigned merge_tile = device::block_threads* merge_items<_Tp>;

/// Tiles of a merge of `runs` runs, two by two, of `keys` keys in all: each two of them may have one that is not full.
template <class _Tp>
constexpr std::size_t merge_tiles(std::size_t keys, unsigned runs) {
  return keys / merge_tile<_Tp> + (runs + 1) / 2;
}

/// Two neighbors of a list, what comes before them, and a tile of what they are merged to.
template <class _Tp>
struct merged_pair {
  sorted_run<_Tp> one, other;
  std::size_t before;  ///< keys of the runs before
  std::size_t tile;    ///< its number in this pair; behind the last one if there is no such tile

  /// `runs` is the number of runs in the list.
  __device__ __forceinline__ merged_pair(const merge_list<_Tp>& list, unsigned runs, std::size_t tile_in_all)
      : one{nullptr, 0}, other{nullptr, 0}, before(0), tile(tile_in_all) {
    for (unsigned i = 0; i < runs; i += 2) {
      before += size();
      one = list.run[i];
      other = i + 1 < runs ? list.run[i + 1] : sorted_run<_Tp>{nullptr, 0};
      const std::size_t tiles = parts_of(size(), merge_tile<_Tp>);
      if (tile < tiles) return;
      if (i + 2 < runs) tile -= tiles;
    }
  }
  __device__ __forceinline__ std::size_t size() const { return one.size + other.size; }
  __device__ __forceinline__ std::size_t first() const { return tile * merge_tile<_Tp>; }
};

/// How many of the first `merged` keys of two runs come from the first one, which goes first where keys are equal.
template <class _Tp>
__device__ __forceinline__ std::size_t keys_of_first(const _Tp* one, std::size_t one_size, const _Tp* other,
                                                     std::size_t other_size, std::size_t merged) {
  std::size_t least = merged > other_size ? merged - other_size : 0, most = merged < one_size ? merged : one_size;
  while (least < most) {
    const std::size_t middle = least + (most - least) / 2;
    if (ordered_bits(other[merged - 1 - middle]) < ordered_bits(one[middle])) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

/// Where each tile begins in the first run of its pair.
template <class _Tp>
__global__ void __launch_bounds__(device::block_threads)
    find_tiles(WARPZ_GRID_CONSTANT distributed::per_gpu<std::size_t*> begins,
               WARPZ_GRID_CONSTANT distributed::per_gpu<merge_list<_Tp>*> lists, unsigned runs, std::size_t tiles,
               WARPZ_GRID_CONSTANT merge_flags flags, unsigned first_gpu) {
  const unsigned gpu = first_gpu + blockIdx.x;
  if (!is_merged(flags, gpu)) return;
  for (std::size_t tile = std::size_t{blockIdx.y} * blockDim.x + threadIdx.x; tile < tiles;
       tile += std::size_t{gridDim.y} * blockDim.x) {
    const merged_pair<_Tp> pair(*lists[gpu], runs, tile);
    if (pair.first() >= pair.size()) continue;
    begins[gpu][tile] = keys_of_first(pair.one.first, pair.one.size, pair.other.first, pair.other.size, pair.first());
  }
}

template <class _Tp>
struct merge_memory {
  static constexpr unsigned bank = 32;
  _Tp key[merge_tile<_Tp> + merge_tile<_Tp> / bank];

  /// Threads that go through their keys together are not to meet in one bank.
  __device__ __forceinline__ _Tp& place(unsigned i) { return key[i + i / bank]; }
};

template <class _Tp>
__device__ __forceinline__ merge_memory<_Tp>& shared_merge_memory() {
  __shared__ merge_memory<_Tp> all;
  return all;
}

/// Merges one tile's keys. All threads of the block take part.
template <class _Tp>
__device__ __forceinline__ void merge_one_tile(_Tp* target, const _Tp* one, unsigned one_size, const _Tp* other,
                                               unsigned other_size, const site& at) {
  merge_memory<_Tp>& shared = shared_merge_memory<_Tp>();
  const unsigned thread = thread_in_tile(), size = one_size + other_size;
  // All loads before the first store: else each would wait for the one before, which may come from another GPU.
  _Tp key[merge_items<_Tp>];
  WARPZ_UNROLL
  for (unsigned i = 0; i < merge_items<_Tp>; ++i) {
    const unsigned wanted = thread + i * device::block_threads, place = wanted < size ? wanted : size - 1;
    key[i] = *(place < one_size ? one + place : other + (place - one_size));
  }
  WARPZ_UNROLL
  for (unsigned i = 0; i < merge_items<_Tp>; ++i) {
    const unsigned place = thread + i * device::block_threads;
    if (place < size) shared.place(place) = key[i];
  }
  block_barrier(at);

  const unsigned begin = thread * merge_items<_Tp> < size ? thread * merge_items<_Tp> : size;
  const unsigned left = size - begin, mine = left < merge_items<_Tp> ? left : merge_items<_Tp>;
  unsigned least = begin > other_size ? begin - other_size : 0, most = begin < one_size ? begin : one_size;
  while (least < most) {
    const unsigned middle = (least + most) / 2;
    if (ordered_bits(shared.place(one_size + begin - 1 - middle)) < ordered_bits(shared.place(middle))) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  // The next keys of both runs; behind a run's end anything.
  unsigned of_one = least, of_other = one_size + begin - least;
  const auto key_at = [&](unsigned i) { return shared.place(i < size ? i : 0); };
  _Tp next_one = key_at(of_one), next_other = key_at(of_other);
  WARPZ_UNROLL
  for (unsigned i = 0; i < merge_items<_Tp>; ++i) {
    if (i >= mine) continue;
    const bool takes_one =
        of_other == size || (of_one < one_size && !(ordered_bits(next_other) < ordered_bits(next_one)));
    key[i] = takes_one ? next_one : next_other;
    const _Tp next = key_at(takes_one ? ++of_one : ++of_other);
    (takes_one ? next_one : next_other) = next;
  }
  block_barrier(at);
  WARPZ_UNROLL
  for (unsigned i = 0; i < merge_items<_Tp>; ++i) {
    if (i < mine) shared.place(begin + i) = key[i];
  }
  block_barrier(at);
  for (unsigned i = thread; i < size; i += device::block_threads) target[i] = shared.place(i);
  block_barrier(at);
}

/// Merges the runs of each GPU's list, two by two; the merged ones make the next list.
template <class _Tp>
__global__ void __launch_bounds__(device::block_threads, 4)
    merge_runs(WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> target,
               WARPZ_GRID_CONSTANT distributed::per_gpu<merge_list<_Tp>*> next,
               WARPZ_GRID_CONSTANT distributed::per_gpu<merge_list<_Tp>*> lists,
               WARPZ_GRID_CONSTANT distributed::per_gpu<std::size_t*> begins, unsigned runs, std::size_t tiles,
               WARPZ_GRID_CONSTANT merge_flags flags, unsigned first_gpu) {
  const site at = here("distributed::sort");
  const unsigned gpu = first_gpu + blockIdx.x;
  if (!is_merged(flags, gpu)) return;
  for (std::size_t tile = blockIdx.y; tile < tiles; tile += gridDim.y) {
    const merged_pair<_Tp> pair(*lists[gpu], runs, tile);
    if (pair.first() >= pair.size()) continue;
    const std::size_t first = pair.first(), left = pair.size() - first;
    const std::size_t end = left <= merge_tile<_Tp> ? pair.size() : first + merge_tile<_Tp>;
    const std::size_t of_one = begins[gpu][tile];
    const std::size_t one_end = end == pair.size() ? pair.one.size : begins[gpu][tile + 1];
    merge_one_tile(target[gpu] + pair.before + first, pair.one.first + of_one, static_cast<unsigned>(one_end - of_one),
                   pair.other.first + (first - of_one), static_cast<unsigned>(end - one_end - (first - of_one)), at);
  }
  if (blockIdx.y != 0 || thread_in_tile() != 0) return;
  std::size_t before = 0;
  for (unsigned i = 0; i < runs; i += 2) {
    const std::size_t size = lists[gpu]->run[i].size + (i + 1 < runs ? lists[gpu]->run[i + 1].size : 0);
    next[gpu]->run[i / 2] = {target[gpu] + before, size};
    before += size;
  }
}

/// Room for what a sort needs beside its arrays, one behind the other.
template <class _Tp>
struct sort_rooms {
  distributed::per_gpu<unsigned*> states;
  distributed::per_gpu<merge_list<_Tp>*> lists[2];
  distributed::per_gpu<std::size_t*> begins;
  distributed::per_gpu<_Tp*> sorted, between;  ///< `between` is part of a state that is not needed any more
  exchange_rooms<_Tp> exchange{};              ///< of two GPUs; the arrays are those for merging
  merge_flags flags{};

  sort_rooms(distributed::gpu_group& group, std::size_t keys, std::size_t tiles, bool exchanges) {
    constexpr std::size_t of_list = sizeof(merge_list<_Tp>), of_control = sort_control_words<_Tp> * sizeof(unsigned);
    const std::size_t of_exchange = exchanges ? parts_of(sizeof(exchange_state<_Tp>), access_bytes) * access_bytes : 0;
    const std::size_t sorted_tiles = exchanges ? exchange_rooms<_Tp>::tiles_for(keys) : parts_of(keys, sort_tile<_Tp>);
    const std::size_t of_words = sorted_tiles * digit_values * sizeof(unsigned long long);
    const std::size_t room = exchanges ? exchange_rooms<_Tp>::keys_for(keys) : keys;
    const std::size_t of_keys = parts_of(room * sizeof(_Tp), access_bytes) * access_bytes;
    const std::size_t of_begins = parts_of(tiles, 2) * 2 * sizeof(std::size_t);
    const std::size_t zeros = of_exchange + of_control + of_words;
    const auto memory =
        group.memory<char>(distributed::seen::at_end, zeros + 2 * of_keys + 2 * of_list + of_begins, zeros);
    exchange.keys = room;
    for (unsigned gpu = 0; gpu < group.size(); ++gpu) {
      char* rest = memory[gpu];
      const auto take = [&rest](auto*& place, std::size_t bytes) {
        place = reinterpret_cast<std::remove_reference_t<decltype(place)>>(rest);
        rest += bytes;
      };
      take(exchange.states.of[gpu], of_exchange);
      take(states.of[gpu], of_control);
      take(exchange.words.of[gpu], of_words);
      take(between.of[gpu], of_keys);
      take(sorted.of[gpu], of_keys);
      for (auto& each : lists) take(each.of[gpu], of_list);
      take(begins.of[gpu], of_begins);
      if (exchanges) flags.of[gpu] = &exchange.states[gpu]->is_merged;
    }
    exchange.one = between;
    exchange.other = sorted;
  }
};

/// Fewer keys are merged, as an exchange has twice as many kernels. Two H200 took 0.22 ms for 2^22 keys of 32 bits, and
/// 0.19 to merge them; for 2^24 it was 0.38 and 0.40.
inline constexpr std::size_t least_exchanged = std::size_t{1} << 24;

/// Two GPUs exchange so many keys or more.
template <class _Tp>
void sort_on_all(distributed::gpu_group& group, const distributed::array<_Tp>& output,
                 const distributed::array<const _Tp>& input, std::size_t exchanged_from = least_exchanged) {
  static_assert(is_number<_Tp> && sizeof(_Tp) >= sizeof(unsigned), "for numbers of 32 and 64 bits");
  const dim3 block(device::block_threads);
  const std::size_t keys = input.dealt.elements_of(0);
  const bool exchanges = group.size() == sides && input.dealt.size >= exchanged_from;
  unsigned runs = group.size(), rounds = 0;
  while (1U << rounds < runs) ++rounds;
  const sort_rooms<_Tp> room(group, keys, merge_tiles<_Tp>(keys, runs), exchanges);
  if (exchanges) sort_by_exchange(group, output, input, room.exchange);

  const distributed::per_gpu<_Tp*> sorted = rounds == 0 ? output.part : room.sorted;
  group.launch(device::blocks_for<_Tp>(keys), [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL(sort_parts<_Tp>, grid, block, 0, stream, sorted, input, room.states, room.flags, gpu);
  });
  group.join();
  if (rounds == 0) return;

  distributed::array<const _Tp> parts{input.dealt, {}};
  for (unsigned gpu = 0; gpu < group.size(); ++gpu) parts.part.of[gpu] = sorted[gpu];
  group.launch(1, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL(find_runs<_Tp>, grid, block, 0, stream, room.lists[0], parts, room.flags, gpu);
  });
  for (unsigned round = 0; round < rounds; ++round, runs = (runs + 1) / 2) {
    const std::size_t tiles = merge_tiles<_Tp>(keys, runs);
    // Blocks that have nothing to do take time, too: after an exchange there are few.
    const std::size_t blocks = exchanges && tiles > device::max_blocks ? device::max_blocks : tiles;
    const distributed::per_gpu<_Tp*>& target = (rounds - round) % 2 == 1 ? output.part : room.between;
    const auto& lists = room.lists[round % 2];
    const auto& next = room.lists[(round + 1) % 2];
    group.launch(parts_of(blocks, device::block_threads), [&](dim3 grid, hipStream_t stream, unsigned gpu) {
      hipLaunchKernelGGL(find_tiles<_Tp>, grid, block, 0, stream, room.begins, lists, runs, tiles, room.flags, gpu);
    });
    group.launch(blocks, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
      hipLaunchKernelGGL(merge_runs<_Tp>, grid, block, 0, stream, target, next, lists, room.begins, runs, tiles,
                         room.flags, gpu);
    });
  }
  group.join();
}

}  // namespace detail
}  // namespace warpz
