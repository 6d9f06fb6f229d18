// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels of three bytes, triples of shorts, bit fields and wide vectors are written whole and read in parts.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

struct __attribute__((packed)) fields {
  unsigned low : 20;
  unsigned high : 4;
};

struct sample {
  float values[9];
};

typedef float eight_floats __attribute__((ext_vector_type(8)));

__attribute__((noinline)) __device__ float sum(sample each) {
  float total = 0;
  for (const float value : each.values) total += value;
  return total;
}

__global__ void write(uchar3* pixels, short3* triples, fields* bits, sample* samples, eight_floats* vectors) {
  const int i = threadIdx.x;
  pixels[i] = make_uchar3(i, 1, 2);
  triples[i] = make_short3(i, 1, 2);
  bits[i].low = i;
  bits[i].high = 1;
  for (float& each : samples[i].values) each = i;
  vectors[i] = static_cast<float>(i);
}

__global__ void read(float* sums, const uchar3* pixels, const short3* triples, const fields* bits,
                     const sample* samples, const eight_floats* vectors) {
  const int i = threadIdx.x;
  sums[i] = pixels[i].x + triples[i].z + bits[i].low + sum(samples[i]) + vectors[i][7];
}

int main() {
  constexpr int count = 64;
  uchar3* pixels;
  short3* triples;
  fields* bits;
  sample* samples;
  eight_floats* vectors;
  float *sums, last = 0;
  hipMalloc(&pixels, count * sizeof *pixels);
  hipMalloc(&triples, count * sizeof *triples);
  hipMalloc(&bits, count * sizeof *bits);
  hipMalloc(&samples, count * sizeof *samples);
  hipMalloc(&vectors, count * sizeof *vectors);
  hipMalloc(&sums, count * sizeof *sums);
  hipMemset(bits, 0, count * sizeof *bits);
  write<<<1, count>>>(pixels, triples, bits, samples, vectors);
  read<<<1, count>>>(sums, pixels, triples, bits, samples, vectors);
  hipMemcpy(&last, sums + count - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last);
  hipFree(pixels);
  hipFree(triples);
  hipFree(bits);
  hipFree(samples);
  hipFree(vectors);
  hipFree(sums);
}
