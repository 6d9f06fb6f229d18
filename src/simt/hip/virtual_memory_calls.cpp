// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls for memory apart from addresses.
#include <cstdint>

#include "simt/hip/allocations.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/virtual_memory.hpp"

namespace simt {
namespace {

bool is_of_device(const hipMemAllocationProp* properties) {
  return properties != nullptr && properties->type == hipMemAllocationTypePinned &&
         properties->location.type == hipMemLocationTypeDevice && is_device(properties->location.id);
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::virtual_memory;

hipError_t hipMemGetAllocationGranularity(size_t* granularity, const hipMemAllocationProp* properties,
                                          hipMemAllocationGranularity_flags option) {
  if (granularity == nullptr || !simt::is_of_device(properties)) return finish(hipErrorInvalidValue);
  if (option != hipMemAllocationGranularityMinimum && option != hipMemAllocationGranularityRecommended) {
    return finish(hipErrorInvalidValue);
  }
  *granularity = simt::address_granularity();
  return hipSuccess;
}

hipError_t hipMemAddressReserve(void** pointer, size_t bytes, size_t alignment, void* address,
                                unsigned long long flags) {
  if (pointer == nullptr || flags != 0) return finish(hipErrorInvalidValue);
  return finish(virtual_memory::instance().reserve(pointer, bytes, alignment, address));
}

hipError_t hipMemAddressFree(void* pointer, size_t bytes) {
  return finish(virtual_memory::instance().give_back(pointer, bytes));
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t bytes, const hipMemAllocationProp* properties,
                        unsigned long long flags) {
  if (handle == nullptr || flags != 0 || !simt::is_of_device(properties)) return finish(hipErrorInvalidValue);
  const hipMemAllocationHandleType shared = properties->requestedHandleType;
  if (shared != hipMemHandleTypeNone && shared != hipMemHandleTypePosixFileDescriptor) {
    return finish(hipErrorNotSupported);
  }
  return finish(virtual_memory::instance().create(handle, bytes, *properties));
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  return finish(virtual_memory::instance().release(handle));
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* address) {
  if (handle == nullptr) return finish(hipErrorInvalidValue);
  return finish(virtual_memory::instance().retain(handle, address));
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* properties,
                                                   hipMemGenericAllocationHandle_t handle) {
  if (properties == nullptr) return finish(hipErrorInvalidValue);
  return finish(virtual_memory::instance().apply(handle, [properties](const ihipMemGenericAllocationHandle& memory) {
    *properties = memory.properties;
    properties->allocFlags.compressionType = 0;  // nothing is compressed
    return hipSuccess;
  }));
}

hipError_t hipMemMap(void* pointer, size_t bytes, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
  if (offset != 0 || flags != 0) return finish(hipErrorInvalidValue);
  return finish(virtual_memory::instance().map(pointer, bytes, handle));
}

hipError_t hipMemUnmap(void* pointer, size_t bytes) {
  const auto found = simt::allocations::instance().find(pointer);
  if (found && bytes != 0 && bytes <= found->bytes_from(pointer)) {
    // As the null stream's work, which AMD's runtime waits for.
    const simt::stream_work order(nullptr);
    simt::note_work({reinterpret_cast<std::uintptr_t>(pointer), bytes, bytes, 1}, true, simt::work_kind::release);
  }
  simt::wait_on_host(hipStream_t{});
  return finish(virtual_memory::instance().unmap(pointer, bytes));
}

hipError_t hipMemSetAccess(void* pointer, size_t bytes, const hipMemAccessDesc* accesses, size_t count) {
  if (accesses == nullptr || count == 0) return finish(hipErrorInvalidValue);
  return finish(virtual_memory::instance().set_access(pointer, bytes, accesses, count));
}

hipError_t hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location, void* pointer) {
  if (flags == nullptr || location == nullptr || location->type != hipMemLocationTypeDevice ||
      !simt::is_device(location->id)) {
    return finish(hipErrorInvalidValue);
  }
  hipMemAccessFlags found{};
  const hipError_t code = virtual_memory::instance().access(pointer, location->id, &found);
  if (code == hipSuccess) *flags = static_cast<unsigned long long>(found);
  return finish(code);
}

hipError_t hipMemExportToShareableHandle(void* descriptor, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType type, unsigned long long flags) {
  if (descriptor == nullptr || flags != 0) return finish(hipErrorInvalidValue);
  return finish(virtual_memory::instance().apply(handle, [=](const ihipMemGenericAllocationHandle& memory) {
    if (type != hipMemHandleTypePosixFileDescriptor || memory.properties.requestedHandleType != type) {
      return hipErrorInvalidValue;
    }
    const int file = fcntl(memory.file.number(), F_DUPFD_CLOEXEC, 0);
    if (file < 0) return hipErrorOutOfMemory;
    *static_cast<int*>(descriptor) = file;
    return hipSuccess;
  }));
}

hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle, void* descriptor,
                                           hipMemAllocationHandleType type) {
  if (handle == nullptr) return finish(hipErrorInvalidValue);
  if (type != hipMemHandleTypePosixFileDescriptor) return finish(hipErrorNotSupported);
  return finish(
      virtual_memory::instance().retain(handle, static_cast<int>(reinterpret_cast<std::intptr_t>(descriptor))));
}

}  // namespace hip_on_cpu
