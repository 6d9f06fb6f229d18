// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switching from one lane to another: the part of lane.hpp that has to be inlined.
//
// A lane asks the machine who runs next (arrive_*, a call that returns normally) and then switches stacks right
// here, in the kernel's own code. On x86-64 that is a handful of instructions without call and return: a call
// that returns on another stack puts the processor's return predictor out of step, which doubles the cost of a
// lane (docs/architecture.md has the figures). Elsewhere Boost.Context's jump does it.
#pragma once

#if defined(__x86_64__) && !defined(SIMT_BOOST_SWITCH)
#define SIMT_INLINE_SWITCH 1
#else
#define SIMT_INLINE_SWITCH 0
#include <boost/context/detail/fcontext.hpp>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ADDRESS_SANITIZER 1
#endif
#endif

SIMT_BOTH_SIDES_BEGIN

#ifdef SIMT_ADDRESS_SANITIZER
// Declared here, as the compiler of kernels need not be that of the machine, nor have the sanitizer's headers.
extern "C" void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t size);
extern "C" void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, std::size_t* size);
#endif

namespace simt {
namespace detail {

// Each takes the running lane and returns the lane to switch to, which may be the same. Before a collective the caller
// has stored its operands (store_operands).
// All parameters of `arrive` are in registers: the line, participants::source and site::type share a word.
inline constexpr unsigned source_shift = 32, type_shift = 40;
SIMT_API lane* arrive(lane* self, collective_op op, lane_mask named, const char* operation, const char* file,
                      std::uint64_t line_source_and_type);
SIMT_API lane* arrive_active(lane* self, collective_op op, const site& at);
SIMT_API lane* arrive_barrier(lane* self, combine mode, const site& at);
SIMT_API lane* arrive_yield(lane* self, const site& at);
/// `code`: of the access.
SIMT_API lane* arrive_access(lane* self, const void* code);
SIMT_API void note_access(lane* self, std::uintptr_t address, access_effect effect);
/// The lane has returned from the kernel.
SIMT_API lane* returned(lane* self);

#if SIMT_INLINE_SWITCH

/// Saves where `from`, the caller, is and continues `to`, which may be the same. Returns when a lane switches back to
/// the caller, and returns the caller, which that lane has left in a register: no lane has to look up who it is.
inline __attribute__((always_inline)) lane* switch_stacks(lane* from, lane* to) {
  static_assert(offsetof(lane, suspended) == 0);
  // Nothing is written to the stack: that would be one more cache line for each lane, and the compiler may keep values
  // below the stack pointer. All other registers are clobbers, so the compiler keeps only what it needs; rbx and rbp
  // are saved because not every compiler accepts them as clobbers.
  asm volatile(
      "mov %%rsp, (%%rdi)\n\t"
      "mov %%rbp, 8(%%rdi)\n\t"
      "mov %%rbx, 16(%%rdi)\n\t"
      "lea 1f(%%rip), %%rdx\n\t"
      "mov %%rdx, 24(%%rdi)\n\t"
      "mov (%%rsi), %%rsp\n\t"
      "mov 8(%%rsi), %%rbp\n\t"
      "mov 16(%%rsi), %%rbx\n\t"
      "jmp *24(%%rsi)\n"
      "1:"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15"
#ifdef __AVX512F__
        ,
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",
        "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#endif
  );
  return to;
}

#else

/// Boost's jump_fcontext, which it declares for the host alone.
boost::context::detail::transfer_t jump(boost::context::detail::fcontext_t to, void* data) __asm__("jump_fcontext");

/// Passed from the stack that is left to the one that continues.
struct lane_switch {
  lane* from;
  lane* to;
};

/// Runs on the stack that continues: keeps where the other one was left. Returns the lane that runs now.
inline lane* finish_switch(const boost::context::detail::transfer_t& left) {
  const lane_switch& passed = *static_cast<lane_switch*>(left.data);
  lane* const self = passed.to;
  passed.from->suspended.stack = left.fctx;
  return self;
}

inline lane* switch_stacks(lane* from, lane* to) {
  if (from == to) return to;
  lane_switch passed{from, to};
  return finish_switch(jump(to->suspended.stack, &passed));
}

#endif

inline SIMT_OWN_CODE lane* running() { return this_lane; }

/// Makes `self` the running lane, as the kernel sees it.
inline SIMT_OWN_CODE void run_as(lane* self) {
  this_lane = self;
  set(threadIdx, self->thread_idx);
}

/// Suspends `self`, which is running, and resumes `next`, which may be the same.
inline __attribute__((always_inline)) void switch_to(lane* next, lane* self = running()) {
#ifdef SIMT_ADDRESS_SANITIZER
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, next->stack_low, next->stack_bytes);
#endif
  run_as(switch_stacks(self, next));
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

// The distances between the slots of one lane, as the next function takes them to be.
static_assert(offsetof(collective_slots, argument) ==
              offsetof(collective_slots, value) + sizeof collective_slots::value);
static_assert(offsetof(collective_slots, result) ==
              offsetof(collective_slots, argument) + sizeof collective_slots::argument);

/// Stores a lane's operands in its slots. Returns where its result will be.
inline SIMT_OWN_CODE const std::uint64_t* store_operands(lane* self, std::uint64_t value, std::uint64_t argument) {
  std::uint64_t* const own = self->value;
  own[0] = value;
  own[max_warp_size] = argument;
  return own + 2 * max_warp_size;
}

inline SIMT_OWN_CODE std::uint64_t read_slot(const std::uint64_t* slot) { return *slot; }

// Where a lane stops until it may go on. Clang's plugin knows them by their names (src/instrument/stops.cpp): it cuts
// kernels at their calls, or else lets these have the calls inlined.

inline __attribute__((always_inline)) std::uint64_t stop_at_collective(collective_op op, lane_mask named,
                                                                       std::uint64_t value, std::uint64_t argument,
                                                                       const char* operation, const char* file,
                                                                       std::uint64_t line_source_and_type) {
  lane* const self = running();
  const std::uint64_t* const result = store_operands(self, value, argument);
  switch_to(arrive(self, op, named, operation, file, line_source_and_type), self);
  return read_slot(result);
}

inline site site_of(const char* operation, const char* file, std::uint64_t line_and_type) {
  return {operation, file, static_cast<unsigned>(line_and_type),
          static_cast<value_type>(line_and_type >> type_shift & 0xff)};
}

inline __attribute__((always_inline)) std::uint64_t stop_at_active(collective_op op, std::uint64_t value,
                                                                   std::uint64_t argument, const char* operation,
                                                                   const char* file, std::uint64_t line_and_type) {
  lane* const self = running();
  const std::uint64_t* const result = store_operands(self, value, argument);
  switch_to(arrive_active(self, op, site_of(operation, file, line_and_type)), self);
  return read_slot(result);
}

inline __attribute__((always_inline)) std::uint64_t stop_at_barrier(combine mode, std::uint64_t predicate,
                                                                    const char* operation, const char* file,
                                                                    std::uint64_t line_and_type) {
  lane* const self = running();
  const std::uint64_t* const result = store_operands(self, predicate, 0);
  switch_to(arrive_barrier(self, mode, site_of(operation, file, line_and_type)), self);
  return read_slot(result);
}

inline __attribute__((always_inline)) void stop_at_yield(const char* operation, const char* file,
                                                         std::uint64_t line_and_type) {
  lane* const self = running();
  switch_to(arrive_yield(self, site_of(operation, file, line_and_type)), self);
}

/// The running lane has returned from the kernel, and goes on where it begins with its next block.
inline __attribute__((always_inline)) void stop_at_return() {
  lane* const self = running();
  switch_to(returned(self), self);
}

inline std::uint64_t line_and_type_of(const site& at) {
  return at.line | std::uint64_t{static_cast<unsigned char>(at.type)} << type_shift;
}

}  // namespace detail

inline __attribute__((always_inline)) std::uint64_t collect(collective_op op, participants who, std::uint64_t value,
                                                            std::uint64_t argument, const site& at) {
  return detail::stop_at_collective(
      op, who.lanes, value, argument, at.operation, at.file,
      detail::line_and_type_of(at) | std::uint64_t{static_cast<unsigned char>(who.source)} << detail::source_shift);
}

inline __attribute__((always_inline)) std::uint64_t collect_active(collective_op op, std::uint64_t value,
                                                                   std::uint64_t argument, const site& at) {
  return detail::stop_at_active(op, value, argument, at.operation, at.file, detail::line_and_type_of(at));
}

inline __attribute__((always_inline)) int block_barrier(combine mode, bool predicate, const site& at) {
  return static_cast<int>(
      detail::stop_at_barrier(mode, predicate ? 1 : 0, at.operation, at.file, detail::line_and_type_of(at)));
}

inline __attribute__((always_inline)) void yield(const site& at) {
  detail::stop_at_yield(at.operation, at.file, detail::line_and_type_of(at));
}

inline void note_access(const volatile void* address, access_effect effect) {
  detail::note_access(detail::running(), reinterpret_cast<std::uintptr_t>(address), effect);
}

template <class _Kernel>
inline void run_lane(const _Kernel& kernel) {
  for (;;) {
    kernel();
    detail::stop_at_return();
  }
}

}  // namespace simt

SIMT_BOTH_SIDES_END
