// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills of memory, in lines, rows and boxes, as far as HIP's rules for them go. Where a rule is broken
// nothing is copied.
#pragma once

#include <hip/hip_runtime_api.h>

namespace simt {

enum class side { host, device, any };

side target_of(hipMemcpyKind kind);
side source_of(hipMemcpyKind kind);
bool is_direction(hipMemcpyKind kind);

/// Whether a pointer may be used as memory of that side, and the range stays in the allocation it begins in.
bool is_range(const void* pointer, std::size_t bytes, side expected);

struct line_copy {
  void* target;
  const void* source;
  std::size_t bytes;
  hipMemcpyKind kind;
};

/// hipMemset's elements, in `depth` planes that begin `plane_bytes` apart.
struct fill {
  hipMemsetParams plane;
  std::size_t depth = 1;
  std::size_t plane_bytes = 0;
};

// The error that running it would give; success where there is nothing to do.
hipError_t validate(const line_copy& copy);
hipError_t validate(const hipMemcpy3DParms& copy);
hipError_t validate(const fill& filling);

// They check, too.
hipError_t run(const line_copy& copy);
hipError_t run(const hipMemcpy3DParms& copy);
hipError_t run(const fill& filling);

}  // namespace simt
