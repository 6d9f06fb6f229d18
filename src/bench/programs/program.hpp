// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the small programs of this folder share: arrays on the device, numbers to start with, and how one ends. The
// numbers are small integers, so that a sum of floats is the same in every order. A program prints whether its result
// is right, and the processor time of all threads between the last copy to the device and the first one back.
#pragma once

#include <hip/hip_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

struct kernels_time {
  std::clock_t begin = 0;
  std::clock_t end = 0;
};

inline kernels_time& measured() {
  static kernels_time only;
  return only;
}

template <class T>
class device_array {
 public:
  explicit device_array(const std::vector<T>& values) : size_(values.size()) {
    if (hipMalloc(&data_, bytes()) != hipSuccess) std::abort();
    if (hipMemcpy(data_, values.data(), bytes(), hipMemcpyHostToDevice) != hipSuccess) std::abort();
    measured().begin = std::clock();
  }
  explicit device_array(std::size_t size) : device_array(std::vector<T>(size)) {}
  ~device_array() { static_cast<void>(hipFree(data_)); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  operator T*() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> result(size_);
    if (hipMemcpy(result.data(), data_, bytes(), hipMemcpyDeviceToHost) != hipSuccess) std::abort();
    if (measured().end == 0) measured().end = std::clock();
    return result;
  }

 private:
  std::size_t bytes() const { return size_ * sizeof(T); }
  T* data_ = nullptr;
  std::size_t size_;
};

/// Integers from 0 to `end` - 1, in no order.
template <class T>
std::vector<T> numbers(std::size_t size, unsigned end, unsigned seed = 1) {
  std::vector<T> result(size);
  for (T& each : result) {
    seed = seed * 1664525 + 1013904223;
    each = static_cast<T>((seed >> 8) % end);
  }
  return result;
}

inline int finish(bool is_right) {
  std::printf("%s, %.2f ms\n", is_right ? "right" : "wrong",
              1000.0 * static_cast<double>(measured().end - measured().begin) / CLOCKS_PER_SEC);
  return is_right ? 0 : 1;
}

template <class T>
int compare(const device_array<T>& found, const std::vector<T>& expected) {
  return finish(hipDeviceSynchronize() == hipSuccess && found.values() == expected);
}
