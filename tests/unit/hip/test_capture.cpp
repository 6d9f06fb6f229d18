// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Capture of streams: nothing runs until the graph does, events join streams, and what cannot be captured says so.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <thread>
#include <vector>

namespace test_hip_capture {

__global__ void scale_and_add(int* data, int factor, int summand) { *data = *data * factor + summand; }

class hip_capture : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMalloc(&data_, sizeof(int)), hipSuccess);
    ASSERT_EQ(hipMemset(data_, 0, sizeof(int)), hipSuccess);
    for (hipStream_t* each : {&stream_, &second_}) {
      ASSERT_EQ(hipStreamCreateWithFlags(each, hipStreamNonBlocking), hipSuccess);
    }
    ASSERT_EQ(hipEventCreate(&fork_), hipSuccess);
    ASSERT_EQ(hipEventCreate(&join_), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipEventDestroy(fork_), hipSuccess);
    EXPECT_EQ(hipEventDestroy(join_), hipSuccess);
    EXPECT_EQ(hipStreamDestroy(stream_), hipSuccess);
    EXPECT_EQ(hipStreamDestroy(second_), hipSuccess);
    EXPECT_EQ(hipFree(data_), hipSuccess);
    static_cast<void>(hipGetLastError());
  }
  void begin(hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
    ASSERT_EQ(hipStreamBeginCapture(stream_, mode), hipSuccess);
  }
  int value() const {
    int got = -1;
    EXPECT_EQ(hipMemcpy(&got, data_, sizeof got, hipMemcpyDeviceToHost), hipSuccess);
    return got;
  }
  hipStreamCaptureStatus status(hipStream_t stream) const {
    auto given = hipStreamCaptureStatusInvalidated;
    EXPECT_EQ(hipStreamIsCapturing(stream, &given), hipSuccess);
    return given;
  }

  int* data_ = nullptr;
  hipStream_t stream_ = nullptr;
  hipStream_t second_ = nullptr;
  hipEvent_t fork_ = nullptr;
  hipEvent_t join_ = nullptr;
  hipGraph_t graph_ = nullptr;
};

TEST_F(hip_capture, turns_calls_into_nodes) {
  int start = 4;
  int result = 0;
  bool called = false;
  EXPECT_EQ(status(stream_), hipStreamCaptureStatusNone);
  begin();
  EXPECT_EQ(status(stream_), hipStreamCaptureStatusActive);
  EXPECT_EQ(hipMemsetAsync(data_, 0xff, sizeof(int), stream_), hipSuccess);
  EXPECT_EQ(hipMemcpyAsync(data_, &start, sizeof start, hipMemcpyHostToDevice, stream_), hipSuccess);
  for (int i = 1; i <= 2; ++i) scale_and_add<<<1, 1, 0, stream_>>>(data_, 10, i);
  EXPECT_EQ(hipMemcpyAsync(&result, data_, sizeof result, hipMemcpyDeviceToHost, stream_), hipSuccess);
  EXPECT_EQ(hipLaunchHostFunc(
                stream_, [](void* flag) { *static_cast<bool*>(flag) = true; }, &called),
            hipSuccess);
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph_), hipSuccess);
  EXPECT_EQ(value(), 0);
  EXPECT_FALSE(called);
  size_t count = 0;
  EXPECT_EQ(hipGraphGetNodes(graph_, nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 6u);
  EXPECT_EQ(hipGraphGetEdges(graph_, nullptr, nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 5u);

  hipGraphExec_t executable = nullptr;
  ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), hipSuccess);
  ASSERT_EQ(hipGraphDestroy(graph_), hipSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), hipSuccess);
  EXPECT_EQ(result, 412);
  EXPECT_TRUE(called);
  start = 7;
  ASSERT_EQ(hipGraphLaunch(executable, stream_), hipSuccess);
  EXPECT_EQ(result, 712);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(hip_capture, of_two_streams_that_events_join) {
  begin();
  scale_and_add<<<1, 1, 0, stream_>>>(data_, 10, 1);
  ASSERT_EQ(hipEventRecord(fork_, stream_), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(second_, fork_), hipSuccess);
  EXPECT_EQ(status(second_), hipStreamCaptureStatusActive);
  scale_and_add<<<1, 1, 0, second_>>>(data_, 10, 2);
  ASSERT_EQ(hipEventRecord(join_, second_), hipSuccess);
  EXPECT_EQ(hipEventQuery(join_), hipErrorCapturedEvent);
  ASSERT_EQ(hipStreamWaitEvent(stream_, join_), hipSuccess);
  scale_and_add<<<1, 1, 0, stream_>>>(data_, 10, 3);
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph_), hipSuccess);
  EXPECT_EQ(status(second_), hipStreamCaptureStatusNone);
  hipGraphNode_t nodes[3] = {};
  size_t count = 3;
  ASSERT_EQ(hipGraphGetNodes(graph_, nodes, &count), hipSuccess);
  ASSERT_EQ(count, 3u);
  ASSERT_EQ(hipGraphNodeGetDependencies(nodes[2], nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 2u) << "the stream's own last node, and the other stream's";
  EXPECT_EQ(hipGraphDestroy(graph_), hipSuccess);
}

TEST_F(hip_capture, that_a_stream_never_joins_again_has_no_graph) {
  begin();
  ASSERT_EQ(hipEventRecord(fork_, stream_), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(second_, fork_), hipSuccess);
  scale_and_add<<<1, 1, 0, second_>>>(data_, 10, 2);
  EXPECT_EQ(hipStreamEndCapture(second_, &graph_), hipErrorStreamCaptureUnmatched);
  EXPECT_EQ(hipStreamEndCapture(stream_, &graph_), hipErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph_, nullptr);
}

TEST_F(hip_capture, ends_invalid_after_what_cannot_be_captured) {
  begin();
  EXPECT_EQ(hipStreamSynchronize(stream_), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(status(stream_), hipStreamCaptureStatusInvalidated);
  EXPECT_EQ(hipMemsetAsync(data_, 0, sizeof(int), stream_), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipStreamEndCapture(stream_, &graph_), hipErrorStreamCaptureInvalidated);

  begin();
  EXPECT_EQ(hipDeviceSynchronize(), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(hipStreamEndCapture(stream_, &graph_), hipErrorStreamCaptureInvalidated);

  begin(hipStreamCaptureModeRelaxed);
  int* memory = nullptr;
  EXPECT_EQ(hipMalloc(&memory, 4), hipSuccess);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(hipStreamEndCapture(stream_, &graph_), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph_), hipSuccess);

  begin();
  EXPECT_EQ(hipStreamWaitEvent(stream_, join_), hipErrorStreamCaptureIsolation) << "an event of no capture";
  EXPECT_EQ(hipStreamEndCapture(stream_, &graph_), hipErrorStreamCaptureInvalidated);
}

TEST_F(hip_capture, of_a_blocking_stream_forbids_the_null_stream) {
  hipStream_t blocking = nullptr;
  ASSERT_EQ(hipStreamCreate(&blocking), hipSuccess);
  ASSERT_EQ(hipStreamBeginCapture(blocking, hipStreamCaptureModeGlobal), hipSuccess);
  auto given = hipStreamCaptureStatusNone;
  EXPECT_EQ(hipStreamIsCapturing(nullptr, &given), hipErrorStreamCaptureImplicit);
  EXPECT_EQ(hipMemset(data_, 0, sizeof(int)), hipErrorStreamCaptureImplicit);
  scale_and_add<<<1, 1>>>(data_, 10, 1);
  EXPECT_EQ(hipGetLastError(), hipErrorStreamCaptureImplicit);
  EXPECT_EQ(hipStreamEndCapture(blocking, &graph_), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipStreamDestroy(blocking), hipSuccess);
}

TEST_F(hip_capture, needs_a_stream_a_mode_and_an_order) {
  EXPECT_EQ(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(hipStreamBeginCapture(stream_, static_cast<hipStreamCaptureMode>(3)), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamEndCapture(stream_, &graph_), hipErrorIllegalState);
  EXPECT_EQ(hipStreamEndCapture(stream_, nullptr), hipErrorInvalidValue);
  begin();
  EXPECT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  std::thread([this] { EXPECT_EQ(hipStreamEndCapture(stream_, &graph_), hipErrorStreamCaptureWrongThread); }).join();
  EXPECT_EQ(hipStreamEndCapture(stream_, &graph_), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph_), hipSuccess);
}

TEST_F(hip_capture, can_be_asked_and_changed) {
  begin(hipStreamCaptureModeThreadLocal);
  scale_and_add<<<1, 1, 0, stream_>>>(data_, 10, 1);
  auto given = hipStreamCaptureStatusNone;
  unsigned long long id = 0;
  hipGraph_t graph = nullptr;
  const hipGraphNode_t* last = nullptr;
  size_t count = 0;
  ASSERT_EQ(hipStreamGetCaptureInfo_v2(stream_, &given, &id, &graph, &last, &count), hipSuccess);
  EXPECT_EQ(given, hipStreamCaptureStatusActive);
  EXPECT_NE(id, 0u);
  ASSERT_EQ(count, 1u);
  hipGraphNode_t extra = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&extra, graph, last, 1), hipSuccess);
  ASSERT_EQ(hipStreamUpdateCaptureDependencies(stream_, &extra, 1, hipStreamSetCaptureDependencies), hipSuccess);
  scale_and_add<<<1, 1, 0, stream_>>>(data_, 10, 2);
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph_), hipSuccess);
  EXPECT_EQ(graph_, graph);
  EXPECT_EQ(hipGraphNodeGetDependentNodes(extra, nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(hipGraphDestroy(graph_), hipSuccess);
}

}  // namespace test_hip_capture
