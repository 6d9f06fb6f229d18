// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace os {

/// How many times this process has made such memory. A child has what was made before it was forked.
inline std::atomic<std::uint64_t> shared_memory_count{0};

/// A zeroed T in memory that this process shares with the children it forks. Pages that are never written cost nothing.
template <class T>
class shared_memory {
 public:
  shared_memory()
      : memory_(mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    static_assert(std::is_trivially_destructible_v<T>);
    ++shared_memory_count;
  }
  ~shared_memory() {
    if (*this) munmap(memory_, sizeof(T));
  }
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  /// False, with errno, where there is no memory.
  explicit operator bool() const { return memory_ != MAP_FAILED; }
  T& operator*() const { return *static_cast<T*>(memory_); }
  T* operator->() const { return static_cast<T*>(memory_); }

 private:
  void* const memory_;
};

}  // namespace os
