// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checking is measured on: a tiled product of matrices of N x N, and sums of 256 of N numbers each, as same.cl has
// them for another checker; and a copy of N single bytes, which needs the most memory beside them.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int tile = 16;
constexpr int group = 256;

__global__ void matmul(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int local_row = threadIdx.y, local_column = threadIdx.x;
  const int row = blockIdx.y * tile + local_row, column = blockIdx.x * tile + local_column;
  float sum = 0.0f;
  for (int start = 0; start < n; start += tile) {
    tile_a[local_row][local_column] = a[row * n + start + local_column];
    tile_b[local_row][local_column] = b[(start + local_row) * n + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += tile_a[local_row][i] * tile_b[i][local_column];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void reduction(float* sums, const float* x) {
  __shared__ float part[group];
  const int lane = threadIdx.x;
  part[lane] = x[blockIdx.x * group + lane];
  __syncthreads();
  for (int half_of = group / 2; half_of > 0; half_of /= 2) {
    if (lane < half_of) part[lane] += part[lane + half_of];
    __syncthreads();
  }
  if (lane == 0) sums[blockIdx.x] = part[0];
}

__global__ void bytes(unsigned char* target, const unsigned char* source) {
  const int i = blockIdx.x * group + threadIdx.x;
  target[i] = source[i];
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  if (hipMalloc(&memory, values.size() * sizeof(T)) != hipSuccess) std::abort();
  if (hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice) != hipSuccess) std::abort();
  return memory;
}

template <class T>
void fetch(std::vector<T>& into, T* memory) {
  if (hipMemcpy(into.data(), memory, into.size() * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) std::abort();
  if (hipFree(memory) != hipSuccess) std::abort();
}

/// Small whole numbers, whose sums are exact.
std::vector<float> numbers(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 29 % 43 % 11) - 5;
  return values;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const size_t n = std::strtoul(words[2], nullptr, 10);
  bool right = true;
  std::chrono::steady_clock::time_point begin, end;
  const auto measured = [&](auto&& launch) {
    begin = std::chrono::steady_clock::now();
    launch();
    if (hipDeviceSynchronize() != hipSuccess) std::abort();
    end = std::chrono::steady_clock::now();
  };
  if (std::strcmp(words[1], "matmul") == 0) {
    const std::vector<float> a = numbers(n * n), b = numbers(n * n);
    std::vector<float> c(n * n);
    float *da = on_device(a), *db = on_device(b), *dc = on_device(c);
    const unsigned blocks = static_cast<unsigned>(n / tile);
    measured([&] { matmul<<<dim3(blocks, blocks), dim3(tile, tile)>>>(dc, da, db, static_cast<int>(n)); });
    fetch(c, dc);
    for (size_t at : {size_t{0}, n * n / 2 + 3, n * n - 1}) {
      float wanted = 0;
      for (size_t i = 0; i < n; ++i) wanted += a[at / n * n + i] * b[i * n + at % n];
      right = right && c[at] == wanted;
    }
    right = right && hipFree(da) == hipSuccess && hipFree(db) == hipSuccess;
  } else if (std::strcmp(words[1], "reduction") == 0) {
    const std::vector<float> x = numbers(n);
    std::vector<float> sums(n / group);
    float *dx = on_device(x), *dsums = on_device(sums);
    measured([&] { reduction<<<static_cast<unsigned>(n / group), group>>>(dsums, dx); });
    fetch(sums, dsums);
    for (size_t i = 0; i < sums.size(); ++i) {
      float wanted = 0;
      for (size_t k = 0; k < group; ++k) wanted += x[i * group + k];
      right = right && sums[i] == wanted;
    }
    right = right && hipFree(dx) == hipSuccess;
  } else {
    const std::vector<unsigned char> source(n, 7);
    std::vector<unsigned char> target(n);
    unsigned char *dfrom = on_device(source), *dto = on_device(target);
    measured([&] { bytes<<<static_cast<unsigned>(n / group), group>>>(dto, dfrom); });
    fetch(target, dto);
    right = target == source && hipFree(dfrom) == hipSuccess;
  }
  std::printf("%s %.3f ms\n", right ? "right" : "wrong",
              std::chrono::duration<double, std::milli>(end - begin).count());
  return right ? 0 : 1;
}
