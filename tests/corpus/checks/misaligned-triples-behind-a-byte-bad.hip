// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triples of halves behind a byte of shared memory, by a function that is inlined: the compiler knows the address.
// run: --neighbor --size 64
// finds: misaligned
// lane: 0 0
struct triple {
  unsigned short x, y, z;
};

__device__ void store(unsigned char* to, unsigned short x) {
  *reinterpret_cast<triple*>(to) = triple{x, x, x};  // first
}

__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ unsigned char bytes[16];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    bytes[0] = 0;
    store(bytes + 1, 1);
  }
  __syncthreads();
  const float next = threadIdx.x + 1 < blockDim.x && i + 1 < size ? input[i + 1] - input[i] : 0.0f;
  if (i < size) output[i] = bytes[0] == 0 ? next : 1.0f;
}
