// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts and what a program may set for a device; launches and memory of <hip/hip_ext.h>.
#include <gtest/gtest.h>
#define HIP_TEMPLATE_KERNEL_LAUNCH
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>

#include <vector>

namespace test_hip_contexts {

class hip_contexts : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
    static_cast<void>(hipGetLastError());
  }
  static int device() {
    int current = -1;
    EXPECT_EQ(hipCtxGetDevice(&current), hipSuccess);
    return current;
  }
};

TEST_F(hip_contexts, choose_the_device) {
  hipCtx_t second = nullptr, first = nullptr, current = nullptr;
  ASSERT_EQ(hipCtxCreate(&second, 0, 1), hipSuccess);
  EXPECT_EQ(device(), 1);
  ASSERT_EQ(hipCtxCreate(&first, hipDeviceScheduleYield, 0), hipSuccess);
  EXPECT_EQ(device(), 0);
  unsigned flags = 0;
  EXPECT_EQ(hipCtxGetFlags(&flags), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipDeviceScheduleYield));
  EXPECT_EQ(hipCtxPopCurrent(&current), hipSuccess);
  EXPECT_EQ(current, first);
  EXPECT_EQ(device(), 1);
  EXPECT_EQ(hipCtxGetCurrent(&current), hipSuccess);
  EXPECT_EQ(current, second);
  EXPECT_EQ(hipCtxPushCurrent(first), hipSuccess);
  EXPECT_EQ(device(), 0);
  EXPECT_EQ(hipCtxSetCurrent(second), hipSuccess);
  EXPECT_EQ(device(), 1);
  EXPECT_EQ(hipCtxDestroy(first), hipSuccess);
  EXPECT_EQ(hipCtxDestroy(first), hipErrorInvalidContext);
  EXPECT_EQ(hipCtxPushCurrent(first), hipErrorInvalidContext);
  EXPECT_EQ(hipCtxDestroy(second), hipSuccess);
  while (hipCtxPopCurrent(nullptr) == hipSuccess) {
  }
  EXPECT_EQ(hipCtxPopCurrent(&current), hipErrorInvalidContext);
  EXPECT_EQ(hipCtxCreate(nullptr, 0, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipCtxCreate(&first, 0, 7), hipErrorInvalidDevice);
}

TEST_F(hip_contexts, of_a_device_are_counted) {
  unsigned flags = 7;
  int active = 7;
  EXPECT_EQ(hipDevicePrimaryCtxGetState(1, &flags, &active), hipSuccess);
  EXPECT_EQ(active, 0);
  hipCtx_t context = nullptr, current = nullptr;
  EXPECT_EQ(hipDevicePrimaryCtxRetain(&context, 1), hipSuccess);
  EXPECT_EQ(hipDevicePrimaryCtxGetState(1, &flags, &active), hipSuccess);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(hipSetDevice(1), hipSuccess);
  EXPECT_EQ(hipCtxGetCurrent(&current), hipSuccess);
  EXPECT_EQ(current, context);
  EXPECT_EQ(hipCtxDestroy(context), hipErrorInvalidContext);
  EXPECT_EQ(hipDevicePrimaryCtxSetFlags(1, hipDeviceScheduleSpin), hipSuccess);
  EXPECT_EQ(hipDevicePrimaryCtxRelease(1), hipSuccess);
  EXPECT_EQ(hipDevicePrimaryCtxGetState(1, &flags, &active), hipSuccess);
  EXPECT_EQ(active, 0);
  EXPECT_EQ(flags, static_cast<unsigned>(hipDeviceScheduleSpin));
  EXPECT_EQ(hipDevicePrimaryCtxRetain(&context, 2), hipErrorInvalidDevice);
}

TEST_F(hip_contexts, keep_what_is_set_for_a_device) {
  EXPECT_EQ(hipDeviceSetCacheConfig(hipFuncCachePreferL1), hipSuccess);
  EXPECT_EQ(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeEightByte), hipSuccess);
  EXPECT_EQ(hipSetDeviceFlags(hipDeviceScheduleSpin), hipSuccess);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitMallocHeapSize, 123456), hipSuccess);
  EXPECT_EQ(hipSetDevice(1), hipSuccess);
  hipFuncCache_t cache = hipFuncCachePreferEqual;
  EXPECT_EQ(hipDeviceGetCacheConfig(&cache), hipSuccess);
  EXPECT_EQ(cache, hipFuncCachePreferNone) << "of the other device";
  EXPECT_EQ(hipSetDevice(0), hipSuccess);
  EXPECT_EQ(hipDeviceGetCacheConfig(&cache), hipSuccess);
  EXPECT_EQ(cache, hipFuncCachePreferL1);
  hipSharedMemConfig banks = hipSharedMemBankSizeDefault;
  EXPECT_EQ(hipDeviceGetSharedMemConfig(&banks), hipSuccess);
  EXPECT_EQ(banks, hipSharedMemBankSizeEightByte);
  unsigned flags = 0;
  EXPECT_EQ(hipGetDeviceFlags(&flags), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipDeviceScheduleSpin));
  size_t bytes = 0;
  EXPECT_EQ(hipDeviceGetLimit(&bytes, hipLimitMallocHeapSize), hipSuccess);
  EXPECT_EQ(bytes, 123456u);
  EXPECT_EQ(hipDeviceGetCacheConfig(nullptr), hipErrorInvalidValue);
}

TEST_F(hip_contexts, pointers_and_peers_can_be_asked) {
  int* memory = nullptr;
  ASSERT_EQ(hipExtMallocWithFlags(reinterpret_cast<void**>(&memory), 40, hipDeviceMallocFinegrained), hipSuccess);
  hipMemoryType type = hipMemoryTypeUnregistered;
  EXPECT_EQ(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, memory + 3), hipSuccess);
  EXPECT_EQ(type, hipMemoryTypeDevice);
  void* begin = nullptr;
  size_t bytes = 0;
  hipPointer_attribute both[] = {HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, HIP_POINTER_ATTRIBUTE_RANGE_SIZE};
  void* values[] = {&begin, &bytes};
  EXPECT_EQ(hipDrvPointerGetAttributes(2, both, values, memory + 3), hipSuccess);
  EXPECT_EQ(begin, memory);
  EXPECT_EQ(bytes, 40u);
  begin = nullptr;
  EXPECT_EQ(hipMemGetAddressRange(&begin, &bytes, memory + 3), hipSuccess);
  EXPECT_EQ(begin, memory);
  EXPECT_EQ(hipMemGetAddressRange(&begin, &bytes, &bytes), hipErrorNotFound);
  EXPECT_EQ(hipPointerGetAttribute(&begin, HIP_POINTER_ATTRIBUTE_HOST_POINTER, memory), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  int value = -1;
  EXPECT_EQ(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 1), hipSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 0), hipErrorInvalidDevice);
}

__global__ void store_sum(int* output, int a, int b) { output[blockIdx.x * blockDim.x + threadIdx.x] = a + b; }

__global__ void count_after_sync(unsigned* counter, unsigned* seen) {
  atomicAdd(counter, 1);
  const auto all = cooperative_groups::this_multi_grid();
  all.sync();
  if (all.thread_rank() == all.size() - 1) *seen = *counter * 10 + all.num_grids();
}

TEST_F(hip_contexts, launches_between_events_and_as_a_template) {
  int output[6] = {};
  hipEvent_t begin = nullptr, end = nullptr;
  ASSERT_EQ(hipEventCreate(&begin), hipSuccess);
  ASSERT_EQ(hipEventCreate(&end), hipSuccess);
  hipExtLaunchKernelGGL(store_sum, dim3(2), dim3(3), 0, nullptr, begin, end, 0, output, 4, 5);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  EXPECT_EQ(output[5], 9);
  float milliseconds = -1;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, begin, end), hipSuccess);
  EXPECT_GT(milliseconds, 0);
  hipLaunchKernelGGL(store_sum, {2, 1}, {3, 1, 1}, 0, nullptr, output, 6, 5);
  EXPECT_EQ(output[5], 11);
  EXPECT_EQ(hipEventDestroy(begin), hipSuccess);
  EXPECT_EQ(hipEventDestroy(end), hipSuccess);
}

TEST_F(hip_contexts, cooperative_launches_by_other_names) {
  unsigned counter = 0, seen = 0;
  unsigned* counter_address = &counter;
  unsigned* seen_address = &seen;
  void* arguments[] = {&counter_address, &seen_address};
  hipLaunchParams launch{reinterpret_cast<void*>(count_after_sync), dim3(32), dim3(256), arguments, 0, nullptr};
  ASSERT_EQ(hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0), hipSuccess) << "32 blocks are cooperative";
  EXPECT_EQ(seen, 32u * 256 * 10 + 1);
  EXPECT_EQ(hipLaunchCooperativeKernelMultiDevice(&launch, 3, 0), hipErrorInvalidValue);
  counter = 0;
  hipLaunchAttribute cooperative{};
  cooperative.id = hipLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  hipLaunchConfig_t config{dim3(2), dim3(64), 0, nullptr, &cooperative, 1};
  ASSERT_EQ(hipLaunchKernelExC(&config, reinterpret_cast<void*>(count_after_sync), arguments), hipSuccess);
  EXPECT_EQ(seen, 128u * 10 + 1);
  int blocks = 0, multiprocessors = 0;
  ASSERT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_after_sync, 256, 0), hipSuccess);
  ASSERT_EQ(hipDeviceGetAttribute(&multiprocessors, hipDeviceAttributeMultiprocessorCount, 0), hipSuccess);
  EXPECT_GE(blocks * multiprocessors, 32);
  launch.gridDim = dim3(static_cast<unsigned>(blocks * multiprocessors));
  EXPECT_EQ(hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0), hipSuccess) << "what occupancy promises can run";
}

}  // namespace test_hip_contexts
