// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals: crashes of lanes, and asking or stopping a worker to learn where it is.
#pragma once

#include <pthread.h>

#include <atomic>

#include "simt/machine/findings.hpp"

namespace simt {

/// Turns fatal signals inside kernels into findings; outside kernels they keep their usual effect. Only the first call
/// in a process does anything.
void install_fault_handlers();

/// The calling thread's stack for signal handlers: the lane's stack may be exhausted.
class signal_stack {
 public:
  signal_stack();
  ~signal_stack();
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  char* memory_;
};

/// Where a stopped worker was.
struct stop_answer {
  execution at;
  std::atomic<bool> given{false};
};

/// Stops a worker's thread for good and learns what it executes. False if it does not answer in time.
bool stop_thread(pthread_t thread, stop_answer& answer);

/// Has the worker's thread write what it executes to the sink, if it executes a lane. Does not wait.
void sample_thread(pthread_t thread);

/// The calling thread's answer, which stop_thread() waits for.
extern __thread stop_answer* thread_stop_answer;

}  // namespace simt
