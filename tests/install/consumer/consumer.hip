// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses each part of the device library, and says whether the results are right where there is a GPU.
#include <hip/hip_runtime.h>
#include <warpz/block.hpp>
#include <warpz/sync.hpp>
#include <warpz/warp.hpp>

#include <cstdio>

constexpr int threads = 100;

__global__ void count(int* total, int* places, unsigned* neighbors) {
  __shared__ unsigned mailbox[threads];
  const unsigned i = threadIdx.x;
  mailbox[i] = i;
  warpz::barrier();
  neighbors[i] = warpz::warp::shuffle_down(mailbox[i], 1);
  places[i] = warpz::block::prefix_sum<true>(1);
  const int sum = warpz::block::sum(1);
  if (i == 0) *total = sum;
}

int main() {
  int devices = 0;
  if (hipGetDeviceCount(&devices) != hipSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  struct result {
    int total, places[threads];
    unsigned neighbors[threads];
  } host{}, *device = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&device), sizeof host) != hipSuccess) return 2;
  hipLaunchKernelGGL(count, dim3(1), dim3(threads), 0, nullptr, &device->total, device->places, device->neighbors);
  if (hipMemcpy(&host, device, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 2;
  bool right = host.total == threads;
  for (int i = 0; i < threads; ++i) right = right && host.places[i] == i;
  right = right && host.neighbors[0] == 1 && host.neighbors[threads - 1] == threads - 1;
  std::puts(right ? "right" : "wrong");
  return right && hipFree(device) == hipSuccess ? 0 : 1;
}
