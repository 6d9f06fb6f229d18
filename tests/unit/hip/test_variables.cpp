// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of each kind of memory, as host and device see them.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <vector>

namespace test_variables {

__device__ int counter = 5;
__constant__ float factors[2] = {1, 2};
__managed__ int managed = 7;
static __device__ float of_this_file[3];
extern __shared__ char at_file_scope[];

__global__ void use(float* output) {
  atomicAdd(&counter, 1);
  if (threadIdx.x == 0) {
    managed += 10;
    of_this_file[1] = factors[1] * 3;
    output[0] = of_this_file[1];
  }
}

TEST(hip_variables, the_host_reaches_the_devices) {
  float values[2] = {3, 4}, output = 0;
  ASSERT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(factors), values, sizeof values), hipSuccess);
  use<<<1, 40>>>(&output);
  EXPECT_EQ(output, 12);
  int counted = 0;
  ASSERT_EQ(hipMemcpyFromSymbol(&counted, HIP_SYMBOL(counter), sizeof counted), hipSuccess);
  EXPECT_EQ(counted, 45);
  EXPECT_EQ(managed, 17);
  managed = 100;
  use<<<1, 1>>>(&output);
  EXPECT_EQ(managed, 110);
  float* address = nullptr;
  ASSERT_EQ(hipGetSymbolAddress(reinterpret_cast<void**>(&address), HIP_SYMBOL(of_this_file)), hipSuccess);
  EXPECT_EQ(address[1], 12);
  size_t bytes = 0;
  ASSERT_EQ(hipGetSymbolSize(&bytes, HIP_SYMBOL(of_this_file)), hipSuccess);
  EXPECT_EQ(bytes, sizeof(float[3]));
}

template <class T>
__global__ void reverse_in_dynamic(T* data, int n) {
  extern __shared__ char bytes[];
  T* const values = reinterpret_cast<T*>(bytes);
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = values[n - 1 - threadIdx.x];
}

__global__ void same_memory(int* output) {
  int* const values = reinterpret_cast<int*>(at_file_scope);
  extern __shared__ int in_function[];
  HIP_DYNAMIC_SHARED(int, by_macro)
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  output[threadIdx.x] = in_function[blockDim.x - 1 - threadIdx.x] + by_macro[threadIdx.x];
}

TEST(hip_variables, dynamic_shared_memory_begins_at_one_place) {
  double data[5] = {1, 2, 3, 4, 5};
  reverse_in_dynamic<<<1, 5, sizeof data>>>(data, 5);
  EXPECT_EQ(data[0], 5);
  EXPECT_EQ(data[4], 1);
  int sums[6];
  same_memory<<<1, 6, sizeof sums>>>(sums);
  for (const int each : sums) EXPECT_EQ(each, 5);
}

template <class T, int n>
__global__ void sums_of_blocks(T* output) {
  __shared__ T values[n];
  static __shared__ int arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  values[threadIdx.x] = static_cast<T>(blockIdx.x);
  atomicAdd(&arrived, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    T sum = 0;
    for (int i = 0; i < arrived; ++i) sum += values[i];
    output[blockIdx.x] = sum;
  }
}

TEST(hip_variables, each_block_has_its_shared_memory_in_templates_too) {
  std::vector<float> floats(50);
  std::vector<int> ints(50);
  sums_of_blocks<float, 33><<<50, 33>>>(floats.data());
  sums_of_blocks<int, 64><<<50, 64>>>(ints.data());
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(floats[i], 33.0f * static_cast<float>(i));
    EXPECT_EQ(ints[i], 64 * i);
  }
}

__host__ __device__ int side() {
#ifdef __HIP_DEVICE_COMPILE__
  return 1;
#else
  return 2;
#endif
}

__host__ __device__ inline int calls() {
  static int count = 0;
  return ++count;
}

struct shape {
  __device__ virtual int corners() const { return 0; }
};
struct square : shape {
  __device__ int corners() const override { return 4; }
};

__global__ void ask(int* output) {
  const square one;
  const shape& any = one;
  output[0] = side();
  output[1] = any.corners();
}

TEST(hip_variables, each_side_has_its_own_functions_and_tables) {
  int output[2] = {};
  ask<<<1, 1>>>(output);
  EXPECT_EQ(output[0], 1);
  EXPECT_EQ(side(), 2);
  EXPECT_EQ(output[1], 4);
  EXPECT_EQ(calls(), 1);
}

}  // namespace test_variables
