// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program frees the memory of an image, whose destructor frees it, too.
// modelled on: https://github.com/NVIDIA/cuda-samples/pull/52
// run: program
// finds: double_free
#include <hip/hip_runtime.h>

#include <cstdio>

class image {
 public:
  explicit image(int size) { hipMalloc(&pixels_, size); }
  ~image() {
    hipFree(pixels_);  // first
  }
  unsigned char* pixels() const { return pixels_; }

 private:
  unsigned char* pixels_ = nullptr;
};

__global__ void negative(unsigned char* pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  pixels[i] = static_cast<unsigned char>(255 - pixels[i]);
}

int main() {
  constexpr int size = 192;
  const image picture(size);
  hipMemset(picture.pixels(), 55, size);
  negative<<<size / 64, 64>>>(picture.pixels());
  unsigned char last = 0;
  hipMemcpy(&last, picture.pixels() + size - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%d\n", last);
  hipFree(picture.pixels());  // second
  return 0;
}
