// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last difference has a value of its own; the program says only that it is right.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int count = 20;

__global__ void differences(float* out, const float* in) {
  const int i = threadIdx.x;
  const unsigned long long with_element = __ballot(i < count);
  if (i >= count) return;
  const float next = __shfl_down_sync(with_element, in[i], 1);
  out[i] = i + 1 < count ? next - in[i] : -0.5f;
}

/// Prints only whether all is right.
int main() {
  float *in, *out, numbers[count], results[count];
  for (int i = 0; i < count; ++i) numbers[i] = i * i;
  hipMalloc(&in, sizeof numbers);
  hipMalloc(&out, sizeof results);
  hipMemcpy(in, numbers, sizeof numbers, hipMemcpyHostToDevice);
  differences<<<1, 64>>>(out, in);
  hipMemcpy(results, out, sizeof results, hipMemcpyDeviceToHost);
  bool is_right = true;
  for (int i = 0; i < count; ++i) {
    const float expected = i + 1 < count ? numbers[i + 1] - numbers[i] : -0.5f;
    is_right = is_right && results[i] == expected;
  }
  std::puts(is_right ? "right" : "wrong");
  hipFree(in);
  hipFree(out);
}
