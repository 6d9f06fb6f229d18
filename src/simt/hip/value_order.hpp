// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values in memory that streams write and wait for (hipStreamWriteValue32, hipStreamWaitValue32), as work.
//
// Work behind a wait is kept until somebody has written the value: a stream, a kernel or the host (late_work.hpp).
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <memory>

#include "simt/machine/findings.hpp"

namespace simt {

struct value_write {
  void* memory;
  std::uint64_t value;
  unsigned bytes;  ///< 4 or 8
};

struct value_wait {
  const void* memory;
  std::uint64_t value;
  std::uint64_t mask;
  unsigned condition;
  unsigned bytes;
  std::shared_ptr<const execution> call;  ///< the program's, which gives the wait
};

bool is_met(const value_wait& wait);

hipError_t validate(const value_write& write);
hipError_t validate(const value_wait& wait);

hipError_t run(const value_write& write);
/// It is met: what comes behind it comes behind what has written the value, too.
hipError_t run(const value_wait& wait);

}  // namespace simt
