// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector that frees its memory is passed by reference, and cannot be copied.
// modelled on: https://github.com/cholla-hydro/cholla/pull/353
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

class device_vector {
 public:
  explicit device_vector(int size) : size_(size) { hipMalloc(&data_, size * sizeof(float)); }
  device_vector(const device_vector&) = delete;
  device_vector& operator=(const device_vector&) = delete;
  ~device_vector() { hipFree(data_); }
  float* data() const { return data_; }
  int size() const { return size_; }

 private:
  float* data_ = nullptr;
  int size_;
};

__global__ void fill(float* data, int size, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) data[i] = value;
}

void fill_and_show(const device_vector& vector, float value) {
  fill<<<2, 64>>>(vector.data(), vector.size(), value);
  float last = 0;
  hipMemcpy(&last, vector.data() + vector.size() - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%.1f\n", last);
}

int main() {
  device_vector vector(100);
  fill_and_show(vector, 2.5f);
  return 0;
}
