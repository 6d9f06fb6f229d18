// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three kernels, each with one mistake that one of compute-sanitizer's tools is for: scripts/check-gpu shows with them
// that these tools see such mistakes. Run with the kernel's name; ends with 0 if HIP's calls worked.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int threads = 128;

/// racecheck: reads what another warp writes, and does not wait for it.
__global__ void race(float* output, const float* input) {
  __shared__ float cells[threads];
  cells[threadIdx.x] = input[threadIdx.x];
  output[threadIdx.x] = cells[threads - 1 - threadIdx.x];
}

/// synccheck: half the lanes of each warp are missing at the barrier.
__global__ void divergence(float* output, const float* input) {
  if (threadIdx.x % 2 == 0) __syncthreads();
  output[threadIdx.x] = input[threadIdx.x];
}

/// initcheck: nobody has written the input, if it is called so.
__global__ void uninitialized(float* output, const float* input) { output[threadIdx.x] = input[threadIdx.x]; }

int failures = 0;

void expect_success(hipError_t code, const char* call) {
  if (code == hipSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, hipGetErrorString(code));
  ++failures;
}

}  // namespace

int main(int count, char** arguments) {
  const char* const kernel = count == 2 ? arguments[1] : "";
  float *output = nullptr, *input = nullptr;
  expect_success(hipMalloc(&output, threads * sizeof(float)), "hipMalloc");
  expect_success(hipMalloc(&input, threads * sizeof(float)), "hipMalloc");
  if (std::strcmp(kernel, "uninitialized") == 0) {
    hipLaunchKernelGGL(uninitialized, dim3(1), dim3(threads), 0, nullptr, output, input);
  } else {
    expect_success(hipMemset(input, 0, threads * sizeof(float)), "hipMemset");
    if (std::strcmp(kernel, "race") == 0) {
      hipLaunchKernelGGL(race, dim3(1), dim3(threads), 0, nullptr, output, input);
    } else if (std::strcmp(kernel, "divergence") == 0) {
      hipLaunchKernelGGL(divergence, dim3(1), dim3(threads), 0, nullptr, output, input);
    } else {
      std::fputs("usage: unsafe race|divergence|uninitialized\n", stderr);
      return 2;
    }
  }
  expect_success(hipGetLastError(), "launch");
  expect_success(hipDeviceSynchronize(), "hipDeviceSynchronize");
  return failures == 0 ? 0 : 1;
}
