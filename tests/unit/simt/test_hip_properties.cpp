// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two devices and what they say about themselves.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>
#include <hip/hip_version.h>

#include <climits>
#include <string>
#include <thread>

namespace test_hip_properties {

class hip_properties : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
    static_cast<void>(hipGetLastError());
  }
};

int attribute(hipDeviceAttribute_t which, int device) {
  int value = -1;
  EXPECT_EQ(hipDeviceGetAttribute(&value, which, device), hipSuccess) << which;
  return value;
}

TEST_F(hip_properties, two_devices_with_32_and_64_lanes) {
  int count = 0;
  ASSERT_EQ(hipGetDeviceCount(&count), hipSuccess);
  ASSERT_EQ(count, 2);
  for (int device = 0; device < count; ++device) {
    const int lanes = device == 0 ? 32 : 64;
    hipDeviceProp_t properties;
    ASSERT_EQ(hipGetDeviceProperties(&properties, device), hipSuccess);
    EXPECT_EQ(properties.warpSize, lanes);
    EXPECT_EQ(attribute(hipDeviceAttributeWarpSize, device), lanes);
    const std::string name = properties.name;
    EXPECT_EQ(name.rfind("CPU, " + std::to_string(lanes) + " lanes", 0), 0U) << name;
    char short_name[6];
    EXPECT_EQ(hipDeviceGetName(short_name, sizeof short_name, device), hipSuccess);
    EXPECT_STREQ(short_name, "CPU, ");
  }
}

TEST_F(hip_properties, a_launch_may_use_what_they_promise) {
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.maxThreadsDim[2], 1024);
  EXPECT_EQ(properties.maxGridSize[0], INT_MAX);
  EXPECT_EQ(properties.maxGridSize[1], 65535);
  EXPECT_EQ(properties.maxGridSize[2], 65535);
  EXPECT_EQ(properties.sharedMemPerBlock, 65536U);
  EXPECT_GE(properties.multiProcessorCount, 4) << "also on a host with fewer cores";
  EXPECT_EQ(properties.maxBlocksPerMultiProcessor, 32);
  EXPECT_EQ(properties.maxThreadsPerMultiProcessor, 2048);
  EXPECT_EQ(properties.arch.hasFloatAtomicAdd, 1U);
  EXPECT_EQ(properties.integrated, 1);
  EXPECT_EQ(properties.canMapHostMemory, 1);
  EXPECT_EQ(properties.unifiedAddressing, 1);
  EXPECT_EQ(properties.managedMemory, 1);
  // Launches take turns.
  EXPECT_EQ(properties.concurrentKernels, 0);
  EXPECT_EQ(properties.clockRate, 1000000);
#if defined(__x86_64__)
  EXPECT_STREQ(properties.gcnArchName, properties.warpSize == 64 ? "gfx90a:x86-64" : "gfx1100:x86-64");
#elif defined(__aarch64__)
  EXPECT_NE(std::strstr(properties.gcnArchName, ":aarch64"), nullptr);
#endif
  std::size_t total = 0;
  std::size_t free = 0;
  ASSERT_EQ(hipMemGetInfo(&free, &total), hipSuccess);
  EXPECT_EQ(properties.totalGlobalMem, total);
  std::size_t bytes = 0;
  EXPECT_EQ(hipDeviceTotalMem(&bytes, 1), hipSuccess);
  EXPECT_EQ(bytes, total);
}

TEST_F(hip_properties, attributes_say_the_same) {
  hipDeviceProp_t p;
  ASSERT_EQ(hipGetDeviceProperties(&p, 1), hipSuccess);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxThreadsPerBlock, 1), p.maxThreadsPerBlock);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxBlockDimX, 1), p.maxThreadsDim[0]);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxBlockDimY, 1), p.maxThreadsDim[1]);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxBlockDimZ, 1), p.maxThreadsDim[2]);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxGridDimX, 1), p.maxGridSize[0]);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxGridDimY, 1), p.maxGridSize[1]);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxGridDimZ, 1), p.maxGridSize[2]);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, 1), static_cast<int>(p.sharedMemPerBlock));
  EXPECT_EQ(attribute(hipDeviceAttributeMultiprocessorCount, 1), p.multiProcessorCount);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor, 1), p.maxThreadsPerMultiProcessor);
  EXPECT_EQ(attribute(hipDeviceAttributeClockRate, 1), p.clockRate);
  EXPECT_EQ(attribute(hipDeviceAttributeWallClockRate, 1), 1000000);
  EXPECT_EQ(attribute(hipDeviceAttributeL2CacheSize, 1), p.l2CacheSize);
  EXPECT_EQ(attribute(hipDeviceAttributeComputeCapabilityMajor, 1), p.major);
  EXPECT_EQ(attribute(hipDeviceAttributeComputeCapabilityMinor, 1), p.minor);
  EXPECT_EQ(attribute(hipDeviceAttributeIntegrated, 1), 1);
  EXPECT_EQ(attribute(hipDeviceAttributeManagedMemory, 1), 1);
  EXPECT_EQ(attribute(hipDeviceAttributeCooperativeLaunch, 1), 1);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxTexture1DWidth, 1), 16384);
  EXPECT_EQ(attribute(hipDeviceAttributeMemoryPoolsSupported, 1), 1);
  int major = 0;
  int minor = -1;
  EXPECT_EQ(hipDeviceComputeCapability(&major, &minor, 1), hipSuccess);
  EXPECT_EQ(major, p.major);
  EXPECT_EQ(minor, p.minor);
}

// Programs compiled against another table of numbers would read something else.
TEST_F(hip_properties, attributes_have_the_documented_numbers) {
  EXPECT_EQ(static_cast<int>(hipDeviceAttributeEccEnabled), 0);
  EXPECT_EQ(static_cast<int>(hipDeviceAttributeClockRate), 5);
  EXPECT_EQ(static_cast<int>(hipDeviceAttributeMaxThreadsPerBlock), 56);
  EXPECT_EQ(static_cast<int>(hipDeviceAttributeMultiprocessorCount), 63);
  EXPECT_EQ(static_cast<int>(hipDeviceAttributeMaxSharedMemoryPerBlock), 74);
  EXPECT_EQ(static_cast<int>(hipDeviceAttributeWarpSize), 87);
  EXPECT_EQ(static_cast<int>(hipDeviceAttributeClockInstructionRate), 10000);
  EXPECT_EQ(static_cast<int>(hipDeviceAttributeWallClockRate), 10017);
}

TEST_F(hip_properties, what_does_not_exist) {
  int value = 7;
  hipDeviceProp_t properties;
  for (const int device : {-1, 2, 99}) {
    EXPECT_EQ(hipSetDevice(device), hipErrorInvalidDevice);
    EXPECT_EQ(hipGetDeviceProperties(&properties, device), hipErrorInvalidDevice);
    EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, device), hipErrorInvalidDevice);
    EXPECT_EQ(hipDeviceGet(&value, device), hipErrorInvalidDevice);
  }
  EXPECT_EQ(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(5000), 0), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(-1), 0), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(10018), 0), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetAttribute(nullptr, hipDeviceAttributeWarpSize, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGetDeviceProperties(nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGetDeviceCount(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(value, 7);
}

TEST_F(hip_properties, each_thread_has_its_current_device) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  int elsewhere = 7;
  std::thread([&] { EXPECT_EQ(hipGetDevice(&elsewhere), hipSuccess); }).join();
  EXPECT_EQ(elsewhere, 0);
  int here = 7;
  EXPECT_EQ(hipGetDevice(&here), hipSuccess);
  EXPECT_EQ(here, 1);
}

TEST_F(hip_properties, versions) {
  int driver = 0;
  int runtime = 0;
  EXPECT_EQ(hipDriverGetVersion(&driver), hipSuccess);
  EXPECT_EQ(hipRuntimeGetVersion(&runtime), hipSuccess);
  EXPECT_EQ(driver, HIP_VERSION);
  EXPECT_EQ(runtime, HIP_VERSION);
  EXPECT_GE(HIP_VERSION, 50200000);
  EXPECT_EQ(hipInit(0), hipSuccess);
  EXPECT_EQ(hipInit(1), hipErrorInvalidValue);
}

TEST_F(hip_properties, peers) {
  int can = 7;
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 0, 1), hipSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 1, 1), hipSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 0, 2), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipSuccess);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(hipDeviceDisablePeerAccess(1), hipSuccess);
  EXPECT_EQ(hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 1), hipErrorInvalidValue);
}

TEST_F(hip_properties, limits_and_hints) {
  std::size_t bytes = 0;
  EXPECT_EQ(hipDeviceGetLimit(&bytes, hipLimitStackSize), hipSuccess);
  EXPECT_GE(bytes, 65536U);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitMallocHeapSize, 3 << 20), hipSuccess);
  EXPECT_EQ(hipDeviceGetLimit(&bytes, hipLimitMallocHeapSize), hipSuccess);
  EXPECT_EQ(bytes, 3U << 20);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitStackSize, 8192), hipSuccess);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitStackSize, 1 << 20), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetLimit(&bytes, hipLimitStackSize), hipSuccess);
  EXPECT_EQ(bytes, 8192U);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitRange, 1), hipErrorUnsupportedLimit);
  EXPECT_EQ(hipSetDeviceFlags(hipDeviceScheduleBlockingSync), hipSuccess);
  EXPECT_EQ(hipSetDeviceFlags(0x100), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceSetCacheConfig(hipFuncCachePreferL1), hipSuccess);
  EXPECT_EQ(hipDeviceSetCacheConfig(static_cast<hipFuncCache_t>(4)), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeEightByte), hipSuccess);
  EXPECT_EQ(hipDeviceSetSharedMemConfig(static_cast<hipSharedMemConfig>(3)), hipErrorInvalidValue);
}

}  // namespace test_hip_properties
