// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/faults.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "simt/machine/trial.hpp"

namespace simt {

__thread stop_answer* thread_stop_answer = nullptr;

namespace {

constexpr int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr std::size_t signal_stack_bytes = 64 * 1024;

int stop_signal() { return SIGRTMAX - 2; }
int sample_signal() { return SIGRTMAX - 3; }

std::uint64_t program_counter(void* context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

std::uintptr_t stack_pointer(void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<ucontext_t*>(context)->uc_mcontext.sp;
#else
  return 0;
#endif
}

/// The lane that this thread executes; null between blocks and outside launches.
const fiber* executing_lane() {
  if (this_lane == nullptr || this_lane->block_idx == nullptr) return nullptr;
  return static_cast<const fiber*>(this_lane);
}

void on_fatal_signal(int number, siginfo_t* info, void* context) {
  const fiber* self = executing_lane();
  // A fault while the finding is composed must not come back here.
  static __thread bool is_reporting = false;
  if (self == nullptr || is_reporting) {
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  leave_trial();
  // While lanes run again: above what the stack has of that.
  static __thread std::uintptr_t repeating_below = 0;
  if (repeating_below == 0) {
    repeating_below = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    self->warp->block->repeat_one_by_one(const_cast<fiber&>(*self));
    repeating_below = 0;
  }
  self->warp->block->settle(*self);
  is_reporting = true;
  // Another thread that has failed ends the process with what it says.
  static std::atomic_flag is_reported = ATOMIC_FLAG_INIT;
  while (is_reported.test_and_set()) pause();
  execution at;
  at.self = self;
  // After a stack overflow, walking the frames could fault again; the place of the fault is enough.
  const void* const address = number == SIGSEGV || number == SIGBUS ? info->si_addr : nullptr;
  if (!self->warp->block->stacks().is_guard(address)) capture_stack(at, program_counter(context), repeating_below);
  if (at.frame_count == 0) at.frames[at.frame_count++] = program_counter(context);
  report_crash(*self->warp->block, at, number, address, number == SIGSEGV && info->si_code == SEGV_ACCERR);
}

void on_stop_signal(int, siginfo_t*, void* context) {
  if (thread_stop_answer == nullptr) return;
  thread_stop_answer->at.self = executing_lane();
  if (thread_stop_answer->at.self != nullptr) capture_stack(thread_stop_answer->at, program_counter(context));
  thread_stop_answer->given = true;
  for (;;) pause();
}

/// The instruction and the words on top of the stack, one of which is where the kernel's call of a check returns to. A
/// stack that is being switched could not be walked, and the kernel goes on. No further than the page, which is there.
[[gnu::no_sanitize_address]] void on_sample_signal(int, siginfo_t*, void* context) {
  constexpr std::uintptr_t page = 4096;
  std::uint64_t* const sampled = current_sink().sampled;
  if (sampled == nullptr || executing_lane() == nullptr) return;
  auto add = [sampled, i = 0](std::uint64_t word) mutable {
    if (i < WARPZ_SAMPLES) __atomic_store_n(&sampled[i++], word, __ATOMIC_RELAXED);
  };
  add(program_counter(context));
#if defined(__aarch64__)
  add(static_cast<ucontext_t*>(context)->uc_mcontext.regs[30]);
#endif
  std::uintptr_t at =
      (stack_pointer(context) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) * sizeof(std::uint64_t);
  for (; at % page != 0; at += sizeof(std::uint64_t)) add(*reinterpret_cast<const volatile std::uint64_t*>(at));
}

}  // namespace

void install_fault_handlers() {
  static const bool once = [] {
    struct sigaction action {};
    action.sa_sigaction = on_fatal_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : fatal_signals) sigaction(number, &action, nullptr);
    action.sa_sigaction = on_stop_signal;
    sigaction(stop_signal(), &action, nullptr);
    // Of a thread that does not run for a while, on a busy machine, many are pending. One inside the other they would
    // need more than the stack.
    action.sa_sigaction = on_sample_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(sample_signal(), &action, nullptr);
    return true;
  }();
  static_cast<void>(once);
}

signal_stack::signal_stack() {
  void* const memory = mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory_ = memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
  if (memory_ == nullptr) return;
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = signal_stack_bytes;
  sigaltstack(&stack, nullptr);
}

signal_stack::~signal_stack() {
  if (memory_ == nullptr) return;
  stack_t off{};
  off.ss_flags = SS_DISABLE;
  sigaltstack(&off, nullptr);
  munmap(memory_, signal_stack_bytes);
}

void sample_thread(pthread_t thread) { pthread_kill(thread, sample_signal()); }

bool stop_thread(pthread_t thread, stop_answer& answer) {
  if (pthread_kill(thread, stop_signal()) != 0) return false;
  // On a busy computer it may not run for a while.
  for (int i = 0; i < 2000 && !answer.given; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return answer.given;
}

}  // namespace simt
