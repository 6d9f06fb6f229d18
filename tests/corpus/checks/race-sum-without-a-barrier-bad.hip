// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane adds up what the others write to shared memory, and does not wait for them.
// modelled on: https://github.com/jrprice/Oclgrind/blob/master/tests/corpus/checks/data-race/local_read_write_race.cl
// run: --neighbor --size 32
// finds: data_race
// lane: 1 1
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float scratch[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  scratch[threadIdx.x] = 0.0f;
  __syncthreads();
  scratch[threadIdx.x] = i < size ? input[i] : 0.0f;  // first
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (unsigned lane = 0; lane < blockDim.x; ++lane) sum += scratch[lane];  // second
    output[blockIdx.x] = sum;
  }
}
