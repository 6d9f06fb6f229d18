// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls in a module: checked, and what times a launch.
#pragma once

#include <hip/hip_runtime.h>

namespace warpz {

/// A HIP call that failed; thrown here, and caught in module.hip.
struct failed_call {
  const char* call;
  hipError_t code;
};

inline void check_call(hipError_t code, const char* call) {
  if (code != hipSuccess) throw failed_call{call, code};
}

#define WARPZ_CHECK(call) ::warpz::check_call((call), #call)

/// Two events around a launch.
class stopwatch {
 public:
  explicit stopwatch(hipStream_t stream) : stream_(stream) {
    WARPZ_CHECK(hipEventCreate(&begin_));
    WARPZ_CHECK(hipEventCreate(&end_));
  }
  ~stopwatch() {
    if (begin_ != nullptr) static_cast<void>(hipEventDestroy(begin_));
    if (end_ != nullptr) static_cast<void>(hipEventDestroy(end_));
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  void start() { WARPZ_CHECK(hipEventRecord(begin_, stream_)); }
  void stop() {
    WARPZ_CHECK(hipEventRecord(end_, stream_));
    WARPZ_CHECK(hipEventSynchronize(end_));
  }
  float milliseconds() const {
    float milliseconds = 0;
    WARPZ_CHECK(hipEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds;
  }

 private:
  hipStream_t stream_;
  hipEvent_t begin_ = nullptr;
  hipEvent_t end_ = nullptr;
};

}  // namespace warpz
