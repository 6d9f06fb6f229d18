// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's contexts. Memory, streams and events belong to devices, so that a context holds nothing but its device.
#include <atomic>
#include <vector>

#include <hip/hip_runtime_api.h>

#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/handles.hpp"

struct ihipCtx_t {
  int device;
  unsigned flags;
};

namespace simt {
namespace {

handles<ihipCtx_t>& created() {
  static auto* const only = new handles<ihipCtx_t>;
  return *only;
}

/// Each device's own context, and how often it was asked for and not given back.
struct primary_context {
  hipCtx_t handle;
  std::atomic<int> users{0};
};

primary_context& primary(int device) {
  static auto* const all = [] {
    auto* const made = new primary_context[max_device_number];
    for (int i = 0; i < max_device_number; ++i) made[i].handle = created().add({i, 0});
    return made;
  }();
  return all[device];
}

thread_local std::vector<hipCtx_t> context_stack;

hipCtx_t current() {
  if (!context_stack.empty()) {
    const auto top = created().find(context_stack.back());
    // hipSetDevice may have chosen another device since.
    if (top && top->device == current_device()) return context_stack.back();
  }
  return primary(current_device()).handle;
}

hipError_t push(hipCtx_t context) {
  const auto found = created().find(context);
  if (!found) return hipErrorInvalidContext;
  context_stack.push_back(context);
  return hipSetDevice(found->device);
}

hipError_t pop(hipCtx_t* context) {
  if (context_stack.empty()) return hipErrorInvalidContext;
  if (context != nullptr) *context = context_stack.back();
  context_stack.pop_back();
  const auto top = context_stack.empty() ? std::nullopt : created().find(context_stack.back());
  return top ? hipSetDevice(top->device) : hipSuccess;
}

hipError_t destroy(hipCtx_t context) {
  for (int i = 0; i < device_count(); ++i) {
    if (primary(i).handle == context) return hipErrorInvalidContext;
  }
  if (!created().remove(context)) return hipErrorInvalidContext;
  if (!context_stack.empty() && context_stack.back() == context) return pop(nullptr);
  return hipSuccess;
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipCtxCreate(hipCtx_t* context, unsigned flags, hipDevice_t device) {
  if (context == nullptr || (flags & ~simt::device_flags) != 0) return finish(hipErrorInvalidValue);
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  *context = simt::created().add({device, flags});
  return finish(simt::push(*context));
}

hipError_t hipCtxDestroy(hipCtx_t context) {
  return finish(context != nullptr ? simt::destroy(context) : hipErrorInvalidValue);
}

hipError_t hipCtxSetCurrent(hipCtx_t context) {
  if (context == nullptr) return simt::context_stack.empty() ? hipSuccess : finish(simt::pop(nullptr));
  if (!simt::created().find(context)) return finish(hipErrorInvalidContext);
  if (!simt::context_stack.empty()) simt::context_stack.pop_back();
  return finish(simt::push(context));
}

hipError_t hipCtxGetCurrent(hipCtx_t* context) {
  if (context == nullptr) return finish(hipErrorInvalidValue);
  *context = simt::current();
  return hipSuccess;
}

hipError_t hipCtxPushCurrent(hipCtx_t context) { return finish(simt::push(context)); }

hipError_t hipCtxPopCurrent(hipCtx_t* context) { return finish(simt::pop(context)); }

hipError_t hipCtxGetDevice(hipDevice_t* device) { return hipGetDevice(device); }

hipError_t hipCtxGetFlags(unsigned* flags) {
  if (flags == nullptr) return finish(hipErrorInvalidValue);
  *flags = simt::created().find(simt::current())->flags;
  return hipSuccess;
}

hipError_t hipCtxGetApiVersion(hipCtx_t context, int* version) {
  if (version == nullptr) return finish(hipErrorInvalidValue);
  if (context != nullptr && !simt::created().find(context)) return finish(hipErrorInvalidContext);
  *version = 4;  // as HIP documents it for all devices
  return hipSuccess;
}

hipError_t hipCtxSynchronize() { return hipDeviceSynchronize(); }

hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config) { return hipDeviceGetCacheConfig(config); }

hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) { return hipDeviceSetCacheConfig(config); }

hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) { return hipDeviceGetSharedMemConfig(config); }

hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) { return hipDeviceSetSharedMemConfig(config); }

hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned flags) {
  const auto found = simt::created().find(peer);
  return found ? hipDeviceEnablePeerAccess(found->device, flags) : finish(hipErrorInvalidContext);
}

hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
  const auto found = simt::created().find(peer);
  return found ? hipDeviceDisablePeerAccess(found->device) : finish(hipErrorInvalidContext);
}

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device) {
  if (context == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  *context = simt::primary(device).handle;
  ++simt::primary(device).users;
  return hipSuccess;
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  std::atomic<int>& users = simt::primary(device).users;
  int before = users;
  while (before > 0 && !users.compare_exchange_weak(before, before - 1)) {
  }
  return hipSuccess;
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  const int before = simt::current_device();
  static_cast<void>(hipSetDevice(device));
  const hipError_t code = hipDeviceReset();
  static_cast<void>(hipSetDevice(before));
  return code;
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active) {
  if (flags == nullptr || active == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  *flags = simt::created().find(simt::primary(device).handle)->flags;
  *active = simt::primary(device).users > 0 ? 1 : 0;
  return hipSuccess;
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned flags) {
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  if ((flags & ~simt::device_flags) != 0) return finish(hipErrorInvalidValue);
  simt::created().update(simt::primary(device).handle, [flags](ihipCtx_t& each) {
    each.flags = flags;
    return true;
  });
  return hipSuccess;
}

}  // namespace hip_on_cpu
