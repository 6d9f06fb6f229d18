// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of records that lie eight bytes apart the int at the beginning is read.
// modelled on: https://github.com/jrprice/Oclgrind/blob/master/tests/corpus/checks/alignment/unaligned.cl
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int record_bytes = 8;

__global__ void unpack(int* numbers, const char* records, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const char* const record = records + i * record_bytes;
  numbers[i] = *reinterpret_cast<const int*>(record);
}

int main() {
  constexpr int count = 50;
  char* records;
  int* numbers;
  hipMalloc(&records, count * record_bytes);
  hipMalloc(&numbers, count * sizeof(int));
  hipMemset(records, 1, count * record_bytes);
  unpack<<<1, 64>>>(numbers, records, count);
  int last = 0;
  hipMemcpy(&last, numbers + count - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%#x\n", last);
  hipFree(numbers);
  hipFree(records);
  return 0;
}
