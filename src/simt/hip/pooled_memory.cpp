// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that allocate and free memory in the order of a stream, and those of their pools.
#include <algorithm>
#include <cstdint>

#include "simt/hip/capture.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/graph_memory.hpp"
#include "simt/hip/memory.hpp"
#include "simt/hip/memory_pools.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/streams.hpp"

namespace simt {
namespace {

hipError_t allocate_from(hipMemPool_t pool, void** pointer, std::size_t bytes, hipStream_t stream) {
  if (pointer == nullptr) return hipErrorInvalidValue;
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (bytes != 0 && is_captured(stream)) return capture_allocation(pointer, bytes, stream);
  if (const hipError_t code = refuse_null_stream(stream)) return code;
  if (pool == nullptr) pool = memory_pools::instance().current_of(device_of(stream));
  hipError_t code = memory_pools::instance().check(pool, bytes);
  if (code == hipErrorOutOfMemory) {
    return simt::refuse(code, nullptr, "an allocation of %zu bytes from a pool of at most %zu", bytes,
                        static_cast<std::size_t>(pool->limit));
  }
  if (code == hipSuccess) code = allocate(pointer, bytes, memory_kind::device, 0);
  if (code != hipSuccess || bytes == 0) return code;
  memory_pools::instance().note_allocated(pool, *pointer, bytes);
  const stream_work order(stream);
  note_work(bytes_of(*allocations::instance().find(*pointer)), true, work_kind::allocation);
  return code;
}

int* reuse_of(ihipMemPoolHandle_t& pool, hipMemPoolAttr attribute) {
  switch (attribute) {
    case hipMemPoolReuseFollowEventDependencies:
    case hipMemPoolReuseAllowOpportunistic:
    case hipMemPoolReuseAllowInternalDependencies:
      return &pool.reuses[attribute - hipMemPoolReuseFollowEventDependencies];
    default:
      return nullptr;
  }
}

/// What an attribute that counts bytes stands for.
std::uint64_t* bytes_of(ihipMemPoolHandle_t& pool, hipMemPoolAttr attribute) {
  switch (attribute) {
    case hipMemPoolAttrReleaseThreshold:
      return &pool.threshold;
    case hipMemPoolAttrReservedMemCurrent:
      return &pool.reserved;
    case hipMemPoolAttrReservedMemHigh:
      return &pool.most_reserved;
    case hipMemPoolAttrUsedMemCurrent:
      return &pool.used;
    case hipMemPoolAttrUsedMemHigh:
      return &pool.most_used;
    default:
      return nullptr;
  }
}

hipError_t get(ihipMemPoolHandle_t& pool, hipMemPoolAttr attribute, void* value) {
  if (const int* const reuse = reuse_of(pool, attribute)) {
    *static_cast<int*>(value) = *reuse;
  } else if (const std::uint64_t* const bytes = bytes_of(pool, attribute)) {
    *static_cast<std::uint64_t*>(value) = *bytes;
  } else {
    return hipErrorInvalidValue;
  }
  return hipSuccess;
}

hipError_t set(ihipMemPoolHandle_t& pool, hipMemPoolAttr attribute, const void* value) {
  if (int* const reuse = reuse_of(pool, attribute)) {
    *reuse = *static_cast<const int*>(value);
    return hipSuccess;
  }
  std::uint64_t* const bytes = bytes_of(pool, attribute);
  if (bytes == nullptr || bytes == &pool.reserved || bytes == &pool.used) return hipErrorInvalidValue;
  const std::uint64_t asked = *static_cast<const std::uint64_t*>(value);
  if (bytes == &pool.threshold) {
    *bytes = asked;
    return hipSuccess;
  }
  if (asked != 0) return hipErrorInvalidValue;
  // From now on the most is what there is now.
  *bytes = bytes == &pool.most_used ? pool.used : pool.reserved;
  return hipSuccess;
}

hipError_t set_access(ihipMemPoolHandle_t& pool, const hipMemAccessDesc& access) {
  if (access.location.type != hipMemLocationTypeDevice) return hipErrorInvalidValue;
  if (!is_device(access.location.id)) return hipErrorInvalidDevice;
  if (access.flags != hipMemAccessFlagsProtNone && access.flags != hipMemAccessFlagsProtRead &&
      access.flags != hipMemAccessFlagsProtReadWrite) {
    return hipErrorInvalidValue;
  }
  // A device cannot lose the access to its own pool.
  if (access.location.id == pool.device && access.flags != hipMemAccessFlagsProtReadWrite) return hipErrorInvalidDevice;
  pool.accesses[static_cast<std::size_t>(access.location.id)] = access.flags;
  return hipSuccess;
}

hipError_t refuse_to_share() {
  return simt::refuse(hipErrorNotSupported, nullptr,
                      "a pool's handle for other processes, which have memory of their own,");
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::finish_without_finding;
using simt::memory_pools;

hipError_t hipMallocAsync(void** pointer, size_t bytes, hipStream_t stream) {
  return finish(simt::allocate_from(nullptr, pointer, bytes, stream));
}

hipError_t hipMallocFromPoolAsync(void** pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  if (pool == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::allocate_from(pool, pointer, bytes, stream));
}

hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
  if (!simt::is_stream(stream)) return finish_without_finding(hipErrorInvalidHandle);
  if (pointer == nullptr) return finish_without_finding(hipErrorInvalidValue);
  if (simt::is_captured(stream)) return finish(simt::submit(stream, simt::graph_release{pointer}));
  if (const hipError_t code = simt::refuse_null_stream(stream)) return finish(code);
  {
    const simt::stream_work order(stream);
    simt::note_release(pointer);
  }
  return finish_without_finding(simt::release_device(pointer));
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  if (pool == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  *pool = memory_pools::instance().default_of(device);
  return hipSuccess;
}

hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  if (pool == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  *pool = memory_pools::instance().current_of(device);
  return hipSuccess;
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  return finish(memory_pools::instance().set_current(device, pool));
}

hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr || properties->allocType != hipMemAllocationTypePinned ||
      properties->location.type != hipMemLocationTypeDevice || !simt::is_device(properties->location.id)) {
    return finish(hipErrorInvalidValue);
  }
  if (properties->handleTypes != hipMemHandleTypeNone) return finish(simt::refuse_to_share());
  ihipMemPoolHandle_t created{};
  created.device = properties->location.id;
  created.limit = properties->maxSize;
  *pool = memory_pools::instance().create(created);
  return hipSuccess;
}

hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  return finish(memory_pools::instance().destroy(pool) ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
  if (value == nullptr) return finish(hipErrorInvalidValue);
  return finish(memory_pools::instance().apply(
      pool, [=](ihipMemPoolHandle_t& each) { return simt::get(each, attribute, value); }));
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
  if (value == nullptr) return finish(hipErrorInvalidValue);
  return finish(memory_pools::instance().apply(
      pool, [=](ihipMemPoolHandle_t& each) { return simt::set(each, attribute, value); }));
}

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t bytes) {
  return finish(memory_pools::instance().apply(pool, [bytes](ihipMemPoolHandle_t& each) {
    each.reserved = std::max(each.used, std::min<std::uint64_t>(each.reserved, bytes));
    return hipSuccess;
  }));
}

hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* accesses, size_t count) {
  if (accesses == nullptr && count != 0) return finish(hipErrorInvalidValue);
  if (count > static_cast<size_t>(simt::device_count())) return finish(hipErrorInvalidDevice);
  return finish(memory_pools::instance().apply(pool, [=](ihipMemPoolHandle_t& each) {
    for (size_t i = 0; i < count; ++i) {
      if (const hipError_t code = simt::set_access(each, accesses[i])) return code;
    }
    return hipSuccess;
  }));
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t pool, hipMemLocation* location) {
  if (flags == nullptr || location == nullptr || location->type != hipMemLocationTypeDevice ||
      !simt::is_device(location->id)) {
    return finish(hipErrorInvalidValue);
  }
  return finish(memory_pools::instance().apply(pool, [=](const ihipMemPoolHandle_t& each) {
    *flags = each.accesses[static_cast<std::size_t>(location->id)];
    return hipSuccess;
  }));
}

hipError_t hipMemPoolExportToShareableHandle(void* handle, hipMemPool_t pool, hipMemAllocationHandleType, unsigned) {
  if (handle == nullptr || pool == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::refuse_to_share());
}

hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t* pool, void* handle, hipMemAllocationHandleType, unsigned) {
  if (handle == nullptr || pool == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::refuse_to_share());
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData* data, void* pointer) {
  if (data == nullptr || pointer == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::refuse_to_share());
}

hipError_t hipMemPoolImportPointer(void** pointer, hipMemPool_t pool, hipMemPoolPtrExportData* data) {
  if (pointer == nullptr || pool == nullptr || data == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::refuse_to_share());
}

}  // namespace hip_on_cpu
