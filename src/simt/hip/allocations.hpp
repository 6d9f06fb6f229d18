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

struct allocation {
  char* begin;
  std::size_t bytes;
  memory_kind kind;
  int device;
  unsigned flags;
  bool observed = false;  ///< allocated by the memory observer (simt/machine/observer.hpp)

  /// Bytes from an address within it to its end.
  std::size_t bytes_from(const void* address) const {
    return static_cast<std::size_t>(begin + bytes - static_cast<const char*>(address));
  }
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

  /// Notes memory that it does not own. False where part of it is known already.
  bool note(void* begin, std::size_t bytes, memory_kind kind, unsigned flags);

  /// Frees or forgets the memory that begins at `pointer`; false where no memory of this kind does.
  bool remove(void* pointer, memory_kind kind);

  std::optional<allocation> find(const void* address);

  /// Bytes that allocate() would still grant.
  std::size_t available();

  /// Frees and forgets all memory of a device, except device variables.
  void remove_all(int device);

 private:
  using by_address = std::map<const char*, allocation>;

  by_address::iterator locate(const void* address);
  by_address::iterator drop(by_address::iterator gone);
  std::size_t grantable();

  std::uint64_t (*const system_available_)();
  std::mutex mutex_;
  by_address known_;
  std::size_t granted_ = 0;  ///< bytes of allocate() that are not freed
  std::size_t budget_ = 0;   ///< bytes that allocate() may have granted at a time, as of the first one
};

}  // namespace simt
