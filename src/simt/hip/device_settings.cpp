// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program may set for a device and ask for later: limits, cache preferences, flags. Nothing here changes how a
// kernel runs: the CPU has no such choices, and device memory is as large as there is memory.
#include <atomic>

#include <hip/hip_runtime_api.h>

#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/machine/stacks.hpp"

namespace simt {
namespace {

constexpr int limit_count = 7;

struct device_settings {
  /// By their numbers, as AMD's runtime begins: of stacks, of printf, of malloc. CUDA's others, which are hints:
  /// launches by kernels that wait, bytes that a cache loads at once, bytes that it keeps.
  std::atomic<std::size_t> limits[limit_count] = {
      bytes_per_stack, std::size_t{1} << 20, std::size_t{8} << 20, 0, 2048, 64, 0};
  std::atomic<int> cache{hipFuncCachePreferNone};
  std::atomic<int> banks{hipSharedMemBankSizeDefault};
  std::atomic<unsigned> flags{hipDeviceScheduleAuto};
};

device_settings& settings() {
  static auto* const all = new device_settings[max_device_number];
  return all[current_device()];
}

bool is_limit(int limit) { return limit >= 0 && limit < limit_count && limit != hipLimitRange; }

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::finish_without_finding;

hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
  if (value == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_limit(limit)) return finish_without_finding(hipErrorUnsupportedLimit);
  *value = simt::settings().limits[limit];
  return hipSuccess;
}

hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  if (!simt::is_limit(limit)) return finish_without_finding(hipErrorUnsupportedLimit);
  if (limit == hipLimitStackSize && value > simt::bytes_per_stack) return finish_without_finding(hipErrorInvalidValue);
  simt::settings().limits[limit] = value;
  return hipSuccess;
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) {
  const hipError_t code = hipFuncSetCacheConfig("", config);
  if (code == hipSuccess) simt::settings().cache = config;
  return code;
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  if (config == nullptr) return finish(hipErrorInvalidValue);
  *config = static_cast<hipFuncCache_t>(simt::settings().cache.load());
  return hipSuccess;
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  const hipError_t code = hipFuncSetSharedMemConfig("", config);
  if (code == hipSuccess) simt::settings().banks = config;
  return code;
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  if (config == nullptr) return finish(hipErrorInvalidValue);
  *config = static_cast<hipSharedMemConfig>(simt::settings().banks.load());
  return hipSuccess;
}

hipError_t hipSetDeviceFlags(unsigned flags) {
  if ((flags & ~simt::device_flags) != 0) return finish_without_finding(hipErrorInvalidValue);
  simt::settings().flags = flags;
  return hipSuccess;
}

hipError_t hipGetDeviceFlags(unsigned* flags) {
  if (flags == nullptr) return finish(hipErrorInvalidValue);
  *flags = simt::settings().flags;
  return hipSuccess;
}

}  // namespace hip_on_cpu
