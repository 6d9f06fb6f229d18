// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's error codes: their numbers and names as documented, and the last error of each thread.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <set>
#include <string>
#include <thread>

namespace test_hip_errors {

struct documented {
  int number;
  const char* name;
};

// From the table of hipError_t in HIP's reference.
constexpr documented table[] = {
    {0, "hipSuccess"},
    {1, "hipErrorInvalidValue"},
    {2, "hipErrorOutOfMemory"},
    {3, "hipErrorNotInitialized"},
    {4, "hipErrorDeinitialized"},
    {5, "hipErrorProfilerDisabled"},
    {6, "hipErrorProfilerNotInitialized"},
    {7, "hipErrorProfilerAlreadyStarted"},
    {8, "hipErrorProfilerAlreadyStopped"},
    {9, "hipErrorInvalidConfiguration"},
    {12, "hipErrorInvalidPitchValue"},
    {13, "hipErrorInvalidSymbol"},
    {17, "hipErrorInvalidDevicePointer"},
    {21, "hipErrorInvalidMemcpyDirection"},
    {35, "hipErrorInsufficientDriver"},
    {52, "hipErrorMissingConfiguration"},
    {53, "hipErrorPriorLaunchFailure"},
    {98, "hipErrorInvalidDeviceFunction"},
    {100, "hipErrorNoDevice"},
    {101, "hipErrorInvalidDevice"},
    {200, "hipErrorInvalidImage"},
    {201, "hipErrorInvalidContext"},
    {202, "hipErrorContextAlreadyCurrent"},
    {205, "hipErrorMapFailed"},
    {206, "hipErrorUnmapFailed"},
    {207, "hipErrorArrayIsMapped"},
    {208, "hipErrorAlreadyMapped"},
    {209, "hipErrorNoBinaryForGpu"},
    {210, "hipErrorAlreadyAcquired"},
    {211, "hipErrorNotMapped"},
    {212, "hipErrorNotMappedAsArray"},
    {213, "hipErrorNotMappedAsPointer"},
    {214, "hipErrorECCNotCorrectable"},
    {215, "hipErrorUnsupportedLimit"},
    {216, "hipErrorContextAlreadyInUse"},
    {217, "hipErrorPeerAccessUnsupported"},
    {218, "hipErrorInvalidKernelFile"},
    {219, "hipErrorInvalidGraphicsContext"},
    {300, "hipErrorInvalidSource"},
    {301, "hipErrorFileNotFound"},
    {302, "hipErrorSharedObjectSymbolNotFound"},
    {303, "hipErrorSharedObjectInitFailed"},
    {304, "hipErrorOperatingSystem"},
    {400, "hipErrorInvalidHandle"},
    {401, "hipErrorIllegalState"},
    {500, "hipErrorNotFound"},
    {600, "hipErrorNotReady"},
    {700, "hipErrorIllegalAddress"},
    {701, "hipErrorLaunchOutOfResources"},
    {702, "hipErrorLaunchTimeOut"},
    {704, "hipErrorPeerAccessAlreadyEnabled"},
    {705, "hipErrorPeerAccessNotEnabled"},
    {708, "hipErrorSetOnActiveProcess"},
    {709, "hipErrorContextIsDestroyed"},
    {710, "hipErrorAssert"},
    {712, "hipErrorHostMemoryAlreadyRegistered"},
    {713, "hipErrorHostMemoryNotRegistered"},
    {719, "hipErrorLaunchFailure"},
    {720, "hipErrorCooperativeLaunchTooLarge"},
    {801, "hipErrorNotSupported"},
    {900, "hipErrorStreamCaptureUnsupported"},
    {901, "hipErrorStreamCaptureInvalidated"},
    {902, "hipErrorStreamCaptureMerge"},
    {903, "hipErrorStreamCaptureUnmatched"},
    {904, "hipErrorStreamCaptureUnjoined"},
    {905, "hipErrorStreamCaptureIsolation"},
    {906, "hipErrorStreamCaptureImplicit"},
    {907, "hipErrorCapturedEvent"},
    {908, "hipErrorStreamCaptureWrongThread"},
    {910, "hipErrorGraphExecUpdateFailure"},
    {911, "hipErrorInvalidChannelDescriptor"},
    {912, "hipErrorInvalidTexture"},
    {999, "hipErrorUnknown"},
    {1052, "hipErrorRuntimeMemory"},
    {1053, "hipErrorRuntimeOther"},
};

class hip_errors : public testing::Test {
 protected:
  void SetUp() override { static_cast<void>(hipGetLastError()); }
  void TearDown() override { static_cast<void>(hipGetLastError()); }
};

TEST_F(hip_errors, have_the_documented_names) {
  for (const documented& each : table) {
    EXPECT_STREQ(hipGetErrorName(static_cast<hipError_t>(each.number)), each.name) << each.number;
  }
}

TEST_F(hip_errors, each_has_a_description_of_its_own) {
  std::set<std::string> seen;
  for (const documented& each : table) {
    const std::string text = hipGetErrorString(static_cast<hipError_t>(each.number));
    EXPECT_FALSE(text.empty()) << each.name;
    EXPECT_TRUE(seen.insert(text).second) << each.name << ": " << text;
  }
}

TEST_F(hip_errors, older_names_mean_the_same) {
  EXPECT_EQ(hipErrorMemoryAllocation, hipErrorOutOfMemory);
  EXPECT_EQ(hipErrorInitializationError, hipErrorNotInitialized);
  EXPECT_EQ(hipErrorMapBufferObjectFailed, hipErrorMapFailed);
  EXPECT_EQ(hipErrorInvalidResourceHandle, hipErrorInvalidHandle);
}

TEST_F(hip_errors, a_number_that_is_none) {
  const auto none = static_cast<hipError_t>(77);
  EXPECT_STREQ(hipGetErrorName(none), "hipErrorUnknown");
  EXPECT_NE(std::string(hipGetErrorString(none)), "");
  const char* text = nullptr;
  EXPECT_EQ(hipDrvGetErrorName(none, &text), hipErrorInvalidValue);
  EXPECT_EQ(hipDrvGetErrorString(none, &text), hipErrorInvalidValue);
  EXPECT_EQ(hipDrvGetErrorName(hipSuccess, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipDrvGetErrorName(hipErrorNoDevice, &text), hipSuccess);
  EXPECT_STREQ(text, "hipErrorNoDevice");
  EXPECT_EQ(hipDrvGetErrorString(hipErrorNoDevice, &text), hipSuccess);
  EXPECT_STREQ(text, hipGetErrorString(hipErrorNoDevice));
}

TEST_F(hip_errors, the_last_one_is_kept_until_it_is_fetched) {
  EXPECT_EQ(hipSetDevice(7), hipErrorInvalidDevice);
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(0), hipSuccess);
  EXPECT_EQ(hipFree(nullptr), hipSuccess);
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST_F(hip_errors, a_later_one_takes_its_place) {
  EXPECT_EQ(hipSetDevice(7), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetDevice(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipExtGetLastError(), hipErrorInvalidValue);
  EXPECT_EQ(hipPeekAtLastError(), hipSuccess);
}

TEST_F(hip_errors, each_thread_has_its_own) {
  EXPECT_EQ(hipSetDevice(7), hipErrorInvalidDevice);
  hipError_t elsewhere = hipErrorUnknown;
  std::thread([&] { elsewhere = hipGetLastError(); }).join();
  EXPECT_EQ(elsewhere, hipSuccess);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
}

}  // namespace test_hip_errors
