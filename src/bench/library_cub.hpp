// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's library, CUB, by the names that vendor_library.hip uses. A block is a warp where a function is of a warp.
#pragma once

#include <cub/cub.cuh>

namespace warpz_library {

constexpr int lanes = 32;

/// In all lanes of the group that have consecutive numbers.
template <int group = lanes, class T, class Operation>
__device__ T in_warp(T x, Operation operation) {
  using reduction = cub::WarpReduce<T, group>;
  __shared__ typename reduction::TempStorage room[lanes / group];
  const T first = reduction(room[threadIdx.x / group]).Reduce(x, operation);
  return cub::ShuffleIndex<group>(first, 0, 0xffffffff);
}

template <class T>
__device__ T sum_up_to(T x) {
  __shared__ typename cub::WarpScan<T>::TempStorage room;
  cub::WarpScan<T>(room).InclusiveSum(x, x);
  return x;
}

template <class T>
__device__ T sum_before(T x) {
  __shared__ typename cub::WarpScan<T>::TempStorage room;
  cub::WarpScan<T>(room).ExclusiveSum(x, x);
  return x;
}

template <class Order>
__device__ float sorted_in_warp(float x, Order order) {
  using sort = cub::WarpMergeSort<float, 1, lanes>;
  __shared__ typename sort::TempStorage room;
  float keys[] = {x};
  sort(room).Sort(keys, order);
  return keys[0];
}

/// Each lane says which one gets its element.
__device__ inline float sent_to(int lane, float x) {
  using exchange = cub::WarpExchange<float, 1, lanes>;
  __shared__ typename exchange::TempStorage room;
  float elements[] = {x};
  int places[] = {lane};
  exchange(room).ScatterToStriped(elements, places);
  return elements[0];
}

__device__ inline float less_the_one_before(float x) {
  using differences = cub::BlockAdjacentDifference<float, lanes>;
  __shared__ typename differences::TempStorage room;
  float elements[] = {x}, found[1];
  differences(room).SubtractLeft(elements, found, [](float own, float before) { return own - before; });
  return found[0];
}

__device__ inline float to_the_next(float x) {
  using differences = cub::BlockAdjacentDifference<float, lanes>;
  __shared__ typename differences::TempStorage room;
  float elements[] = {x}, found[1];
  differences(room).SubtractRight(elements, found, [](float own, float next) { return next - own; });
  return found[0];
}

/// In the block's first thread.
template <int columns, int rows = 1, class Operation>
__device__ float in_first_of_block(float x, Operation operation) {
  using reduction = cub::BlockReduce<float, columns, cub::BLOCK_REDUCE_WARP_REDUCTIONS, rows>;
  __shared__ typename reduction::TempStorage room;
  return reduction(room).Reduce(x, operation);
}

template <int threads>
__device__ float block_sum_up_to(float x) {
  using scan = cub::BlockScan<float, threads>;
  __shared__ typename scan::TempStorage room;
  scan(room).InclusiveSum(x, x);
  return x;
}

// As CUB's functions: without memory they say how much they need.

inline hipError_t of_cuda(cudaError_t code) { return hipCUDAErrorTohipError(code); }

template <class Operation>
hipError_t reduce_all(void* memory, std::size_t& bytes, const float* in, float* out, int size, float first,
                      Operation operation, hipStream_t on) {
  return of_cuda(cub::DeviceReduce::Reduce(memory, bytes, in, out, size, operation, first, on));
}

template <class Operation>
hipError_t scan_all(void* memory, std::size_t& bytes, const float* in, float* out, int size, Operation operation,
                    hipStream_t on) {
  return of_cuda(cub::DeviceScan::InclusiveScan(memory, bytes, in, out, operation, size, on));
}

inline hipError_t sort_all(void* memory, std::size_t& bytes, const float* in, float* out, int size, hipStream_t on) {
  return of_cuda(cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, size, 0, 32, on));
}

template <class Condition>
hipError_t select_all(void* memory, std::size_t& bytes, const float* in, float* out, unsigned* count, int size,
                      Condition condition, hipStream_t on) {
  return of_cuda(cub::DeviceSelect::If(memory, bytes, in, out, count, size, condition, on));
}

/// Those that the condition does not hold for come last, the other way round.
template <class Condition>
hipError_t partition_all(void* memory, std::size_t& bytes, const float* in, float* out, unsigned* count, int size,
                         Condition condition, hipStream_t on) {
  return of_cuda(cub::DevicePartition::If(memory, bytes, in, out, count, size, condition, on));
}

}  // namespace warpz_library
