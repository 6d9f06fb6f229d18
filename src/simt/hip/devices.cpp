// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls about devices. Their properties and attributes are in properties.cpp.
#include "simt/hip/devices.hpp"

#include <hip/hip_version.h>

#include <atomic>
#include <cstdio>

#include "simt/hip/allocations.hpp"
#include "simt/hip/capture.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/memory_pools.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/streams.hpp"
#include "simt/machine/machine.hpp"

namespace simt {
namespace {

thread_local int chosen_device = 0;

/// For each device, whether access to the other's memory was enabled; kernels do not need it.
thread_local bool peer_enabled[max_device_number] = {};

hipError_t store(int* target, int value) {
  if (target == nullptr) return finish(hipErrorInvalidValue);
  *target = value;
  return hipSuccess;
}

/// HIP_VERSION as a program sees it that was compiled with the same settings.
int version_seen() {
  switch (current_settings().rocm) {
    case 5:
      return 50700000;
    case 7:
      return 70000000;
    default:
      return HIP_VERSION;
  }
}

bool is_peer(int peer) { return is_device(peer) && peer != chosen_device; }

}  // namespace

unsigned only_warp_size = 0;

int current_device() { return chosen_device; }

void offer_one_device(unsigned warp_size) {
  only_warp_size = warp_size;
  set_warp_size(warp_size);
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::finish_without_finding;

hipError_t hipInit(unsigned flags) { return finish(flags == 0 ? hipSuccess : hipErrorInvalidValue); }

hipError_t hipDriverGetVersion(int* version) { return simt::store(version, simt::version_seen()); }

hipError_t hipRuntimeGetVersion(int* version) { return simt::store(version, simt::version_seen()); }

hipError_t hipGetDeviceCount(int* count) { return simt::store(count, simt::device_count()); }

hipError_t hipSetDevice(int device) {
  if (!simt::is_device(device)) {
    return finish(simt::refuse(hipErrorInvalidDevice, nullptr, "the choice of device %d, where there %s %d,", device,
                               simt::device_count() == 1 ? "is" : "are", simt::device_count()));
  }
  simt::chosen_device = device;
  return hipSuccess;
}

hipError_t hipGetDevice(int* device) { return simt::store(device, simt::chosen_device); }

hipError_t hipDeviceSynchronize() {
  const hipError_t code = finish(simt::refuse_during_capture());
  if (code == hipSuccess) {
    simt::wait_on_host_for_device();
    simt::memory_pools::instance().note_waited();
  }
  simt::look_at_errors();
  return code;
}

hipError_t hipDeviceReset() {
  simt::wait_on_host_for_device();
  simt::destroy_streams_and_events(simt::chosen_device);
  simt::allocations::instance().remove_all(simt::chosen_device);
  simt::memory_pools::instance().note_reset(simt::chosen_device);
  simt::peer_enabled[simt::chosen_device] = false;
  return hipSuccess;
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  if (!simt::is_device(ordinal)) return finish(hipErrorInvalidDevice);
  return simt::store(device, ordinal);
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  if (name == nullptr || length <= 0) return finish(hipErrorInvalidValue);
  hipDeviceProp_t properties;
  const hipError_t code = hipGetDeviceProperties(&properties, device);
  if (code == hipSuccess) std::snprintf(name, static_cast<size_t>(length), "%s", properties.name);
  return code;
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  if (bytes == nullptr) return finish(hipErrorInvalidValue);
  hipDeviceProp_t properties;
  const hipError_t code = hipGetDeviceProperties(&properties, device);
  if (code == hipSuccess) *bytes = properties.totalGlobalMem;
  return code;
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  if (major == nullptr || minor == nullptr) return finish(hipErrorInvalidValue);
  hipDeviceProp_t properties;
  const hipError_t code = hipGetDeviceProperties(&properties, device);
  if (code == hipSuccess) {
    *major = properties.major;
    *minor = properties.minor;
  }
  return code;
}

hipError_t hipDeviceCanAccessPeer(int* can_access, int device, int peer) {
  if (!simt::is_device(device) || !simt::is_device(peer)) return finish(hipErrorInvalidDevice);
  return simt::store(can_access, device != peer ? 1 : 0);
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags != 0) return finish_without_finding(hipErrorInvalidValue);
  if (!simt::is_peer(peer)) return finish_without_finding(hipErrorInvalidDevice);
  bool& enabled = simt::peer_enabled[simt::chosen_device];
  if (enabled) return finish_without_finding(hipErrorPeerAccessAlreadyEnabled);
  enabled = true;
  return hipSuccess;
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
  if (!simt::is_peer(peer)) return finish_without_finding(hipErrorInvalidDevice);
  bool& enabled = simt::peer_enabled[simt::chosen_device];
  if (!enabled) return finish_without_finding(hipErrorPeerAccessNotEnabled);
  enabled = false;
  return hipSuccess;
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int source, int target) {
  if (!simt::is_device(source) || !simt::is_device(target) || source == target) return finish(hipErrorInvalidDevice);
  switch (attribute) {
    case hipDevP2PAttrPerformanceRank:
    case hipDevP2PAttrHipArrayAccessSupported:
      return simt::store(value, 0);
    case hipDevP2PAttrAccessSupported:
    case hipDevP2PAttrNativeAtomicSupported:
      return simt::store(value, 1);
    default:
      return finish(hipErrorInvalidValue);
  }
}

hipError_t hipProfilerStart() { return hipSuccess; }

hipError_t hipProfilerStop() { return hipSuccess; }

}  // namespace hip_on_cpu
