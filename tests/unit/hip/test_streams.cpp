// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events: work in order, times, and handles that are not (or no longer) valid.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <chrono>
#include <string>
#include <thread>

namespace test_hip_streams {

class hip_streams : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
    static_cast<void>(hipGetLastError());
  }

  char memory_[64] = {};
  const hipStream_t no_stream_ = reinterpret_cast<hipStream_t>(memory_);
  const hipEvent_t no_event_ = reinterpret_cast<hipEvent_t>(memory_);
};

TEST_F(hip_streams, are_idle_whenever_one_asks) {
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  EXPECT_NE(stream, nullptr);
  EXPECT_EQ(hipStreamQuery(stream), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST_F(hip_streams, that_are_none) {
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipStreamDestroy(stream), hipSuccess);
  for (const hipStream_t bad : {stream, no_stream_}) {
    EXPECT_EQ(hipStreamQuery(bad), hipErrorInvalidHandle);
    EXPECT_EQ(hipStreamSynchronize(bad), hipErrorInvalidHandle);
    EXPECT_EQ(hipStreamDestroy(bad), hipErrorInvalidHandle);
    EXPECT_EQ(hipLaunchHostFunc(
                  bad, [](void*) {}, nullptr),
              hipErrorInvalidHandle);
    unsigned flags = 0;
    EXPECT_EQ(hipStreamGetFlags(bad, &flags), hipErrorInvalidHandle);
  }
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidHandle);
  EXPECT_EQ(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(hipStreamCreate(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamCreateWithFlags(&stream, 2), hipErrorInvalidValue);
}

TEST_F(hip_streams, that_always_exist) {
  for (const hipStream_t each : {hipStream_t{nullptr}, hipStreamLegacy, hipStreamPerThread}) {
    EXPECT_EQ(hipStreamQuery(each), hipSuccess);
    EXPECT_EQ(hipStreamSynchronize(each), hipSuccess);
    EXPECT_EQ(hipStreamDestroy(each), hipErrorInvalidHandle);
  }
}

TEST_F(hip_streams, know_how_they_were_created) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, -1), hipSuccess);
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  unsigned flags = 0;
  EXPECT_EQ(hipStreamGetFlags(stream, &flags), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipStreamNonBlocking));
  int priority = 7;
  EXPECT_EQ(hipStreamGetPriority(stream, &priority), hipSuccess);
  EXPECT_EQ(priority, 0);
  hipDevice_t device = 7;
  EXPECT_EQ(hipStreamGetDevice(stream, &device), hipSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(hipStreamGetDevice(nullptr, &device), hipSuccess);
  EXPECT_EQ(device, 0);
  int least = 7;
  int greatest = 7;
  EXPECT_EQ(hipDeviceGetStreamPriorityRange(&least, &greatest), hipSuccess);
  EXPECT_EQ(least, 0);
  EXPECT_EQ(greatest, 0);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

__global__ void append(char* text, char letter) {
  int end = 0;
  while (text[end] != 0) ++end;
  text[end] = letter;
}

TEST_F(hip_streams, do_their_work_in_order) {
  char* text = nullptr;
  ASSERT_EQ(hipMallocManaged(&text, 16), hipSuccess);
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipMemsetAsync(text, 0, 16, stream), hipSuccess);
  hipLaunchKernelGGL(append, 1, 1, 0, stream, text, 'a');
  const auto host = [](void* data) { static_cast<char*>(data)[1] = 'b'; };
  ASSERT_EQ(hipLaunchHostFunc(stream, host, text), hipSuccess);
  hipLaunchKernelGGL(append, 1, 1, 0, stream, text, 'c');
  const auto callback = [](hipStream_t, hipError_t status, void* data) {
    static_cast<char*>(data)[3] = status == hipSuccess ? 'd' : '!';
  };
  ASSERT_EQ(hipStreamAddCallback(stream, callback, text, 0), hipSuccess);
  ASSERT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_STREQ(text, "abcd");
  EXPECT_EQ(hipLaunchHostFunc(stream, nullptr, text), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamAddCallback(stream, nullptr, text, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamAddCallback(stream, callback, text, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipFree(text), hipSuccess);
}

TEST_F(hip_streams, events_measure_what_lies_between_them) {
  hipEvent_t begin = nullptr;
  hipEvent_t end = nullptr;
  ASSERT_EQ(hipEventCreate(&begin), hipSuccess);
  ASSERT_EQ(hipEventCreate(&end), hipSuccess);
  const auto before = std::chrono::steady_clock::now();
  ASSERT_EQ(hipEventRecord(begin, nullptr), hipSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(hipEventRecord(end), hipSuccess);
  const auto after = std::chrono::steady_clock::now();
  ASSERT_EQ(hipEventSynchronize(end), hipSuccess);
  float milliseconds = 0;
  ASSERT_EQ(hipEventElapsedTime(&milliseconds, begin, end), hipSuccess);
  EXPECT_GE(milliseconds, 20.0f);
  const std::chrono::duration<float, std::milli> at_most = after - before;
  EXPECT_LE(milliseconds, at_most.count() + 0.001f);
  float backwards = 0;
  ASSERT_EQ(hipEventElapsedTime(&backwards, end, begin), hipSuccess);
  EXPECT_EQ(backwards, -milliseconds);
  EXPECT_EQ(hipEventDestroy(begin), hipSuccess);
  EXPECT_EQ(hipEventDestroy(end), hipSuccess);
}

TEST_F(hip_streams, events_resolve_less_than_a_microsecond) {
  hipEvent_t begin = nullptr;
  hipEvent_t end = nullptr;
  ASSERT_EQ(hipEventCreate(&begin), hipSuccess);
  ASSERT_EQ(hipEventCreate(&end), hipSuccess);
  bool finer = false;
  for (int i = 0; i < 1000 && !finer; ++i) {
    ASSERT_EQ(hipEventRecord(begin), hipSuccess);
    ASSERT_EQ(hipEventRecord(end), hipSuccess);
    float milliseconds = 0;
    ASSERT_EQ(hipEventElapsedTime(&milliseconds, begin, end), hipSuccess);
    ASSERT_GE(milliseconds, 0.0f);
    const double nanoseconds = 1e6 * static_cast<double>(milliseconds);
    finer = static_cast<long long>(nanoseconds + 0.5) % 1000 != 0;
  }
  EXPECT_TRUE(finer);
  EXPECT_EQ(hipEventDestroy(begin), hipSuccess);
  EXPECT_EQ(hipEventDestroy(end), hipSuccess);
}

TEST_F(hip_streams, events_without_a_time) {
  hipEvent_t recorded = nullptr;
  hipEvent_t unrecorded = nullptr;
  hipEvent_t untimed = nullptr;
  ASSERT_EQ(hipEventCreate(&recorded), hipSuccess);
  ASSERT_EQ(hipEventCreate(&unrecorded), hipSuccess);
  ASSERT_EQ(hipEventCreateWithFlags(&untimed, hipEventDisableTiming | hipEventBlockingSync), hipSuccess);
  ASSERT_EQ(hipEventRecord(recorded), hipSuccess);
  ASSERT_EQ(hipEventRecord(untimed), hipSuccess);
  float milliseconds = 7;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, recorded, unrecorded), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, unrecorded, recorded), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, recorded, untimed), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, recorded, nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventElapsedTime(nullptr, recorded, recorded), hipErrorInvalidValue);
  EXPECT_EQ(milliseconds, 7);
  // Nothing to wait for.
  EXPECT_EQ(hipEventQuery(unrecorded), hipSuccess);
  EXPECT_EQ(hipEventSynchronize(unrecorded), hipSuccess);
  for (const hipEvent_t each : {recorded, unrecorded, untimed}) EXPECT_EQ(hipEventDestroy(each), hipSuccess);
}

TEST_F(hip_streams, events_that_are_none) {
  hipEvent_t event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  ASSERT_EQ(hipEventDestroy(event), hipSuccess);
  for (const hipEvent_t bad : {event, no_event_, hipEvent_t{nullptr}}) {
    EXPECT_EQ(hipEventRecord(bad), hipErrorInvalidHandle);
    EXPECT_EQ(hipEventQuery(bad), hipErrorInvalidHandle);
    EXPECT_EQ(hipEventSynchronize(bad), hipErrorInvalidHandle);
    EXPECT_EQ(hipEventDestroy(bad), hipErrorInvalidHandle);
    EXPECT_EQ(hipStreamWaitEvent(nullptr, bad), hipErrorInvalidHandle);
  }
  EXPECT_EQ(hipEventCreate(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipEventCreateWithFlags(&event, 0x1000), hipErrorInvalidValue);
  // Between processes: without its time.
  EXPECT_EQ(hipEventCreateWithFlags(&event, hipEventInterprocess), hipErrorInvalidValue);
  ASSERT_EQ(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming), hipSuccess);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
}

TEST_F(hip_streams, wait_for_events) {
  hipEvent_t event = nullptr;
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  EXPECT_EQ(hipEventRecord(event, stream), hipSuccess);
  EXPECT_EQ(hipStreamWaitEvent(nullptr, event, 0), hipSuccess);
  EXPECT_EQ(hipStreamWaitEvent(stream, event, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamWaitEvent(no_stream_, event, 0), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventRecord(event, no_stream_), hipErrorInvalidHandle);
  // An event belongs to the device it was created for.
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  EXPECT_EQ(hipEventRecord(event, nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventRecord(event, stream), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
}

TEST_F(hip_streams, go_with_the_reset_of_their_device) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  hipEvent_t event = nullptr;
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  ASSERT_EQ(hipDeviceReset(), hipSuccess);
  EXPECT_EQ(hipStreamQuery(stream), hipSuccess);
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  ASSERT_EQ(hipDeviceReset(), hipSuccess);
  EXPECT_EQ(hipStreamQuery(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventQuery(event), hipErrorInvalidHandle);
}

}  // namespace test_hip_streams
