// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last difference takes what a lane without an element has; the program says only that it is wrong.
// run: program
// finds: undefined_lane_value
// lane: 19 19
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int count = 20;

__global__ void differences(float* out, const float* in) {
  const int i = threadIdx.x;
  const unsigned long long with_element = __ballot(i < count);
  if (i >= count) return;
  const float next = __shfl_down_sync(with_element, in[i], 1);  // first
  out[i] = next - in[i];
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
