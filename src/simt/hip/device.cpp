// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels call by names of the C library and means something else in a lane: a failed assert; and the clock, where
// kernels are plain C++ (else hip/detail/clock.h has it).
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "simt/lane.hpp"

namespace simt {
namespace hip {

SIMT_API long long nanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace hip
}  // namespace simt

extern "C" {

// Both stand in for the C library's functions in the whole program, so outside kernels they do what those do.

SIMT_API __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file, unsigned line,
                                                      const char* function) noexcept {
  if (simt::this_lane != nullptr) simt::assertion_failed(expression, file, line, function);
  fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file, line,
          function != nullptr ? function : "?", expression);
  fflush(stderr);
  abort();
}

SIMT_API clock_t clock() noexcept {
  if (simt::this_lane != nullptr) {
    simt::yield(simt::site{"clock", "", 0});
    return static_cast<clock_t>(simt::hip::nanoseconds());
  }
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return static_cast<clock_t>(-1);
  return static_cast<clock_t>(used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC));
}

}  // extern "C"
