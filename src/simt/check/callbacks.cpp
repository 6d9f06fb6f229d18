// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compilers call for each load, store and atomic of code compiled with -fsanitize=thread, by the names that
// they have for it, and what src/source/unset_values.hpp has code call. The kernels' modules find these functions in
// the program instead of a sanitizer's runtime.
//
// GCC and Clang name a comparing exchange differently; both are here. memcpy and its kin come by the linker's --wrap,
// or from Clang 15 and newer by names of their own.
#include <cstring>

#include "simt/check/watcher.hpp"
#include "simt/watched.hpp"

namespace simt::check {
namespace {

/// The watcher of the running lane, unless nobody watches it now.
[[gnu::always_inline]] inline watcher* watching() {
  watcher* const found = current_watcher;
  return found == nullptr || found->paused || this_lane == nullptr || this_lane->unwatched != 0 ? nullptr : found;
}

[[gnu::noinline]] void let_others_run(watcher& by, std::uintptr_t address) {
  if (!by.watches(address)) return;
  detail::switch_to(detail::arrive_access(this_lane));
}

/// The same before an access: others may run first. Not where it is to the machine's own variables, such as the running
/// lane: whoever changes lanes accesses them, too.
[[gnu::always_inline]] inline watcher* watching(const volatile void* address) {
  watcher* const found = watching();
  if (found != nullptr && found->permutes) let_others_run(*found, reinterpret_cast<std::uintptr_t>(address));
  return found;
}

inline void touch(const volatile void* address, std::size_t size, doing what, const void* code,
                  std::size_t alignment = 1) {
  watcher* const by = watching(address);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (by != nullptr && !by->is_of_no_interest(at)) by->touch(at, size, what, code, alignment);
}

inline void copy(const void* to, const void* from, std::size_t size, const void* code) {
  if (watcher* const by = watching(to))
    by->copy(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), size, code);
}

/// Compilers use the callback for 16 bytes also where 8 are all that the type asks for.
constexpr std::size_t alignment_of(std::size_t size) { return size < 8 ? size : 8; }

constexpr bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
constexpr bool releases(int order) { return order >= __ATOMIC_RELEASE; }

/// What an atomic read brings, and what an atomic write hands on.
inline void learn(watcher& by, const volatile void* word, int order) {
  const void* const plain = const_cast<const void*>(word);
  if (acquires(order)) {
    by.acquire(plain);
  } else {
    by.see(plain);
  }
}

inline void hand_on(watcher& by, const volatile void* word, int order, bool adds) {
  const void* const plain = const_cast<const void*>(word);
  if (releases(order)) {
    by.release(plain, adds);
  } else {
    by.relaxed_write(plain, adds);
  }
}

template <class T>
inline T load(const volatile T* address, int order, const void* code) {
  watcher* const by = watching(address);
  if (by != nullptr)
    by->touch(reinterpret_cast<std::uintptr_t>(address), sizeof(T), doing::atomic_read, code, sizeof(T));
  const T value = __atomic_load_n(address, __ATOMIC_SEQ_CST);
  if (by != nullptr) learn(*by, address, order);
  return value;
}

template <class T>
inline void store(volatile T* address, T value, int order, const void* code) {
  watcher* const by = watching(address);
  if (by != nullptr) {
    by->touch(reinterpret_cast<std::uintptr_t>(address), sizeof(T), doing::atomic_write, code, sizeof(T));
    hand_on(*by, address, order, false);
  }
  __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}

/// `operation` does it; `what` is an atomic_change, or an atomic_write where the memory may be whatever it is.
template <class T, class Change>
inline T change(volatile T* address, doing what, int order, const void* code, Change operation) {
  watcher* const by = watching(address);
  if (by != nullptr) {
    by->touch(reinterpret_cast<std::uintptr_t>(address), sizeof(T), what, code, sizeof(T));
    learn(*by, address, order);
    hand_on(*by, address, order, true);
  }
  return operation();
}

/// Whether the memory was ever written is not asked: kernels compare words of which they know nothing yet.
template <class T>
inline bool compare_exchange(volatile T* address, T* expected, T desired, int success, int failure, const void* code) {
  watcher* const by = watching(address);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (by != nullptr) by->touch(at, sizeof(T), doing::atomic_read, code, sizeof(T));
  const bool done = __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (by == nullptr) return done;
  if (done) by->touch(at, sizeof(T), doing::atomic_write, code, sizeof(T));
  learn(*by, address, done ? success : failure);
  if (done) hand_on(*by, address, success, true);
  return done;
}

}  // namespace
}  // namespace simt::check

using simt::check::doing;

#define CODE __builtin_return_address(0)
#define CALLBACK extern "C" SIMT_API

CALLBACK void __tsan_init() { simt::note_watched_code(); }
CALLBACK void __tsan_func_entry(void*) {}
CALLBACK void __tsan_func_exit() {}
CALLBACK void __tsan_vptr_update(void**, void*) {}
CALLBACK void __tsan_vptr_read(void**) {}

#define ACCESSES(size)                                                                                       \
  CALLBACK void __tsan_read##size(void* at) {                                                                \
    simt::check::touch(at, size, doing::read, CODE, simt::check::alignment_of(size));                        \
  }                                                                                                          \
  CALLBACK void __tsan_write##size(void* at) {                                                               \
    simt::check::touch(at, size, doing::write, CODE, simt::check::alignment_of(size));                       \
  }                                                                                                          \
  CALLBACK void __tsan_read_write##size(void* at) {                                                          \
    simt::check::touch(at, size, doing::read_and_write, CODE, simt::check::alignment_of(size));              \
  }                                                                                                          \
  CALLBACK void __tsan_unaligned_read##size(void* at) { simt::check::touch(at, size, doing::read, CODE); }   \
  CALLBACK void __tsan_unaligned_write##size(void* at) { simt::check::touch(at, size, doing::write, CODE); } \
  CALLBACK void __tsan_unaligned_read_write##size(void* at) {                                                \
    simt::check::touch(at, size, doing::read_and_write, CODE);                                               \
  }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
#undef ACCESSES

CALLBACK void __tsan_read_range(void* at, unsigned long size) { simt::check::touch(at, size, doing::read, CODE); }
CALLBACK void __tsan_write_range(void* at, unsigned long size) { simt::check::touch(at, size, doing::write, CODE); }

#define BLOCKS_OF_MEMORY(prefix)                                                   \
  CALLBACK void* prefix##memcpy(void* to, const void* from, unsigned long size) {  \
    simt::check::copy(to, from, size, CODE);                                       \
    return std::memcpy(to, from, size);                                            \
  }                                                                                \
  CALLBACK void* prefix##memmove(void* to, const void* from, unsigned long size) { \
    simt::check::copy(to, from, size, CODE);                                       \
    return std::memmove(to, from, size);                                           \
  }                                                                                \
  CALLBACK void* prefix##memset(void* to, int value, unsigned long size) {         \
    simt::check::touch(to, size, doing::write, CODE);                              \
    return std::memset(to, value, size);                                           \
  }
BLOCKS_OF_MEMORY(__wrap_)
BLOCKS_OF_MEMORY(__tsan_)
#undef BLOCKS_OF_MEMORY

// Whoever exchanges a word may do so to set it, and drop what it gets.
#define ATOMICS(bits, type)                                                                                   \
  CALLBACK type __tsan_atomic##bits##_load(const volatile type* at, int order) {                              \
    return simt::check::load(at, order, CODE);                                                                \
  }                                                                                                           \
  CALLBACK void __tsan_atomic##bits##_store(volatile type* at, type value, int order) {                       \
    simt::check::store(at, value, order, CODE);                                                               \
  }                                                                                                           \
  CALLBACK type __tsan_atomic##bits##_compare_exchange_val(volatile type* at, type expected, type desired,    \
                                                           int success, int failure) {                        \
    simt::check::compare_exchange(at, &expected, desired, success, failure, CODE);                            \
    return expected;                                                                                          \
  }                                                                                                           \
  CALLBACK int __tsan_atomic##bits##_compare_exchange_strong(volatile type* at, type* expected, type desired, \
                                                             int success, int failure) {                      \
    return simt::check::compare_exchange(at, expected, desired, success, failure, CODE);                      \
  }                                                                                                           \
  CALLBACK int __tsan_atomic##bits##_compare_exchange_weak(volatile type* at, type* expected, type desired,   \
                                                           int success, int failure) {                        \
    return simt::check::compare_exchange(at, expected, desired, success, failure, CODE);                      \
  }                                                                                                           \
  ATOMIC_CHANGE(bits, type, exchange, __atomic_exchange_n, atomic_write)                                      \
  ATOMIC_CHANGE(bits, type, fetch_add, __atomic_fetch_add, atomic_change)                                     \
  ATOMIC_CHANGE(bits, type, fetch_sub, __atomic_fetch_sub, atomic_change)                                     \
  ATOMIC_CHANGE(bits, type, fetch_and, __atomic_fetch_and, atomic_change)                                     \
  ATOMIC_CHANGE(bits, type, fetch_or, __atomic_fetch_or, atomic_change)                                       \
  ATOMIC_CHANGE(bits, type, fetch_xor, __atomic_fetch_xor, atomic_change)                                     \
  ATOMIC_CHANGE(bits, type, fetch_nand, __atomic_fetch_nand, atomic_change)
#define ATOMIC_CHANGE(bits, type, name, builtin, what)                                                              \
  CALLBACK type __tsan_atomic##bits##_##name(volatile type* at, type value, int order) {                            \
    return simt::check::change(at, doing::what, order, CODE, [=] { return builtin(at, value, __ATOMIC_SEQ_CST); }); \
  }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)
#undef ATOMIC_CHANGE
#undef ATOMICS

CALLBACK void __tsan_atomic_thread_fence(int order) {
  if (simt::check::watcher* const by = simt::check::watching(); by != nullptr && order != __ATOMIC_RELAXED) by->fence();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
CALLBACK void __tsan_atomic_signal_fence(int) {}

CALLBACK std::uint64_t simt_unset_value(std::uint64_t mark) {
  simt::check::watcher* const by = simt::check::watching();
  return by != nullptr ? by->unset_value(mark, CODE) : ~std::uint64_t{0};
}
