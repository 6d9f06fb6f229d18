// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that HIP calls know: allocations, registered host memory, device variables.
//
// Refuses to free what it did not allocate, and to allocate more than the process may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include <hip/hip_runtime_api.h>

namespace simt {

/// An object is what a texture or surface object is in memory.
enum class memory_kind { device, managed, host, registered, symbol, array, object };

/// What hipMemAdvise and hipMemPrefetchAsync have said of memory.
struct memory_advice {
  bool is_read_mostly = false;
  bool is_coarse = false;
  int preferred = hipInvalidDeviceId;
  int prefetched = hipInvalidDeviceId;
  std::uint32_t accessed_by = 0;  ///< a bit for each device, and the lowest one for the CPU
};

struct allocation {
  char* begin;
  std::size_t bytes;
  memory_kind kind;
  int device;
  unsigned flags;
  bool observed = false;    ///< allocated by the memory observer (simt/machine/observer.hpp)
  bool is_planned = false;  ///< by a graph's node
  bool is_kept = false;     ///< has its address still when it is freed
  bool is_there = true;
  bool is_mapped = false;     ///< at reserved addresses (virtual_memory.hpp)
  bool is_read_only = false;  ///< mapped memory may be
  memory_advice advice = {};

  /// Bytes from an address within it to its end.
  std::size_t bytes_from(const void* address) const {
    return static_cast<std::size_t>(begin + bytes - static_cast<const char*>(address));
  }
};

/// While it exists, the thread also finds memory of graphs that is not there yet: it says what will be done.
class planned_memory_is_known {
 public:
  planned_memory_is_known();
  planned_memory_is_known(const planned_memory_is_known&) = delete;
  planned_memory_is_known& operator=(const planned_memory_is_known&) = delete;
  ~planned_memory_is_known();

 private:
  bool outer_;
};

/// Bytes that the process may still use, of os::read_memory_limit().
std::uint64_t available_memory();

class allocations {
 public:
  /// `system_available` is asked for large allocations.
  explicit allocations(std::uint64_t (*system_available)() = available_memory) : system_available_(system_available) {}

  /// The process's.
  static allocations& instance();

  /// New memory, aligned to 256 bytes; no bytes give a null pointer.
  hipError_t allocate(void** pointer, std::size_t bytes, memory_kind kind, unsigned flags);

  /// Memory of a graph: it has an address, and is not there before allocate_planned(), nor after remove().
  hipError_t plan(void** pointer, std::size_t bytes, int device);
  /// False where there is no memory for it.
  bool allocate_planned(void* pointer);
  /// The graph is gone: its memory is freed, or, where it is there, will be as any other.
  void give_up(void* pointer);

  /// Notes memory that it does not own. False where part of it is known already.
  bool note(void* begin, std::size_t bytes, memory_kind kind, unsigned flags);

  /// Memory that is mapped at these addresses can be accessed from now on, or can no longer be.
  void note_mapped(void* begin, std::size_t bytes, int device, bool is_read_only);
  void forget_mapped(void* begin);
  /// Grants so many bytes, which are allocated elsewhere; false where there are too few.
  bool grant(std::size_t bytes);
  void give_back(std::size_t bytes);

  /// Frees or forgets the memory that begins at `pointer`; false where no memory of this kind does.
  bool remove(void* pointer, memory_kind kind);

  /// Memory that is mapped right behind it counts as part of it.
  std::optional<allocation> find(const void* address);
  void set_advice(const void* address, const memory_advice& advice);
  /// Whether memory of a graph that is not there has this address.
  bool is_absent(const void* address);

  /// Bytes that allocate() would still grant.
  std::size_t available();

  /// Frees and forgets all memory of a device, except device variables.
  void remove_all(int device);

 private:
  using by_address = std::map<const char*, allocation>;

  by_address::iterator locate(const void* address);
  bool is_found(by_address::iterator at) const;
  by_address::iterator drop(by_address::iterator gone);
  std::size_t grantable();
  bool can_grant(std::size_t bytes);

  std::uint64_t (*const system_available_)();
  std::mutex mutex_;
  by_address known_;
  std::size_t granted_ = 0;  ///< bytes of allocate() that are not freed
  std::size_t budget_ = 0;   ///< bytes that allocate() may have granted at a time, as of the first one
};

}  // namespace simt
