// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/memory_pools.hpp"

#include <algorithm>

namespace simt {

memory_pools& memory_pools::instance() {
  // Never destroyed: a static object of the user program may free its device memory after that.
  static auto* const only = new memory_pools;
  return *only;
}

hipMemPool_t memory_pools::add(const ihipMemPoolHandle_t& pool) {
  auto added = std::make_unique<ihipMemPoolHandle_t>(pool);
  const hipMemPool_t handle = added.get();
  handle->accesses[static_cast<std::size_t>(pool.device)] = hipMemAccessFlagsProtReadWrite;
  pools_.emplace(handle, std::move(added));
  return handle;
}

memory_pools::device_pools& memory_pools::pools_of(int device) {
  device_pools& found = devices_[device];
  if (found.own == nullptr) {
    ihipMemPoolHandle_t own{};
    own.device = device;
    found.own = found.current = add(own);
    found.graphs = add(own);
  }
  return found;
}

bool memory_pools::is_pool(hipMemPool_t pool) const {
  const auto found = pools_.find(pool);
  return found != pools_.end() && !found->second->is_destroyed;
}

hipMemPool_t memory_pools::default_of(int device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return pools_of(device).own;
}

hipMemPool_t memory_pools::current_of(int device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return pools_of(device).current;
}

hipMemPool_t memory_pools::graphs_of(int device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return pools_of(device).graphs;
}

hipError_t memory_pools::set_current(int device, hipMemPool_t pool) {
  return apply(pool, [this, device, pool](const ihipMemPoolHandle_t& each) {
    if (each.device != device) return hipErrorInvalidDevice;
    pools_of(device).current = pool;
    return hipSuccess;
  });
}

hipMemPool_t memory_pools::create(const ihipMemPoolHandle_t& pool) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return add(pool);
}

bool memory_pools::destroy(hipMemPool_t pool) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_pool(pool)) return false;
  device_pools& device = pools_of(pool->device);
  if (pool == device.own) return false;
  if (pool == device.current) device.current = device.own;
  pool->is_destroyed = true;
  if (pool->used == 0) pools_.erase(pool);
  return true;
}

hipError_t memory_pools::check(hipMemPool_t pool, std::size_t bytes) {
  return apply(pool, [bytes](const ihipMemPoolHandle_t& each) {
    const bool fits = each.limit == 0 || (bytes <= each.limit && each.used <= each.limit - bytes);
    return fits ? hipSuccess : hipErrorOutOfMemory;
  });
}

void memory_pools::note_allocated(hipMemPool_t pool, const void* begin, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  pieces_[begin] = {pool, bytes};
  pool->used += bytes;
  pool->reserved = std::max(pool->reserved, pool->used);
  pool->most_used = std::max(pool->most_used, pool->used);
  pool->most_reserved = std::max(pool->most_reserved, pool->reserved);
}

void memory_pools::drop(const piece& freed) {
  freed.pool->used -= freed.bytes;
  if (freed.pool->is_destroyed && freed.pool->used == 0) pools_.erase(freed.pool);
}

void memory_pools::note_freed(const void* begin) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pieces_.find(begin);
  if (found == pieces_.end()) return;
  drop(found->second);
  pieces_.erase(found);
}

void memory_pools::note_reset(int device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto each = pieces_.begin(); each != pieces_.end();) {
    each = each->second.pool->device == device ? pieces_.erase(each) : std::next(each);
  }
  for (auto each = pools_.begin(); each != pools_.end();) {
    each = each->second->device == device ? pools_.erase(each) : std::next(each);
  }
  devices_.erase(device);
}

hipMemPool_t memory_pools::pool_of(const void* begin) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pieces_.find(begin);
  if (found == pieces_.end()) return nullptr;
  const hipMemPool_t pool = found->second.pool;
  return pool != pools_of(pool->device).graphs ? pool : nullptr;
}

void memory_pools::note_waited() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [handle, pool] : pools_) {
    pool->reserved = std::max(pool->used, std::min(pool->reserved, pool->threshold));
  }
}

}  // namespace simt
