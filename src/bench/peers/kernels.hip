// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz is measured on beside other CPU runtimes, in HIP: `kernels KERNEL N LAUNCHES`. Also a copy of N single
// bytes, which needs the most memory beside them when it is checked.
#include <hip/hip_runtime.h>

#include <cstdlib>

#include "problems.hpp"

__global__ void neighbor(float* difference, const float* x, unsigned n) {
  const unsigned i = blockIdx.x * group + threadIdx.x;
  difference[i] = i + 1 < n ? x[i + 1] - x[i] : 0.0f;
}

__global__ void block_sums(float* sums, const float* x, unsigned) {
  __shared__ float part[group];
  const unsigned lane = threadIdx.x;
  part[lane] = x[blockIdx.x * group + lane];
  __syncthreads();
  for (unsigned half = group / 2; half > 0; half /= 2) {
    if (lane < half) part[lane] += part[lane + half];
    __syncthreads();
  }
  if (lane == 0) sums[blockIdx.x] = part[0];
}

/// Of each block's numbers.
__global__ void scan(float* sums, const float* x, unsigned) {
  __shared__ float part[2][group];
  const unsigned lane = threadIdx.x, i = blockIdx.x * group + lane;
  unsigned from = 0;
  part[0][lane] = x[i];
  __syncthreads();
  for (unsigned distance = 1; distance < group; distance *= 2) {
    const float before = lane >= distance ? part[from][lane - distance] : 0.0f;
    part[1 - from][lane] = before + part[from][lane];
    from = 1 - from;
    __syncthreads();
  }
  sums[i] = part[from][lane];
}

__global__ void reduction(unsigned* sum, const float* x, unsigned) {
  __shared__ int part[group];
  const unsigned lane = threadIdx.x;
  part[lane] = static_cast<int>(x[blockIdx.x * group + lane]);
  __syncthreads();
  for (unsigned half = group / 2; half > 0; half /= 2) {
    if (lane < half) part[lane] += part[lane + half];
    __syncthreads();
  }
  if (lane == 0) atomicAdd(sum, static_cast<unsigned>(part[0]));
}

__global__ void histogram(unsigned* counts, const float* x, unsigned) {
  __shared__ unsigned part[bins];
  const unsigned lane = threadIdx.x;
  if (lane < bins) part[lane] = 0;
  __syncthreads();
  atomicAdd(&part[static_cast<unsigned>(x[blockIdx.x * group + lane] + 5.0f) * 5], 1u);
  __syncthreads();
  if (lane < bins && part[lane] != 0) atomicAdd(&counts[lane], part[lane]);
}

__global__ void stencil(float* sums, const float* x, unsigned n) {
  const unsigned row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  const unsigned i = row * n + column;
  float sum = x[i];
  if (row > 0) sum += x[i - n];
  if (row + 1 < n) sum += x[i + n];
  if (column > 0) sum += x[i - 1];
  if (column + 1 < n) sum += x[i + 1];
  sums[i] = sum;
}

__global__ void matmul(float* c, const float* a, const float* b, unsigned n) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const unsigned local_row = threadIdx.y, local_column = threadIdx.x;
  const unsigned row = blockIdx.y * tile + local_row, column = blockIdx.x * tile + local_column;
  float sum = 0.0f;
  for (unsigned start = 0; start < n; start += tile) {
    tile_a[local_row][local_column] = a[row * n + start + local_column];
    tile_b[local_row][local_column] = b[(start + local_row) * n + column];
    __syncthreads();
    for (unsigned i = 0; i < tile; ++i) sum += tile_a[local_row][i] * tile_b[i][local_column];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void bytes(unsigned char* target, const unsigned char* source) {
  const unsigned i = blockIdx.x * group + threadIdx.x;
  target[i] = source[i];
}

void need(hipError_t status) {
  if (status == hipSuccess) return;
  std::fprintf(stderr, "%s\n", hipGetErrorString(status));
  std::exit(1);
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  need(hipMalloc(&memory, values.size() * sizeof(T)));
  need(hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  return memory;
}

int copy_bytes(std::size_t n) {
  const std::vector<unsigned char> source(n, 7);
  std::vector<unsigned char> target(n);
  unsigned char *from = on_device(source), *to = on_device(target);
  hipLaunchKernelGGL(bytes, dim3(static_cast<unsigned>(n / group)), dim3(group), 0, nullptr, to, from);
  need(hipMemcpy(target.data(), to, n, hipMemcpyDeviceToHost));
  need(hipFree(from));
  need(hipFree(to));
  std::printf("%s 0 ms\n", target == source ? "right" : "wrong");
  return target == source ? 0 : 1;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::string name = words[1];
  const std::size_t n = std::strtoul(words[2], nullptr, 10);
  if (name == "bytes") return copy_bytes(n);
  const problem given = problem_of(name, n);
  std::vector<std::uint32_t> output(given.expected.size());
  const float* const first = on_device(given.first);
  const float* const second = given.second.empty() ? nullptr : on_device(given.second);
  std::uint32_t* const words_out = on_device(output);
  auto* const floats_out = reinterpret_cast<float*>(words_out);
  const dim3 blocks(given.blocks[0], given.blocks[1]), threads(given.threads[0], given.threads[1]);
  const auto clear = [&] { need(hipMemset(words_out, 0, output.size() * sizeof output[0])); };
  const double milliseconds = milliseconds_of(std::strtoul(words[3], nullptr, 10), clear, [&] {
    if (name == "neighbor") {
      hipLaunchKernelGGL(neighbor, blocks, threads, 0, nullptr, floats_out, first, given.size);
    } else if (name == "block-sums") {
      hipLaunchKernelGGL(block_sums, blocks, threads, 0, nullptr, floats_out, first, given.size);
    } else if (name == "scan") {
      hipLaunchKernelGGL(scan, blocks, threads, 0, nullptr, floats_out, first, given.size);
    } else if (name == "reduction") {
      hipLaunchKernelGGL(reduction, blocks, threads, 0, nullptr, words_out, first, given.size);
    } else if (name == "histogram") {
      hipLaunchKernelGGL(histogram, blocks, threads, 0, nullptr, words_out, first, given.size);
    } else if (name == "stencil") {
      hipLaunchKernelGGL(stencil, blocks, threads, 0, nullptr, floats_out, first, given.size);
    } else if (name == "matmul") {
      hipLaunchKernelGGL(matmul, blocks, threads, 0, nullptr, floats_out, first, second, given.size);
    }
    need(hipDeviceSynchronize());
  });
  need(hipMemcpy(output.data(), words_out, output.size() * sizeof output[0], hipMemcpyDeviceToHost));
  need(hipFree(const_cast<float*>(first)));
  if (second != nullptr) need(hipFree(const_cast<float*>(second)));
  need(hipFree(words_out));
  return judge(given, output, milliseconds);
}
