// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array on the stack is destroyed where its scope ends.
// modelled on: https://github.com/vernamlab/cuHE/pull/11
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

class device_array {
 public:
  explicit device_array(int n) { hipMalloc(&values_, n * sizeof(int)); }
  ~device_array() { hipFree(values_); }
  int* values() const { return values_; }

 private:
  int* values_ = nullptr;
};

__global__ void square(int* values) { values[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  constexpr int n = 96;
  device_array squares(n);
  square<<<1, n>>>(squares.values());
  int last = 0;
  hipMemcpy(&last, squares.values() + n - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%d\n", last);
  return 0;
}
