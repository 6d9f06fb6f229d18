// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that allocate, register and describe memory.
#include <cstdint>

#include "simt/hip/capture.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/images.hpp"
#include "simt/hip/memory.hpp"
#include "simt/hip/memory_pools.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/streams.hpp"
#include "simt/machine/observer.hpp"
#include "system/memory_limit.hpp"

namespace simt {
namespace {

constexpr unsigned host_flags = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                                hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent;
constexpr unsigned register_flags =
    hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory | hipHostRegisterReadOnly;

constexpr std::size_t pitch_alignment = 256;

hipError_t release(void* pointer, memory_kind kind) {
  if (pointer == nullptr || allocations::instance().remove(pointer, kind)) return hipSuccess;
  return hipErrorInvalidValue;
}

/// Returns the code, and reports a failure to the observer: the memory may have been freed before.
hipError_t observed(hipError_t code, void* pointer) {
  memory_observer* const observer = host_memory_observer();
  if (code != hipSuccess && observer != nullptr) observer->fail_to_free(pointer);
  return code;
}

hipMemoryType type_of(memory_kind kind) {
  switch (kind) {
    case memory_kind::host:
    case memory_kind::registered:
      return hipMemoryTypeHost;
    case memory_kind::managed:
      return hipMemoryTypeManaged;
    case memory_kind::array:
      return hipMemoryTypeArray;
    case memory_kind::device:
    case memory_kind::symbol:
    case memory_kind::object:
      break;
  }
  return hipMemoryTypeDevice;
}

}  // namespace

hipError_t allocate(void** pointer, std::size_t bytes, memory_kind kind, unsigned flags) {
  if (pointer == nullptr) return hipErrorInvalidValue;
  const hipError_t code = allocations::instance().allocate(pointer, bytes, kind, flags);
  if (code == hipSuccess && kind != memory_kind::device) note_memory_of_both(*pointer, bytes);
  return code != hipErrorOutOfMemory ? code : refuse(code, nullptr, "an allocation of %zu bytes", bytes);
}

hipError_t release_device(void* pointer) {
  if (release(pointer, memory_kind::device) == hipSuccess) {
    memory_pools::instance().note_freed(pointer);
    return hipSuccess;
  }
  return observed(release(pointer, memory_kind::managed), pointer);
}

hipError_t symbol_address(void** pointer, void* symbol, std::size_t size) {
  if (pointer == nullptr) return finish(hipErrorInvalidValue);
  if (!is_variable(symbol)) {
    return finish(
        refuse(hipErrorInvalidSymbol, nullptr, "a request for the address of what is no variable of the device"));
  }
  // False only if an earlier call has noted it.
  void* const memory = device_address(symbol);
  static_cast<void>(allocations::instance().note(memory, size, memory_kind::symbol, 0));
  *pointer = memory;
  return hipSuccess;
}

hipError_t symbol_size(std::size_t* bytes, std::size_t size) {
  if (bytes == nullptr) return finish(hipErrorInvalidValue);
  *bytes = size;
  return hipSuccess;
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::allocations;
using simt::finish;
using simt::finish_without_finding;
using simt::memory_kind;

hipError_t hipMalloc(void** pointer, size_t bytes) {
  if (const hipError_t code = simt::refuse_during_capture()) return finish(code);
  return finish(simt::allocate(pointer, bytes, memory_kind::device, 0));
}

hipError_t hipExtMallocWithFlags(void** pointer, size_t bytes, unsigned flags) {
  if (flags > hipDeviceMallocContiguous || (flags == hipMallocSignalMemory && bytes != 8)) {
    return finish(hipErrorInvalidValue);
  }
  return hipMalloc(pointer, bytes);
}

hipError_t hipMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pointer == nullptr || pitch == nullptr) return finish(hipErrorInvalidValue);
  if (width > SIZE_MAX - simt::pitch_alignment) return finish(hipErrorInvalidValue);
  const size_t rounded = (width + simt::pitch_alignment - 1) / simt::pitch_alignment * simt::pitch_alignment;
  size_t bytes = 0;
  if (__builtin_mul_overflow(rounded, height, &bytes)) return finish(hipErrorOutOfMemory);
  const hipError_t code = hipMalloc(pointer, bytes);
  if (code == hipSuccess) *pitch = rounded;
  return code;
}

hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, size_t* pitch, size_t width, size_t height,
                            unsigned element_bytes) {
  if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) return finish(hipErrorInvalidValue);
  return hipMallocPitch(pointer, pitch, width, height);
}

hipError_t hipMalloc3D(hipPitchedPtr* memory, hipExtent extent) {
  size_t rows = 0;
  if (memory == nullptr || __builtin_mul_overflow(extent.height, extent.depth, &rows)) {
    return finish(hipErrorInvalidValue);
  }
  hipPitchedPtr allocated{nullptr, 0, extent.width, extent.height};
  const hipError_t code = hipMallocPitch(&allocated.ptr, &allocated.pitch, extent.width, rows);
  if (code == hipSuccess) *memory = allocated;
  return code;
}

hipError_t hipFree(void* pointer) {
  // As both vendors' runtimes do.
  simt::wait_on_host_for_device();
  return finish_without_finding(simt::release_device(pointer));
}

hipError_t hipMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  if (bytes == 0 || (flags != hipMemAttachGlobal && flags != hipMemAttachHost)) return finish(hipErrorInvalidValue);
  return finish(simt::allocate(pointer, bytes, memory_kind::managed, flags));
}

hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned flags) {
  constexpr unsigned both = hipHostMallocCoherent | hipHostMallocNonCoherent;
  if ((flags & ~simt::host_flags) != 0 || (flags & both) == both) return finish(hipErrorInvalidValue);
  return finish(simt::allocate(pointer, bytes, memory_kind::host, flags));
}

hipError_t hipHostAlloc(void** pointer, size_t bytes, unsigned flags) { return hipHostMalloc(pointer, bytes, flags); }

hipError_t hipMallocHost(void** pointer, size_t bytes) { return hipHostMalloc(pointer, bytes, hipHostMallocDefault); }

hipError_t hipHostFree(void* pointer) {
  simt::wait_on_host_for_device();
  return finish_without_finding(simt::observed(simt::release(pointer, memory_kind::host), pointer));
}

hipError_t hipFreeHost(void* pointer) { return hipHostFree(pointer); }

hipError_t hipHostRegister(void* pointer, size_t bytes, unsigned flags) {
  if (pointer == nullptr || bytes == 0 || (flags & ~simt::register_flags) != 0) return finish(hipErrorInvalidValue);
  if (bytes > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(pointer)) return finish(hipErrorInvalidValue);
  if (!allocations::instance().note(pointer, bytes, memory_kind::registered, flags)) {
    return finish(hipErrorHostMemoryAlreadyRegistered);
  }
  simt::host_memory_is_shared = true;
  simt::note_memory_of_both(pointer, bytes);
  return hipSuccess;
}

hipError_t hipHostUnregister(void* pointer) {
  if (pointer == nullptr) return finish_without_finding(hipErrorInvalidValue);
  simt::wait_on_host_for_device();
  if (!allocations::instance().remove(pointer, memory_kind::registered)) {
    return finish_without_finding(hipErrorHostMemoryNotRegistered);
  }
  return hipSuccess;
}

hipError_t hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
  if (device_pointer == nullptr || flags != 0) return finish(hipErrorInvalidValue);
  const auto found = allocations::instance().find(host_pointer);
  if (!found || found->kind == memory_kind::device || found->kind == memory_kind::symbol) {
    return finish(hipErrorInvalidValue);
  }
  *device_pointer = host_pointer;
  return hipSuccess;
}

hipError_t hipHostGetFlags(unsigned* flags, void* pointer) {
  const auto found = allocations::instance().find(pointer);
  if (flags == nullptr || !found || simt::type_of(found->kind) != hipMemoryTypeHost) {
    return finish(hipErrorInvalidValue);
  }
  *flags = found->flags;
  return hipSuccess;
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  if (free == nullptr || total == nullptr) return finish(hipErrorInvalidValue);
  *free = allocations::instance().available();
  *total = os::read_memory_limit().total;
  return hipSuccess;
}

hipError_t hipMemPtrGetInfo(void* pointer, size_t* bytes) {
  if (bytes == nullptr) return finish(hipErrorInvalidValue);
  const auto found = allocations::instance().find(pointer);
  if (!found || found->begin != pointer) return finish(hipErrorInvalidValue);
  *bytes = found->bytes;
  return hipSuccess;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  if (attributes == nullptr || pointer == nullptr) return finish(hipErrorInvalidValue);
  *attributes = hipPointerAttribute_t{};
  attributes->device = hipInvalidDeviceId;
  const auto found = allocations::instance().find(pointer);
  if (!found) return hipSuccess;
  attributes->type = simt::type_of(found->kind);
  attributes->device = found->device;
  attributes->devicePointer = const_cast<void*>(pointer);
  if (attributes->type != hipMemoryTypeDevice) attributes->hostPointer = const_cast<void*>(pointer);
  attributes->isManaged = found->kind == memory_kind::managed ? 1 : 0;
  attributes->allocationFlags = found->flags;
  return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* begin, size_t* bytes, hipDeviceptr_t address) {
  const auto found = allocations::instance().find(address);
  if (!found) return finish(hipErrorNotFound);
  if (begin != nullptr) *begin = found->begin;
  if (bytes != nullptr) *bytes = found->bytes;
  return hipSuccess;
}

namespace {

template <class Value>
hipError_t answer(void* at, Value value) {
  *static_cast<Value*>(at) = value;
  return hipSuccess;
}

hipError_t pointer_attribute(void* value, hipPointer_attribute attribute, const void* address) {
  if (value == nullptr) return hipErrorInvalidValue;
  const auto found = allocations::instance().find(address);
  if (!found) return hipErrorInvalidValue;
  const bool on_host = simt::type_of(found->kind) != hipMemoryTypeDevice;
  void* const pointer = const_cast<void*>(address);
  switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return answer(value, simt::type_of(found->kind));
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return answer(value, pointer);
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      return on_host ? answer(value, pointer) : hipErrorInvalidValue;
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
      return answer(value, found->kind == memory_kind::managed);
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return answer(value, found->device);
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return answer(value, static_cast<void*>(found->begin));
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
      return answer(value, found->bytes);
    case HIP_POINTER_ATTRIBUTE_MAPPED:
      return answer(value, true);
    case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return answer(value, simt::memory_pools::instance().pool_of(found->begin));
    default:
      return hipErrorNotSupported;
  }
}

}  // namespace

hipError_t hipPointerGetAttribute(void* value, hipPointer_attribute attribute, hipDeviceptr_t address) {
  return finish(pointer_attribute(value, attribute, address));
}

hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute, hipDeviceptr_t address) {
  // All copies are as if it was set.
  const bool is_known = attribute == HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS && allocations::instance().find(address);
  return finish(value != nullptr && is_known ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute* attributes, void** values,
                                      hipDeviceptr_t address) {
  if (count == 0 || attributes == nullptr || values == nullptr) return finish(hipErrorInvalidValue);
  for (unsigned i = 0; i < count; ++i) {
    if (const hipError_t code = pointer_attribute(values[i], attributes[i], address)) return finish(code);
  }
  return hipSuccess;
}

}  // namespace hip_on_cpu
