// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instrumented code calls for each load, store and atomic, and for all else that src/instrument has calls for. The
// kernels' modules find these functions in warpz. Those of accesses have the names that ThreadSanitizer gave them.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "simt/check/access_checker.hpp"
#include "simt/check/host_heap.hpp"
#include "simt/instrumented.hpp"
#include "simt/machine/trial.hpp"
#include "simt/noted_access.hpp"

namespace simt::check {
namespace {

/// The checker of the running lane, unless nothing is checked now.
[[gnu::always_inline]] inline access_checker* active_checker() {
  access_checker* const checker = current_checker;
  const bool is_active =
      checker != nullptr && !checker->is_paused() && this_lane != nullptr && this_lane->unchecked_scopes == 0;
  return is_active ? checker : nullptr;
}

[[gnu::noinline]] void let_others_run(access_checker& checker, std::uintptr_t address, const void* code) {
  if (!checker.is_near_region(address)) return;
  detail::switch_to(detail::arrive_access(this_lane, code));
}

/// The checker before an access: other lanes may run first. But not before an access to the machine's own variables,
/// such as the running lane, as switching lanes accesses them, too.
[[gnu::always_inline]] inline access_checker* active_checker(const volatile void* address, const void* code) {
  access_checker* const checker = active_checker();
  if (checker != nullptr && checker->permutes())
    let_others_run(*checker, reinterpret_cast<std::uintptr_t>(address), code);
  return checker;
}

/// A function of its own, called last: so a callback that need not call it has no stack frame.
[[gnu::noinline]] void access_permuted(access_checker& checker, std::uintptr_t address, std::size_t size,
                                       access_kind kind, const void* code, std::size_t alignment) {
  let_others_run(checker, address, code);
  if (!checker.is_unchecked(address)) return checker.access(address, size, kind, code, alignment);
  if (writes(kind)) checker.write_unchecked(address);
}

[[gnu::always_inline]] inline void access_closely(std::uintptr_t address, std::size_t size, access_kind kind,
                                                  const void* code, std::size_t alignment) {
  access_checker* const checker = active_checker();
  if (checker == nullptr) return;
  if (checker->permutes()) return access_permuted(*checker, address, size, kind, code, alignment);
  if (checker->is_unchecked(address)) {
    if (writes(kind)) checker->write_unchecked(address);
    return;
  }
  if (size == 4 && alignment == 4) {
    region* const holder = checker->holder(address);
    if (holder != nullptr && kind == access_kind::read) return checker->read_word(*holder, address, code);
    if (holder != nullptr && kind == access_kind::write) return checker->write_word(*holder, address, code);
  }
  checker->access(address, size, kind, code, alignment);
}

/// For kinds and sizes that are constants. Another function of its own, for the same reason.
template <access_kind kind, std::size_t size, std::size_t alignment>
[[gnu::noinline]] void access_number(std::uintptr_t address, const void* code) {
  access_closely(address, size, kind, code, alignment);
}

template <access_kind kind, std::size_t size, std::size_t alignment>
[[gnu::always_inline]] inline void access_memory(const void* memory, const void* code) {
  access_checker* const checker = current_checker;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (checker == nullptr) return;
  if (alignment == size && checker->access_without_stamps(address, size, kind)) return;
  access_number<kind, size, alignment>(address, code);
}

void access_memory(const void* memory, std::size_t size, access_kind kind, const void* code,
                   std::size_t alignment = 1) {
  access_closely(reinterpret_cast<std::uintptr_t>(memory), size, kind, code, alignment);
}

/// Whether the access, of a size that is no constant, has been checked and nothing was found.
inline bool is_checked_fast(access_checker& checker, const void* at, std::size_t size, std::size_t alignment,
                            access_kind kind) {
  return size == alignment && size <= 16 &&
         checker.access_without_stamps(reinterpret_cast<std::uintptr_t>(at), size, kind);
}

inline void copy_memory(const void* target, const void* source, std::size_t size, const void* code) {
  if (access_checker* const checker = active_checker(target, code))
    checker->copy(reinterpret_cast<std::uintptr_t>(target), reinterpret_cast<std::uintptr_t>(source), size, code);
}

/// Compilers use the callback for 16 bytes also for types that need an alignment of 8 only.
constexpr std::size_t alignment_for(std::size_t size) { return size < 8 ? size : 8; }

constexpr bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
constexpr bool releases(int order) { return order >= __ATOMIC_RELEASE; }

/// An atomic has read the word.
inline void order_after_read(access_checker& checker, const volatile void* word, int order) {
  const void* const plain = const_cast<const void*>(word);
  if (acquires(order)) {
    checker.acquire(plain);
  } else {
    checker.observe_relaxed(plain);
  }
}

/// An atomic writes the word; `adds`: it has read it, too.
inline void order_before_write(access_checker& checker, const volatile void* word, int order, bool adds) {
  const void* const plain = const_cast<const void*>(word);
  if (releases(order)) {
    checker.release(plain, adds);
  } else {
    checker.write_relaxed(plain, adds);
  }
}

template <class T>
inline T load(const volatile T* word, int order, const void* code) {
  access_checker* const checker = active_checker(word, code);
  if (checker != nullptr)
    checker->access(reinterpret_cast<std::uintptr_t>(word), sizeof(T), access_kind::atomic_read, code, sizeof(T));
  const T value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (checker != nullptr) order_after_read(*checker, word, order);
  return value;
}

template <class T>
inline void store(volatile T* word, T value, int order, const void* code) {
  access_checker* const checker = active_checker(word, code);
  if (checker != nullptr) {
    checker->loops().let_others_look();
    checker->access(reinterpret_cast<std::uintptr_t>(word), sizeof(T), access_kind::atomic_write, code, sizeof(T));
    order_before_write(*checker, word, order, false);
    note_change<T>(word, static_cast<T>(*word), value);
  }
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

inline void read_volatile(const void* at, const void* code) {
  auto& self = *static_cast<fiber*>(this_lane);
  self.last_code = code;
  yield({"a read of a volatile variable", "", 0});
  self.last_code = nullptr;
  note_access(at, access_effect::looked);
}

/// An atomic_change, or an atomic_write where nobody looks at the old value. `operation` carries it out.
template <class T, class Operation>
inline T change(volatile T* word, access_kind kind, int order, const void* code, Operation operation) {
  access_checker* const checker = active_checker(word, code);
  if (checker != nullptr) {
    checker->loops().let_others_look();
    checker->access(reinterpret_cast<std::uintptr_t>(word), sizeof(T), kind, code, sizeof(T));
    order_after_read(*checker, word, order);
    order_before_write(*checker, word, order, true);
  }
  return operation();
}

template <class T>
inline bool compare_exchange(volatile T* word, T* expected, T desired, int success, int failure, const void* code) {
  access_checker* const checker = active_checker(word, code);
  const auto address = reinterpret_cast<std::uintptr_t>(word);
  if (checker != nullptr) {
    checker->loops().let_others_look();
    checker->compare(word, expected, sizeof(T));
    checker->access(address, sizeof(T), access_kind::atomic_read, code, sizeof(T));
  }
  const bool done = __atomic_compare_exchange_n(word, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (checker == nullptr) return done;
  if (done) {
    // The memory holds the new value already.
    checker->note_old_value(expected, sizeof(T));
    checker->access(address, sizeof(T), access_kind::atomic_write, code, sizeof(T));
    checker->note_old_value(nullptr, 0);
  }
  order_after_read(*checker, word, done ? success : failure);
  if (done) order_before_write(*checker, word, success, true);
  return done;
}

}  // namespace
}  // namespace simt::check

using simt::check::access_kind;

#define CODE __builtin_return_address(0)
#define CALLBACK extern "C" SIMT_API

CALLBACK void __tsan_init() {  // NOLINT(readability-identifier-naming): the compiler calls it so
  simt::note_instrumented_code();
  simt::check::note_instrumented_module(reinterpret_cast<std::uintptr_t>(CODE));
}

#define ACCESS(name, kind, size, alignment)                                   \
  CALLBACK void __tsan_##name##size(void* at) {                               \
    simt::check::access_memory<access_kind::kind, size, alignment>(at, CODE); \
  }
#define ACCESSES(size)                                                       \
  ACCESS(read, read, size, simt::check::alignment_for(size))                 \
  ACCESS(write, write, size, simt::check::alignment_for(size))               \
  ACCESS(read_write, read_and_write, size, simt::check::alignment_for(size)) \
  ACCESS(unaligned_read, read, size, 1)                                      \
  ACCESS(unaligned_write, write, size, 1)                                    \
  ACCESS(unaligned_read_write, read_and_write, size, 1)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
#undef ACCESSES
#undef ACCESS

/// A plain write of what is the same on any data.
CALLBACK void simt_write_constant(void* at, unsigned long size, unsigned long alignment) {
  simt::check::access_checker* const checker = simt::check::active_checker();
  if (checker == nullptr || simt::check::is_checked_fast(*checker, at, size, alignment, access_kind::write)) return;
  simt::check::note_constant_code(simt::check::code_id_at(CODE, false));
  simt::check::access_memory(at, size, access_kind::write, CODE, alignment);
}

/// As above, of what is the same for the block.
CALLBACK void simt_write_block_constant(void* at, unsigned long size, unsigned long alignment) {
  simt::check::access_checker* const checker = simt::check::active_checker();
  if (checker == nullptr || simt::check::is_checked_fast(*checker, at, size, alignment, access_kind::write)) return;
  simt::check::note_block_constant_code(simt::check::code_id_at(CODE, false));
  simt::check::access_memory(at, size, access_kind::write, CODE, alignment);
}

CALLBACK void __tsan_read_range(void* at, unsigned long size) {
  simt::check::access_memory(at, size, access_kind::read, CODE);
}
CALLBACK void __tsan_write_range(void* at, unsigned long size) {
  simt::check::access_memory(at, size, access_kind::write, CODE);
}

CALLBACK void* __tsan_memcpy(void* target, const void* source, unsigned long size) {
  simt::check::copy_memory(target, source, size, CODE);
  return std::memcpy(target, source, size);
}
CALLBACK void* __tsan_memmove(void* target, const void* source, unsigned long size) {
  simt::check::copy_memory(target, source, size, CODE);
  return std::memmove(target, source, size);
}
CALLBACK void* __tsan_memset(void* target, int value, unsigned long size) {
  simt::check::access_memory(target, size, access_kind::write, CODE);
  return std::memset(target, value, size);
}
/// As above, by a value that is the same on any data.
CALLBACK void* simt_set_constant(void* target, int value, unsigned long size) {
  if (simt::check::active_checker() != nullptr) simt::check::note_constant_code(simt::check::code_id_at(CODE, false));
  simt::check::access_memory(target, size, access_kind::write, CODE);
  return std::memset(target, value, size);
}

// An exchange may be a mere write, whose result is dropped.
#define ATOMICS(bits, type)                                                                                \
  CALLBACK type __tsan_atomic##bits##_load(const volatile type* at, int order) {                           \
    return simt::check::load(at, order, CODE);                                                             \
  }                                                                                                        \
  CALLBACK void __tsan_atomic##bits##_store(volatile type* at, type value, int order) {                    \
    simt::check::store(at, value, order, CODE);                                                            \
  }                                                                                                        \
  CALLBACK type __tsan_atomic##bits##_compare_exchange_val(volatile type* at, type expected, type desired, \
                                                           int success, int failure) {                     \
    simt::check::compare_exchange(at, &expected, desired, success, failure, CODE);                         \
    return expected;                                                                                       \
  }                                                                                                        \
  ATOMIC_CHANGE(bits, type, exchange, __atomic_exchange_n, atomic_change)                                  \
  ATOMIC_CHANGE(bits, type, replace, __atomic_exchange_n, atomic_write)                                    \
  ATOMIC_CHANGE(bits, type, fetch_add, __atomic_fetch_add, atomic_change)                                  \
  ATOMIC_CHANGE(bits, type, fetch_sub, __atomic_fetch_sub, atomic_change)                                  \
  ATOMIC_CHANGE(bits, type, fetch_and, __atomic_fetch_and, atomic_change)                                  \
  ATOMIC_CHANGE(bits, type, fetch_or, __atomic_fetch_or, atomic_change)                                    \
  ATOMIC_CHANGE(bits, type, fetch_xor, __atomic_fetch_xor, atomic_change)                                  \
  ATOMIC_CHANGE(bits, type, fetch_nand, __atomic_fetch_nand, atomic_change)
#define ATOMIC_CHANGE(bits, type, name, builtin, kind)                                   \
  CALLBACK type __tsan_atomic##bits##_##name(volatile type* at, type value, int order) { \
    return simt::check::change(at, access_kind::kind, order, CODE,                       \
                               [=] { return builtin(at, value, __ATOMIC_SEQ_CST); });    \
  }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)
#undef ATOMIC_CHANGE
#undef ATOMICS

CALLBACK void __tsan_atomic_thread_fence(int order) {
  simt::check::access_checker* const checker = simt::check::active_checker();
  if (checker != nullptr && order != __ATOMIC_RELAXED) checker->fence();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
CALLBACK void __tsan_atomic_signal_fence(int) {}

namespace simt::check {
namespace {

/// What a lane has just allocated has no values yet: it gets those of a variable that is never set.
void* without_values(void* memory, std::size_t size, const char* operation, const void* code) {
  access_checker* const checker = active_checker();
  if (memory == nullptr || checker == nullptr) return memory;
  note_lane_allocation();
  const std::uint64_t value = checker->unset_memory(operation, code);
  auto* const bytes = static_cast<unsigned char*>(memory);
  for (std::size_t at = 0; at < size; at += sizeof value)
    std::memcpy(bytes + at, &value, std::min(sizeof value, size - at));
  return memory;
}

}  // namespace
}  // namespace simt::check

// What a lane allocates, or does by a function that the machine does not know, can't be undone.
CALLBACK void simt_outside_call() { simt::leave_trial(); }
CALLBACK void simt_outside_argument(std::uint64_t number) {
  if (simt::check::access_checker* const checker = simt::check::active_checker()) checker->pass_outside(number, CODE);
}

CALLBACK void simt_host_variable(const void* variable, std::uint64_t bytes) {
  simt::check::note_host_variable(reinterpret_cast<std::uintptr_t>(variable), bytes);
}

CALLBACK void* simt_malloc(unsigned long size) {
  simt::leave_trial();
  return simt::check::without_values(std::malloc(size), size, "malloc", CODE);
}
CALLBACK void* simt_new(unsigned long size) {
  simt::leave_trial();
  return simt::check::without_values(::operator new(size), size, "new", CODE);
}
CALLBACK void* simt_new_array(unsigned long size) {
  simt::leave_trial();
  return simt::check::without_values(::operator new[](size), size, "new", CODE);
}

/// `compared`: how many constants the value is compared with, and these; null: none.
CALLBACK std::uint64_t simt_unset_value(std::uint64_t mark, const std::uint64_t* compared) {
  simt::check::access_checker* const checker = simt::check::active_checker();
  return checker != nullptr ? checker->unset_value(mark, compared, CODE) : ~std::uint64_t{0};
}

/// The running lane has begun a kernel whose blocks may have so many threads, or any number where it is 0, and have so
/// much static shared memory.
CALLBACK void simt_launch_limits(std::uint64_t threads, std::uint64_t static_shared_bytes) {
  if (simt::check::access_checker* const checker = simt::check::active_checker())
    checker->check_launch(threads, static_shared_bytes, CODE);
}

// Accesses to shared memory by which a lane only moves a value, or puts there what it has computed from it. The token
// is 0 for a value that is set.
CALLBACK std::uint64_t simt_read_moved(const void* at, std::uint64_t size, std::uint64_t alignment) {
  simt::check::access_checker* const checker = simt::check::active_checker(at, CODE);
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  if (checker == nullptr || simt::check::is_checked_fast(*checker, at, size, alignment, access_kind::read)) return 0;
  if (checker->is_unchecked(address)) return 0;
  return checker->read_moved(address, size, CODE, alignment);
}
CALLBACK void simt_write_moved(const void* at, std::uint64_t size, std::uint64_t alignment, std::uint64_t token,
                               std::uint64_t is_same_in_block) {
  simt::check::access_checker* const checker = simt::check::active_checker(at, CODE);
  if (checker == nullptr ||
      (token == 0 && simt::check::is_checked_fast(*checker, at, size, alignment, access_kind::write)))
    return;
  if (is_same_in_block != 0) simt::check::note_block_constant_code(simt::check::code_id_at(CODE, false));
  checker->write_moved(reinterpret_cast<std::uintptr_t>(at), size, CODE, alignment, token);
}
/// The running lane stores a value elsewhere.
CALLBACK void simt_use_moved(std::uint64_t token) {
  simt::check::access_checker* const checker = token != 0 ? simt::check::active_checker() : nullptr;
  if (checker != nullptr) checker->use_moved(token);
}

// The running lane begins a loop in which it may wait, begins a round of it, and leaves it.
CALLBACK void simt_enter_loop(std::uint64_t loop) {
  if (simt::check::access_checker* const checker = simt::check::active_checker()) checker->loops().enter_loop(loop);
}
CALLBACK void simt_repeat_loop(std::uint64_t loop) {
  if (simt::check::access_checker* const checker = simt::check::active_checker()) checker->loops().repeat_loop(loop);
}
CALLBACK void simt_leave_loop(std::uint64_t loop) {
  simt::check::access_checker* const checker = simt::check::active_checker();
  if (checker == nullptr) return;
  checker->loops().leave_loop(loop);
  if (checker->loops().comes_first()) simt::yield({"the end of a loop", "", 0});
  for (unsigned rounds = 0; checker->loops().waits_behind_loop(rounds); ++rounds)
    simt::yield({"the end of a loop", "", 0});
}
/// The running lane goes past such a loop, as by the other branch of an `if`.
CALLBACK void simt_pass_loop(std::uint64_t loop) {
  simt::check::access_checker* const checker = simt::check::active_checker();
  if (checker == nullptr) return;
  checker->loops().pass_loop(loop);
  if (checker->loops().comes_first()) simt::yield({"a loop that it goes past", "", 0});
}

/// The running lane is about to compute what has no defined result: what Clang says of the operation, its operands, and
/// which operation it is.
CALLBACK void simt_undefined_arithmetic(const void* data, std::uint64_t left, std::uint64_t right, unsigned operation) {
  if (simt::check::access_checker* const checker = simt::check::active_checker())
    checker->report_arithmetic({data, left, right, operation}, CODE);
}

/// The running lane is about to access memory there, by a type that asks for multiples of `alignment`.
CALLBACK void simt_aligned(const void* at, std::uint64_t alignment, std::uint32_t is_written) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  simt::check::access_checker* const checker = simt::check::active_checker();
  if (checker == nullptr) return;
  if ((address & (alignment - 1)) == 0) {
    checker->begin_vector(address, alignment, is_written != 0);
  } else {
    checker->misaligned(address, alignment, is_written != 0 ? access_kind::write : access_kind::read, CODE);
  }
}

/// In front of a read: a lane that polls a variable lets others run.
CALLBACK void simt_volatile_read(const void* at) {
  if (simt::check::active_checker() != nullptr) simt::check::read_volatile(at, CODE);
}

/// Called before a volatile read that only polls, and is made atomic.
CALLBACK void simt_volatile_poll(const void* at, std::uint64_t size) {
  simt::check::access_checker* const checker = simt::check::active_checker();
  if (checker == nullptr) return;
  simt::check::read_volatile(at, CODE);
  checker->poll(at, size, CODE);
}

/// In front of a write that is not atomic.
CALLBACK void simt_volatile_write(const void* at) {
  if (simt::check::active_checker() != nullptr) simt::note_access(at, simt::access_effect::changed);
}

void simt::note_element(const void* at, std::size_t bytes, bool is_written, const void* code) {
  simt::check::access_memory(at, bytes, is_written ? access_kind::write : access_kind::read, code);
}
