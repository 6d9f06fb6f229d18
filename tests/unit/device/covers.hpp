// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test says in its own report which of the library's operations it has held against a model, on what and with which
// lanes. scripts/verified-operations makes a table of that.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>  // says which device this is for

#include <string>
#include <vector>

/// Operations with blanks between them, by their names behind warpz:: or warpz::warp::. Types likewise; without any it
/// is the test's type parameter, and "-" stands for an operation that has no type.
inline void covers(const char* operations, const std::vector<unsigned>& warp_sizes, const char* types = "") {
#if defined(__WARPZ_CPU__)
  const char* const device = "cpu";
#elif defined(__HIP_PLATFORM_NVIDIA__) && defined(WARPZ_PORTABLE)
  const char* const device = "nvidia-portable";
#elif defined(__HIP_PLATFORM_NVIDIA__)
  const char* const device = "nvidia";
#else
  const char* const device = "amd";
#endif
  std::string sizes;
  for (const unsigned size : warp_sizes) sizes += std::to_string(size) + " ";
  testing::Test::RecordProperty("operations", operations);
  testing::Test::RecordProperty("types", types);
  testing::Test::RecordProperty("warp_sizes", sizes);
  testing::Test::RecordProperty("device", device);
}
