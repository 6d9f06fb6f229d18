// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/streams.hpp"

#include <chrono>

#include "simt/hip/capture.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/handles.hpp"
#include "simt/hip/memory_pools.hpp"
#include "simt/hip/stream_order.hpp"

namespace simt {

/// What a program has told a stream, and may ask for.
struct stream_hints {
  hipAccessPolicyWindow window{};
  hipSynchronizationPolicy policy = hipSynchronizationPolicyAuto;
};

}  // namespace simt

struct ihipStream_t {
  int device;
  unsigned flags;
  simt::stream_hints hints = {};
};

struct ihipEvent_t {
  int device;
  unsigned flags;
  bool recorded;
  std::chrono::steady_clock::time_point time;
};

namespace simt {
namespace {

handles<ihipStream_t>& streams() {
  static auto* const only = new handles<ihipStream_t>;
  return *only;
}

handles<ihipEvent_t>& events() {
  static auto* const only = new handles<ihipEvent_t>;
  return *only;
}

/// Those of the streams that nobody creates.
stream_hints& hints_of_built_in() {
  static auto* const only = new stream_hints;
  return *only;
}

bool is_built_in(hipStream_t stream) {
  return stream == nullptr || stream == hipStreamLegacy || stream == hipStreamPerThread;
}

constexpr unsigned stream_flags = hipStreamNonBlocking;
constexpr unsigned event_flags = hipEventBlockingSync | hipEventDisableTiming | hipEventDisableSystemFence |
                                 hipEventReleaseToDevice | hipEventReleaseToSystem | hipEventInterprocess;

/// Both vendors want an event for several processes without its time.
bool are_event_flags(unsigned flags) {
  const bool has_time_for_others = (flags & (hipEventInterprocess | hipEventDisableTiming)) == hipEventInterprocess;
  return (flags & ~event_flags) == 0 && !has_time_for_others;
}

hipError_t elapsed(float* milliseconds, hipEvent_t begin, hipEvent_t end) {
  if (milliseconds == nullptr) return hipErrorInvalidValue;
  const auto first = events().find(begin);
  const auto second = events().find(end);
  if (!first || !second || !first->recorded || !second->recorded) return hipErrorInvalidHandle;
  if (((first->flags | second->flags) & hipEventDisableTiming) != 0 || first->device != second->device) {
    return hipErrorInvalidHandle;
  }
  *milliseconds = std::chrono::duration<float, std::milli>(second->time - first->time).count();
  return hipSuccess;
}

}  // namespace

bool is_stream(hipStream_t stream) { return is_built_in(stream) || streams().find(stream); }

int device_of(hipStream_t stream) {
  if (is_built_in(stream)) return current_device();
  const auto found = streams().find(stream);
  return found ? found->device : current_device();
}

unsigned flags_of(hipStream_t stream) {
  const auto found = streams().find(stream);
  return found ? found->flags : unsigned{hipStreamDefault};
}

bool is_right(const hipAccessPolicyWindow& window) {
  return window.hitRatio >= 0 && window.hitRatio <= 1 && window.missProp != hipAccessPropertyPersisting;
}

bool is_event(hipEvent_t event) { return events().find(event).has_value(); }

unsigned flags_of(hipEvent_t event) {
  const auto found = events().find(event);
  return found ? found->flags : unsigned{hipEventDefault};
}

hipError_t record_event(hipEvent_t event, hipStream_t stream) {
  const int device = device_of(stream);
  const bool known = events().update(event, [device](ihipEvent_t& each) {
    if (each.device != device) return false;
    each.recorded = true;
    each.time = std::chrono::steady_clock::now();
    return true;
  });
  if (known) note_record(event, stream);
  return known ? hipSuccess : hipErrorInvalidHandle;
}

void destroy_streams_and_events(int device) {
  streams().remove_if([device](const ihipStream_t& each) { return each.device == device; });
  events().remove_if([device](const ihipEvent_t& each) { return each.device == device; });
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int) {
  if (stream == nullptr || (flags & ~simt::stream_flags) != 0) return finish(hipErrorInvalidValue);
  if ((flags & hipStreamNonBlocking) != 0) simt::note_other_orders();
  *stream = simt::streams().add({simt::current_device(), flags});
  return hipSuccess;
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return hipStreamCreateWithPriority(stream, flags, 0);
}

hipError_t hipStreamCreate(hipStream_t* stream) { return hipStreamCreateWithFlags(stream, hipStreamDefault); }

hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t words, const uint32_t* mask) {
  if (words == 0 || mask == nullptr) return finish(hipErrorInvalidValue);
  return hipStreamCreate(stream);
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return hipSuccess;
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  simt::forget_captured(stream);
  simt::forget_order(stream);
  return finish(simt::streams().remove(stream) ? hipSuccess : hipErrorInvalidHandle);
}

hipError_t hipStreamQuery(hipStream_t stream) {
  const hipError_t code = simt::is_stream(stream) ? simt::refuse_if_captured(stream) : hipErrorInvalidHandle;
  if (code == hipSuccess && simt::is_under_way(stream)) return simt::finish_without_finding(hipErrorNotReady);
  return finish(simt::wait_after(code, stream));
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  const hipError_t code = simt::is_stream(stream) ? simt::refuse_if_captured(stream) : hipErrorInvalidHandle;
  finish(simt::wait_after(code, stream));
  if (code == hipSuccess) simt::memory_pools::instance().note_waited();
  simt::look_at_errors();
  return code;
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  if (!simt::is_stream(stream) || !simt::events().find(event)) return finish(hipErrorInvalidHandle);
  return finish(flags == 0 ? simt::wait_for_event(stream, event) : hipErrorInvalidValue);
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
  if (flags == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  *flags = simt::flags_of(stream);
  return hipSuccess;
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  if (priority == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  *priority = 0;
  return hipSuccess;
}

hipError_t hipStreamSetAttribute(hipStream_t stream, hipStreamAttrID attribute, const hipStreamAttrValue* value) {
  if (value == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  const auto set = [&](simt::stream_hints& hints) {
    if (attribute == hipStreamAttributeAccessPolicyWindow && simt::is_right(value->accessPolicyWindow)) {
      hints.window = value->accessPolicyWindow;
    } else if (attribute == hipStreamAttributeSynchronizationPolicy) {
      hints.policy = value->syncPolicy;
    } else {
      return attribute == hipStreamAttributePriority && value->priority == 0;
    }
    return true;
  };
  const bool is_set = simt::is_built_in(stream)
                          ? set(simt::hints_of_built_in())
                          : simt::streams().update(stream, [&](ihipStream_t& each) { return set(each.hints); });
  return finish(is_set ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipStreamGetAttribute(hipStream_t stream, hipStreamAttrID attribute, hipStreamAttrValue* value) {
  if (value == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  const auto found = simt::streams().find(stream);
  const simt::stream_hints hints = found ? found->hints : simt::hints_of_built_in();
  switch (attribute) {
    case hipStreamAttributeAccessPolicyWindow:
      value->accessPolicyWindow = hints.window;
      return hipSuccess;
    case hipStreamAttributeSynchronizationPolicy:
      value->syncPolicy = hints.policy;
      return hipSuccess;
    case hipStreamAttributePriority:
      value->priority = 0;
      return hipSuccess;
    case hipLaunchAttributeCooperative:
      break;
  }
  return finish(hipErrorInvalidValue);
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  if (device == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  *device = simt::device_of(stream);
  return hipSuccess;
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data, unsigned flags) {
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  if (callback == nullptr || flags != 0) return finish(hipErrorInvalidValue);
  if (const hipError_t code = simt::refuse_if_captured(stream)) return finish(code);
  const simt::stream_work order(stream);
  const simt::host_call call;
  callback(stream, hipSuccess, data);
  return hipSuccess;
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  if (function == nullptr) return finish(simt::is_stream(stream) ? hipErrorInvalidValue : hipErrorInvalidHandle);
  return finish(simt::submit(stream, hipHostNodeParams{function, data}));
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  if (event == nullptr || !simt::are_event_flags(flags)) return finish(hipErrorInvalidValue);
  *event = simt::events().add({simt::current_device(), flags, false, {}});
  return hipSuccess;
}

hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, hipEventDefault); }

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  if (!simt::is_stream(stream) || !simt::is_event(event)) return finish(hipErrorInvalidHandle);
  return finish(simt::capture_event(event, stream) ? hipSuccess : simt::record_event(event, stream));
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  if (flags > hipEventRecordExternal) return finish(hipErrorInvalidValue);
  if (flags == hipEventRecordDefault || !simt::is_captured(stream)) return hipEventRecord(event, stream);
  return finish(simt::submit(stream, simt::event_record{event}));
}

hipError_t hipEventQuery(hipEvent_t event) {
  if (!simt::is_event(event)) return finish(hipErrorInvalidHandle);
  if (simt::is_captured(event)) return finish(hipErrorCapturedEvent);
  if (simt::is_under_way(event)) return simt::finish_without_finding(hipErrorNotReady);
  simt::wait_on_host(event);
  return finish(hipSuccess);
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  if (simt::is_event(event) && !simt::is_captured(event)) simt::wait_on_host(event);
  const hipError_t code = hipEventQuery(event);
  if (code == hipSuccess) simt::memory_pools::instance().note_waited();
  simt::look_at_errors();
  return code;
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t begin, hipEvent_t end) {
  const hipError_t code = simt::elapsed(milliseconds, begin, end);
  // It tells that both have happened.
  if (code == hipSuccess) simt::wait_on_host(end);
  return finish(code);
}

hipError_t hipEventDestroy(hipEvent_t event) {
  simt::forget_order(event);
  return finish(simt::events().remove(event) ? hipSuccess : hipErrorInvalidHandle);
}

}  // namespace hip_on_cpu
