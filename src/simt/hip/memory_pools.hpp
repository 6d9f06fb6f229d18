// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools of memory that is allocated in the order of streams: what they hold, and what they are said to hold back.
//
// The memory itself is allocated and freed at once, as any other. What a pool reserves is a number: what was freed
// counts as held back until the host waits for a stream, an event or the device; then no more than the pool's release
// threshold stays.
#pragma once

#include <hip/hip_runtime_api.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "simt/hip/devices.hpp"

struct ihipMemPoolHandle_t {
  int device;
  std::uint64_t limit = 0;  ///< bytes; 0: none
  std::uint64_t threshold = 0;
  std::uint64_t reserved = 0, most_reserved = 0;
  std::uint64_t used = 0, most_used = 0;
  int reuses[3] = {1, 1, 1};  ///< from hipMemPoolReuseFollowEventDependencies on; without effect
  std::array<hipMemAccessFlags, simt::max_device_number> accesses = {};
  bool is_destroyed = false;  ///< and still has memory
};

namespace simt {

class memory_pools {
 public:
  /// The process's.
  static memory_pools& instance();

  hipMemPool_t default_of(int device);
  hipMemPool_t current_of(int device);
  /// What counts the memory of graphs; it is none of the program's.
  hipMemPool_t graphs_of(int device);
  /// An error where it is no pool, or none of the device's.
  hipError_t set_current(int device, hipMemPool_t pool);

  hipMemPool_t create(const ihipMemPoolHandle_t& pool);
  /// False where it is no pool, or a device's own.
  bool destroy(hipMemPool_t pool);

  /// What `use` returns for the pool; hipErrorInvalidValue where it is none.
  template <class Use>
  hipError_t apply(hipMemPool_t pool, Use use) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return is_pool(pool) ? use(*pool) : hipErrorInvalidValue;
  }

  /// Whether the pool may give so many bytes more.
  hipError_t check(hipMemPool_t pool, std::size_t bytes);

  // Memory of the pool is allocated. Memory is freed, of a pool or not. All memory of a device is freed.
  void note_allocated(hipMemPool_t pool, const void* begin, std::size_t bytes);
  void note_freed(const void* begin);
  void note_reset(int device);

  /// The pool that memory was allocated from; null: none.
  hipMemPool_t pool_of(const void* begin);

  /// The host has waited for work: pools give back what they need not keep.
  void note_waited();

 private:
  struct piece {
    hipMemPool_t pool;
    std::size_t bytes;
  };
  struct device_pools {
    hipMemPool_t own = nullptr;
    hipMemPool_t current = nullptr;
    hipMemPool_t graphs = nullptr;
  };

  device_pools& pools_of(int device);
  hipMemPool_t add(const ihipMemPoolHandle_t& pool);
  bool is_pool(hipMemPool_t pool) const;
  void drop(const piece& freed);

  std::mutex mutex_;
  std::map<hipMemPool_t, std::unique_ptr<ihipMemPoolHandle_t>> pools_;
  std::map<int, device_pools> devices_;
  std::map<const void*, piece> pieces_;
};

}  // namespace simt
