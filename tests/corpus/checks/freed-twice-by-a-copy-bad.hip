// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector that frees its memory is passed by value: the copy frees it, and so does the original.
// modelled on: https://github.com/cholla-hydro/cholla/pull/353
// run: program
// finds: double_free
#include <hip/hip_runtime.h>

#include <cstdio>

class device_vector {
 public:
  explicit device_vector(int size) : size_(size) { hipMalloc(&data_, size * sizeof(float)); }
  ~device_vector() {
    hipFree(data_);  // first second
  }
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

void fill_and_show(device_vector vector, float value) {
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
