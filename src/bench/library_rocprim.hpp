// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's library, rocPRIM, by the names that vendor_library.hip uses. A block is a warp where a function is of a warp.
#pragma once

#include <rocprim/rocprim.hpp>

namespace warpz_library {

constexpr int lanes = rocprim::device_warp_size();

/// In all lanes of the group that have consecutive numbers.
template <int group = lanes, class T, class Operation>
__device__ T in_warp(T x, Operation operation) {
  using reduction = rocprim::warp_reduce<T, group, true>;
  __shared__ typename reduction::storage_type room[lanes / group];
  reduction().reduce(x, x, room[threadIdx.x / group], operation);
  return x;
}

template <class T>
__device__ T sum_up_to(T x) {
  using scan = rocprim::warp_scan<T, lanes>;
  __shared__ typename scan::storage_type room;
  scan().inclusive_scan(x, x, room);
  return x;
}

template <class T>
__device__ T sum_before(T x) {
  using scan = rocprim::warp_scan<T, lanes>;
  __shared__ typename scan::storage_type room;
  scan().exclusive_scan(x, x, T{0}, room);
  return x;
}

template <class Order>
__device__ float sorted_in_warp(float x, Order order) {
  rocprim::warp_sort<float, lanes>().sort(x, order);
  return x;
}

/// Each lane says which one gets its element.
__device__ inline float sent_to(int lane, float x) {
  using exchange = rocprim::warp_exchange<float, 1, lanes>;
  __shared__ typename exchange::storage_type room;
  float elements[] = {x}, found[1];
  const int places[] = {lane};
  exchange().scatter_to_striped(elements, found, places, room);
  return found[0];
}

__device__ inline float less_the_one_before(float x) {
  using differences = rocprim::block_adjacent_difference<float, lanes>;
  __shared__ typename differences::storage_type room;
  const float elements[] = {x};
  float found[1];
  differences().subtract_left(
      elements, found, [](float own, float before) { return own - before; }, room);
  return found[0];
}

__device__ inline float to_the_next(float x) {
  using differences = rocprim::block_adjacent_difference<float, lanes>;
  __shared__ typename differences::storage_type room;
  const float elements[] = {x};
  float found[1];
  differences().subtract_right(
      elements, found, [](float own, float next) { return next - own; }, room);
  return found[0];
}

/// In the block's first thread.
template <int columns, int rows = 1, class Operation>
__device__ float in_first_of_block(float x, Operation operation) {
  using reduction = rocprim::block_reduce<float, columns, rocprim::block_reduce_algorithm::default_algorithm, rows>;
  __shared__ typename reduction::storage_type room;
  reduction().reduce(x, x, room, operation);
  return x;
}

template <int threads>
__device__ float block_sum_up_to(float x) {
  using scan = rocprim::block_scan<float, threads>;
  __shared__ typename scan::storage_type room;
  scan().inclusive_scan(x, x, room);
  return x;
}

// As rocPRIM's functions: without memory they say how much they need.

template <class Operation>
hipError_t reduce_all(void* memory, std::size_t& bytes, const float* in, float* out, int size, float first,
                      Operation operation, hipStream_t on) {
  return rocprim::reduce(memory, bytes, in, out, first, size, operation, on);
}

template <class Operation>
hipError_t scan_all(void* memory, std::size_t& bytes, const float* in, float* out, int size, Operation operation,
                    hipStream_t on) {
  return rocprim::inclusive_scan(memory, bytes, in, out, size, operation, on);
}

inline hipError_t sort_all(void* memory, std::size_t& bytes, const float* in, float* out, int size, hipStream_t on) {
  return rocprim::radix_sort_keys(memory, bytes, in, out, size, 0, 32, on);
}

template <class Condition>
hipError_t select_all(void* memory, std::size_t& bytes, const float* in, float* out, unsigned* count, int size,
                      Condition condition, hipStream_t on) {
  return rocprim::select(memory, bytes, in, out, count, size, condition, on);
}

/// Those that the condition does not hold for come last, the other way round.
template <class Condition>
hipError_t partition_all(void* memory, std::size_t& bytes, const float* in, float* out, unsigned* count, int size,
                         Condition condition, hipStream_t on) {
  return rocprim::partition(memory, bytes, in, out, count, size, condition, on);
}

}  // namespace warpz_library
