// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's hints about managed memory. They change nothing here, but can be asked for.
#include <algorithm>

#include "simt/hip/allocations.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/streams.hpp"

inline namespace hip_on_cpu {

using simt::allocations;
using simt::finish;
using simt::finish_without_finding;
using simt::memory_advice;
using simt::memory_kind;

namespace {

hipError_t check_managed(const void* pointer, size_t bytes, int device) {
  if (device != hipCpuDeviceId && !simt::is_device(device)) return hipErrorInvalidDevice;
  const auto found = allocations::instance().find(pointer);
  if (!found || found->kind != memory_kind::managed || bytes == 0 || bytes > found->bytes_from(pointer)) {
    return hipErrorInvalidValue;
  }
  return hipSuccess;
}

/// Changes what is kept of the memory, if it is managed.
template <class Change>
hipError_t advise(const void* pointer, size_t bytes, int device, Change change) {
  if (const hipError_t code = check_managed(pointer, bytes, device)) return finish_without_finding(code);
  memory_advice advice = allocations::instance().find(pointer)->advice;
  change(advice);
  allocations::instance().set_advice(pointer, advice);
  return hipSuccess;
}

std::uint32_t bit_of(int device) { return 1U << (device - hipCpuDeviceId); }

void follow(memory_advice& advice, hipMemoryAdvise advised, int device) {
  switch (advised) {
    case hipMemAdviseSetReadMostly:
    case hipMemAdviseUnsetReadMostly:
      advice.is_read_mostly = advised == hipMemAdviseSetReadMostly;
      break;
    case hipMemAdviseSetPreferredLocation:
      advice.preferred = device;
      break;
    case hipMemAdviseUnsetPreferredLocation:
      advice.preferred = hipInvalidDeviceId;
      break;
    case hipMemAdviseSetAccessedBy:
      advice.accessed_by |= bit_of(device);
      break;
    case hipMemAdviseUnsetAccessedBy:
      advice.accessed_by &= ~bit_of(device);
      break;
    case hipMemAdviseSetCoarseGrain:
    case hipMemAdviseUnsetCoarseGrain:
      advice.is_coarse = advised == hipMemAdviseSetCoarseGrain;
      break;
  }
}

hipError_t answer(int* value, size_t value_bytes, hipMemRangeAttribute attribute, const memory_advice& advice) {
  const bool is_list = attribute == hipMemRangeAttributeAccessedBy;
  if (value_bytes == 0 || value_bytes % sizeof *value != 0) return hipErrorInvalidValue;
  if (!is_list && value_bytes != sizeof *value) return hipErrorInvalidValue;
  switch (attribute) {
    case hipMemRangeAttributeReadMostly:
      *value = advice.is_read_mostly ? 1 : 0;
      return hipSuccess;
    case hipMemRangeAttributePreferredLocation:
      *value = advice.preferred;
      return hipSuccess;
    case hipMemRangeAttributeLastPrefetchLocation:
      *value = advice.prefetched;
      return hipSuccess;
    case hipMemRangeAttributeCoherencyMode:
      *value = advice.is_coarse ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain;
      return hipSuccess;
    case hipMemRangeAttributeAccessedBy:
      break;
    default:
      return hipErrorInvalidValue;
  }
  int* const end = value + value_bytes / sizeof *value;
  for (int device = hipCpuDeviceId; device < simt::device_count() && value != end; ++device) {
    if ((advice.accessed_by & bit_of(device)) != 0) *value++ = device;
  }
  std::fill(value, end, hipInvalidDeviceId);
  return hipSuccess;
}

}  // namespace

hipError_t hipMemPrefetchAsync(const void* pointer, size_t bytes, int device, hipStream_t stream) {
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  return advise(pointer, bytes, device, [device](memory_advice& advice) { advice.prefetched = device; });
}

hipError_t hipMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise advised, int device) {
  const int number = advised;
  const bool known = (number >= hipMemAdviseSetReadMostly && number <= hipMemAdviseUnsetAccessedBy) ||
                     number == hipMemAdviseSetCoarseGrain || number == hipMemAdviseUnsetCoarseGrain;
  if (!known) return finish_without_finding(hipErrorInvalidValue);
  return advise(pointer, bytes, device, [=](memory_advice& advice) { follow(advice, advised, device); });
}

hipError_t hipMemRangeGetAttribute(void* value, size_t value_bytes, hipMemRangeAttribute attribute, const void* pointer,
                                   size_t bytes) {
  if (value == nullptr) return finish(hipErrorInvalidValue);
  if (const hipError_t code = check_managed(pointer, bytes, hipCpuDeviceId)) return finish(code);
  return finish(
      answer(static_cast<int*>(value), value_bytes, attribute, allocations::instance().find(pointer)->advice));
}

hipError_t hipMemRangeGetAttributes(void** values, size_t* value_bytes, hipMemRangeAttribute* attributes, size_t count,
                                    const void* pointer, size_t bytes) {
  if (values == nullptr || value_bytes == nullptr || attributes == nullptr || count == 0) {
    return finish(hipErrorInvalidValue);
  }
  for (size_t i = 0; i < count; ++i) {
    const hipError_t code = hipMemRangeGetAttribute(values[i], value_bytes[i], attributes[i], pointer, bytes);
    if (code != hipSuccess) return code;
  }
  return hipSuccess;
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* pointer, size_t bytes, unsigned flags) {
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle) {
    return finish(hipErrorInvalidValue);
  }
  // It may be all of the allocation alone.
  const auto found = allocations::instance().find(pointer);
  const bool is_all =
      found && found->kind == memory_kind::managed && found->begin == pointer && (bytes == 0 || bytes == found->bytes);
  return finish(is_all ? hipSuccess : hipErrorInvalidValue);
}

}  // namespace hip_on_cpu
