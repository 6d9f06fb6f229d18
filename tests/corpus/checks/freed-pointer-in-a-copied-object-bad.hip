// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object is copied to the device with its pointer, and the original frees what it points to.
// modelled on: https://github.com/stephen-hqxu/superterrainplus/issues/2
// run: program
// finds: use_after_free
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

struct view {
  const float* heights;
  int count;
};

class terrain {
 public:
  explicit terrain(int count) : count_(count) {
    hipMalloc(&heights_, count * sizeof(float));
    hipMemset(heights_, 0, count * sizeof(float));
  }
  ~terrain() { hipFree(heights_); }  // second
  view seen() const { return {heights_, count_}; }

 private:
  float* heights_ = nullptr;
  int count_;
};

__global__ void lift(float* result, const view* land) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= land->count) return;
  const float* const heights = land->heights;
  result[i] = heights[i] + 1;  // first
}

int main() {
  constexpr int n = 50;
  float* result;
  view* on_device;
  hipMalloc(&result, n * sizeof(float));
  hipMalloc(&on_device, sizeof(view));
  {
    const terrain land(n);
    const view seen = land.seen();
    hipMemcpy(on_device, &seen, sizeof seen, hipMemcpyHostToDevice);
  }
  lift<<<1, 64>>>(result, on_device);
  float last = 0;
  hipMemcpy(&last, result + n - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%.1f\n", last);
  hipFree(on_device);
  hipFree(result);
  return 0;
}
