// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaving one lane and going on with another: the part of lane.hpp that has to be inlined.
//
// A lane asks the machine who runs next (arrive_*, a call that returns normally) and then changes stacks right
// here, in the kernel's own code. On x86-64 that is a handful of instructions without call and return: a call
// that returns on another stack puts the processor's return predictor out of step, which doubles the cost of a
// lane (docs/machine.md has the figures). Elsewhere Boost.Context's jump does it.
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
#ifdef SIMT_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace simt {
namespace detail {

// Each is told the running lane, and returns the lane to switch to, which may be the same. For a collective the caller
// has brought what it has (bring).
// All of what `arrive` is told is in registers, the line in the lower half of a word and participants::how in the
// upper.
SIMT_API lane* arrive(lane* self, resolver resolve, lane_mask named, const char* operation, const char* file,
                      std::uint64_t line_and_how);
SIMT_API lane* arrive_active(lane* self, resolver resolve, const site& at);
SIMT_API lane* arrive_barrier(lane* self, combine how, const site& at);
SIMT_API lane* arrive_yield(lane* self, const site& at);
SIMT_API lane* arrive_access(lane* self);
/// The lane has returned from the kernel.
SIMT_API lane* returned(lane* self);

#if SIMT_INLINE_SWITCH

/// Saves where `from`, the caller, is and goes on at `to`, which may be the same. Returns the lane that runs when
/// somebody comes back to it: the caller, in the register in which whoever came back had it. So no lane has to look up
/// who it is.
inline __attribute__((always_inline)) lane* change_over(lane* from, lane* to) {
  static_assert(offsetof(lane, suspended) == 0);
  // Nothing is written to the stack: that would be one cache line more for each lane, and the compiler may keep values
  // below the stack pointer. Every other register is given up, so the compiler keeps only what it needs; rbx and rbp
  // are saved because not every compiler lets them be given up.
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

/// What a stack is told that is gone on with.
struct change {
  lane* from;
  lane* to;
};

/// Keeps the position of the stack that was left. Returns the lane that goes on.
inline lane* came_from(const boost::context::detail::transfer_t& left) {
  const change& told = *static_cast<change*>(left.data);
  lane* const self = told.to;
  told.from->suspended.stack = left.fctx;
  return self;
}

inline lane* change_over(lane* from, lane* to) {
  if (from == to) return to;
  // The stack that is left saves its position where the one that goes on was told to put it.
  change told{from, to};
  const boost::context::detail::transfer_t back = boost::context::detail::jump_fcontext(to->suspended.stack, &told);
  return came_from(back);
}

#endif

inline SIMT_OWN_CODE lane* running() { return this_lane; }

/// What the kernel sees is the running lane's.
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
  run_as(change_over(self, next));
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

// The places of one lane in an exchange are as far apart as the next two functions take them to be.
static_assert(offsetof(exchange, argument) == offsetof(exchange, value) + sizeof exchange::value);
static_assert(offsetof(exchange, result) == offsetof(exchange, argument) + sizeof exchange::argument);

/// Puts what a lane has for a collective into the warp's exchange. Returns where its result will be.
inline SIMT_OWN_CODE const std::uint64_t* bring(lane* self, std::uint64_t value, std::uint64_t argument) {
  std::uint64_t* const own = self->value;
  own[0] = value;
  own[max_warp_size] = argument;
  return own + 2 * max_warp_size;
}

inline SIMT_OWN_CODE std::uint64_t value_at(const std::uint64_t* place) { return *place; }

}  // namespace detail

inline __attribute__((always_inline)) std::uint64_t collect(resolver resolve, participants who, std::uint64_t value,
                                                            std::uint64_t argument, const site& at) {
  lane* const self = detail::running();
  const std::uint64_t* const result = detail::bring(self, value, argument);
  const std::uint64_t line_and_how = std::uint64_t{static_cast<unsigned char>(who.how)} << 32 | at.line;
  detail::switch_to(detail::arrive(self, resolve, who.lanes, at.operation, at.file, line_and_how), self);
  return detail::value_at(result);
}

inline __attribute__((always_inline)) std::uint64_t collect_active(resolver resolve, std::uint64_t value,
                                                                   std::uint64_t argument, const site& at) {
  lane* const self = detail::running();
  const std::uint64_t* const result = detail::bring(self, value, argument);
  detail::switch_to(detail::arrive_active(self, resolve, at), self);
  return detail::value_at(result);
}

inline __attribute__((always_inline)) int block_barrier(combine how, bool predicate, const site& at) {
  lane* const self = detail::running();
  const std::uint64_t* const result = detail::bring(self, predicate ? 1 : 0, 0);
  detail::switch_to(detail::arrive_barrier(self, how, at), self);
  return static_cast<int>(detail::value_at(result));
}

inline __attribute__((always_inline)) void yield(const site& at) {
  lane* const self = detail::running();
  detail::switch_to(detail::arrive_yield(self, at), self);
}

template <class Kernel>
inline void run_lane(const Kernel& kernel) {
  for (;;) {
    kernel();
    lane* const self = detail::running();
    detail::switch_to(detail::returned(self), self);
  }
}

}  // namespace simt
