// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: how a kernel and its arguments may be written, which device runs it, and what is refused.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstring>
#include <thread>
#include <type_traits>
#include <vector>

namespace test_hip_launch {

class hip_launch : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMallocManaged(&output_, 4096 * sizeof(double)), hipSuccess);
    std::memset(output_, 0, 4096 * sizeof(double));
  }
  void TearDown() override {
    EXPECT_EQ(hipFree(output_), hipSuccess);
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
    static_cast<void>(hipGetLastError());
  }

  double* output_ = nullptr;
};

struct triple {
  double a;
  char b;
  float c[3];
};

/// Moved away from, it holds nothing.
struct movable {
  double value;
  explicit movable(double held) : value(held) {}
  movable(const movable&) = default;
  movable(movable&& from) noexcept : value(from.value) { from.value = 0; }
};

__device__ int visits = 0;

__global__ void visit() { ++visits; }
__global__ void nothing() {}
__global__ void store(double* output, double value) { output[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void store_triple(double* output, triple value) {
  value.a += threadIdx.x;
  output[threadIdx.x] = value.a + value.b + value.c[2];
}
__global__ void store_movable(double* output, movable value) { output[threadIdx.x] = value.value; }
__global__ void store_warp_size(double* output) { output[0] = warpSize; }
__global__ void is_null(double* output, const float* pointer, int number) {
  *output = pointer == nullptr ? number : -1;
}
template <class T>
__global__ void store_size(double* output, T) {
  *output = sizeof(T);
}
template <class T>
__global__ void is_number(double* output, T) {
  *output = std::is_arithmetic_v<T> ? 1 : 0;
}
template <class T, int N>
__global__ void store_product(double* output, T factor) {
  *output = static_cast<double>(factor * N);
}
__global__ void shape(double* output) {
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0 && blockIdx.x + blockIdx.y + blockIdx.z == 0) {
    const unsigned numbers[] = {gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z};
    for (int i = 0; i < 6; ++i) output[i] = numbers[i];
  }
}

struct kernels {
  static __global__ void store_seven(double* output) { *output = 7; }
};

TEST_F(hip_launch, arguments_convert_as_in_a_call) {
  hipLaunchKernelGGL(store, dim3(2), dim3(3), 0, 0, output_, 5);
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(output_[i], i < 6 ? 5.0 : 0.0);
  hipLaunchKernelGGL(store, 1, 1, 0, nullptr, output_, 0.5f);
  EXPECT_EQ(output_[0], 0.5);
}

TEST_F(hip_launch, each_lane_has_its_own_copy_of_an_argument) {
  const triple value{1, 2, {0, 0, 3}};
  hipLaunchKernelGGL(store_triple, 1, 100, 0, 0, output_, value);
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(output_[i], 6 + i);
  hipLaunchKernelGGL(store_movable, 1, 100, 0, 0, output_, movable(7));
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(output_[i], 7);
}

TEST_F(hip_launch, literal_zeros_and_nulls_are_pointers_where_one_is_wanted) {
  hipLaunchKernelGGL(is_null, 1, 1, 0, 0, output_, 0, 3);
  EXPECT_EQ(output_[0], 3);
  hipLaunchKernelGGL(is_null, 1, 1, 0, 0, output_, NULL, 4);
  EXPECT_EQ(output_[0], 4);
  hipLaunchKernelGGL(is_null, 1, 1, 0, 0, output_, nullptr, 5);
  EXPECT_EQ(output_[0], 5);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST_F(hip_launch, templates) {
  hipLaunchKernelGGL(store_size<short>, 1, 1, 0, 0, output_, 1);
  EXPECT_EQ(output_[0], sizeof(short));
  hipLaunchKernelGGL((store_product<int, 3>), 1, 1, 0, 0, output_, 7);
  EXPECT_EQ(output_[0], 21);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(store_product<float, 2>), dim3(1), dim3(1), 0, 0, output_, 1.5);
  EXPECT_EQ(output_[0], 3);
  // Deduced from the arguments, as in <<<>>>.
  hipLaunchKernelGGL(store_size, 1, 1, 0, 0, output_, triple{});
  EXPECT_EQ(output_[0], sizeof(triple));
  hipLaunchKernelGGL(is_number, 1, 1, 0, 0, output_, 7);
  EXPECT_EQ(output_[0], 1);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST_F(hip_launch, kernels_of_classes_and_by_pointer) {
  hipLaunchKernelGGL(kernels::store_seven, 1, 1, 0, 0, output_);
  EXPECT_EQ(output_[0], 7);
  void (*const chosen)(double*, double) = store;
  hipLaunchKernelGGL(chosen, 1, 1, 0, 0, output_, 8);
  EXPECT_EQ(output_[0], 8);
  hipLaunchKernelGGL(visit, 1, 1, 0, 0);
  int visited = 0;
  ASSERT_EQ(hipMemcpyFromSymbol(&visited, HIP_SYMBOL(visits), sizeof visited), hipSuccess);
  EXPECT_EQ(visited, 1);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST_F(hip_launch, an_argument_is_evaluated_once) {
  int evaluated = 0;
  hipLaunchKernelGGL(store, 4, 64, 0, 0, output_, ++evaluated);
  EXPECT_EQ(evaluated, 1);
  EXPECT_EQ(output_[255], 1);
}

TEST_F(hip_launch, by_the_addresses_of_the_arguments) {
  double value = 2.5;
  void* arguments[] = {&output_, &value};
  ASSERT_EQ(hipLaunchKernel(store, dim3(1), dim3(5), arguments, 0, nullptr), hipSuccess);
  EXPECT_EQ(output_[4], 2.5);
  EXPECT_EQ(output_[5], 0);
  value = 3.5;
  ASSERT_EQ(hipLaunchCooperativeKernel(store, dim3(1), dim3(5), arguments, 0, nullptr), hipSuccess);
  EXPECT_EQ(output_[4], 3.5);
  ASSERT_EQ(hipLaunchKernel(nothing, 1, 1, nullptr), hipSuccess);
  EXPECT_EQ(hipLaunchKernel(store, dim3(1), dim3(5), nullptr, 0, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipLaunchKernel(static_cast<void (*)(int)>(nullptr), 1, 1, arguments), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDeviceFunction);
  // A kernel's address says all, whatever its type.
  const auto untyped = reinterpret_cast<const void*>(&store);
  value = 4.5;
  EXPECT_EQ(hipLaunchKernel(untyped, 1, 1, arguments), hipSuccess);
  EXPECT_EQ(output_[0], 4.5);
  EXPECT_EQ(hipLaunchCooperativeKernel(untyped, 1, 1, arguments, 0, nullptr), hipSuccess);
  EXPECT_EQ(hipLaunchKernel(&value, 1, 1, arguments), hipErrorInvalidDeviceFunction);
}

TEST_F(hip_launch, grids_and_blocks_of_three_dimensions) {
  hipLaunchKernelGGL(shape, dim3(2, 3, 4), dim3(5, 6, 7), 0, 0, output_);
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(output_[i], i + 2);
}

TEST_F(hip_launch, what_the_device_cannot_run) {
  struct {
    dim3 grid, block;
  } const refused[] = {
      {0, 1},
      {dim3(1, 0), 1},
      {dim3(1, 1, 0), 1},
      {1, 0},
      {1, dim3(1, 0)},
      {1, dim3(1, 1, 0)},
      {1, 1025},
      {1, dim3(32, 33)},
      {1, dim3(1, 1, 1025)},
      {1, dim3(65536, 65536)},
      {2147483648U, 1},
      {dim3(1, 65536), 1},
      {dim3(1, 1, 65536), 1},
      {1, dim3(4294967295U, 4294967295U, 4294967295U)},
  };
  for (const auto& each : refused) {
    hipLaunchKernelGGL(store, each.grid, each.block, 0, 0, output_, 1);
    EXPECT_EQ(hipGetLastError(), hipErrorInvalidConfiguration)
        << each.grid.x << ' ' << each.grid.y << ' ' << each.grid.z << " of " << each.block.x << ' ' << each.block.y;
  }
  hipLaunchKernelGGL(store, 1, 1, 65537, 0, output_, 1);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidValue);
  hipLaunchKernelGGL(store, 1, 1, 0, reinterpret_cast<hipStream_t>(output_), output_, 1);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidHandle);
  EXPECT_EQ(output_[0], 0);
}

TEST_F(hip_launch, the_largest_block_and_all_shared_memory) {
  hipLaunchKernelGGL(store, 1, dim3(16, 8, 8), 65536, 0, output_, 1);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  EXPECT_EQ(output_[0], 1);
  hipLaunchKernelGGL(store, 1, 1024, 0, 0, output_, 2);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  EXPECT_EQ(output_[1023], 2);
}

TEST_F(hip_launch, the_current_device_decides_the_warp_size) {
  for (const int device : {0, 1, 0}) {
    ASSERT_EQ(hipSetDevice(device), hipSuccess);
    hipLaunchKernelGGL(store_warp_size, 1, 64, 0, 0, output_);
    EXPECT_EQ(output_[0], device == 0 ? 32 : 64);
  }
}

TEST_F(hip_launch, a_stream_launches_on_its_own_device) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  hipLaunchKernelGGL(store_warp_size, 1, 64, 0, stream, output_);
  EXPECT_EQ(output_[0], 64);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

// A lane's number in its warp, of the warp size it believes in.
__global__ void count_lanes(int* wrong, int expected) {
  const int last = __shfl(static_cast<int>(threadIdx.x), warpSize - 1);
  if (warpSize != expected || last % expected != expected - 1) atomicAdd(wrong, 1);
}

TEST_F(hip_launch, two_threads_with_two_devices_take_turns) {
  std::vector<int> wrong(2);
  const auto work = [&wrong](int device) {
    EXPECT_EQ(hipSetDevice(device), hipSuccess);
    int* counter = nullptr;
    EXPECT_EQ(hipMallocManaged(&counter, sizeof(int)), hipSuccess);
    *counter = 0;
    for (int i = 0; i < 200; ++i) hipLaunchKernelGGL(count_lanes, 4, 128, 0, 0, counter, device == 0 ? 32 : 64);
    EXPECT_EQ(hipGetLastError(), hipSuccess);
    wrong[device] = *counter;
    EXPECT_EQ(hipFree(counter), hipSuccess);
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  EXPECT_EQ(wrong, std::vector<int>(2));
}

TEST_F(hip_launch, cooperative_grids_have_a_limit) {
  double value = 1;
  void* arguments[] = {&output_, &value};
  EXPECT_EQ(hipLaunchCooperativeKernel(store, 64, 64, arguments, 0, nullptr), hipSuccess);
  EXPECT_EQ(output_[4095], 1);
  EXPECT_EQ(hipLaunchCooperativeKernel(store, 100000, 1, arguments, 0, nullptr), hipErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(hipLaunchCooperativeKernel(store, 1000, 1024, arguments, 0, nullptr), hipErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(hipLaunchCooperativeKernel(store, 0, 1, arguments, 0, nullptr), hipErrorInvalidConfiguration);
}

TEST_F(hip_launch, what_is_known_of_a_function) {
  hipFuncAttributes about;
  EXPECT_EQ(hipFuncGetAttributes(&about, store), hipSuccess);
  EXPECT_EQ(about.maxThreadsPerBlock, 1024);
  EXPECT_EQ(about.maxDynamicSharedSizeBytes, 65536);
  const auto address = reinterpret_cast<const void*>(&store);
  EXPECT_EQ(hipFuncGetAttributes(&about, address), hipSuccess);
  EXPECT_EQ(hipFuncGetAttributes(nullptr, store), hipErrorInvalidValue);
  EXPECT_EQ(hipFuncGetAttributes(&about, nullptr), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(hipFuncSetAttribute(address, hipFuncAttributeMaxDynamicSharedMemorySize, 65536), hipSuccess);
  EXPECT_EQ(hipFuncSetAttribute(address, hipFuncAttributeMaxDynamicSharedMemorySize, 65537), hipErrorInvalidValue);
  EXPECT_EQ(hipFuncSetAttribute(address, hipFuncAttributeMax, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipFuncSetCacheConfig(address, hipFuncCachePreferShared), hipSuccess);
  EXPECT_EQ(hipFuncSetCacheConfig(nullptr, hipFuncCachePreferShared), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(hipFuncSetSharedMemConfig(address, hipSharedMemBankSizeFourByte), hipSuccess);
}

TEST_F(hip_launch, a_multiprocessor_holds_as_many_blocks_as_fit) {
  int blocks = 7;
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 1024), hipSuccess);
  EXPECT_EQ(blocks, 8) << "2048 threads";
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 32, 0), hipSuccess);
  EXPECT_EQ(blocks, 32);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 20000), hipSuccess);
  EXPECT_EQ(blocks, 3) << "65536 bytes of shared memory";
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 2000, 0), hipSuccess);
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 65537), hipSuccess);
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 0, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, store, 64, 0, 2), hipErrorInvalidValue);
  int grid = 0;
  int block = 0;
  EXPECT_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &block, store), hipSuccess);
  EXPECT_EQ(block, 1024);
  int multiprocessors = 0;
  EXPECT_EQ(hipDeviceGetAttribute(&multiprocessors, hipDeviceAttributeMultiprocessorCount, 0), hipSuccess);
  EXPECT_EQ(grid, 2 * multiprocessors);
  EXPECT_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &block, store, 0, 128), hipSuccess);
  EXPECT_EQ(block, 128);
  EXPECT_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &block, store, 65537, 0), hipErrorInvalidValue);
}

}  // namespace test_hip_launch
