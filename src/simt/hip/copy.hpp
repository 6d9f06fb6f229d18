// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all copies have in common: their directions, whether memory can take part, and what the checks are told.
#pragma once

#include <cstddef>

#include <hip/hip_runtime_api.h>

#include "simt/machine/work_order.hpp"

namespace simt {

/// Whose memory an end of a copy has to be.
enum class side { host, device, any };

bool is_direction(hipMemcpyKind kind);
side target_of(hipMemcpyKind kind);
side source_of(hipMemcpyKind kind);

/// One end of a copy, or what is filled.
struct range {
  const char* request;  ///< what is asked for: "a copy of", "a memset of"
  const char* end;      ///< "from", "to", "in"
  const void* pointer;
  std::size_t bytes;
  side expected;
};

/// Whether a pointer may be used as memory of that side, and the range stays in the allocation it begins in.
hipError_t check_range(const range& asked);

/// Whether so many bytes from there on, or whatever is counted, are within all of them.
inline bool is_within(std::size_t size, std::size_t offset, std::size_t count) {
  return offset <= size && count <= size - offset;
}

/// Copies these bytes, which may overlap, and tells the memory observer.
void copy_bytes(void* target, const void* source, std::size_t bytes);

/// The work that runs now copies these bytes.
void note_copy(const row_range& target, const row_range& source);

hipError_t refuse_direction();

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

// The error that running it would give.
hipError_t validate(const line_copy& copy);
hipError_t validate(const symbol_copy& copy);
hipError_t validate(const hipMemcpy3DParms& copy);
hipError_t validate(const fill& filling);

// They validate, too.
hipError_t run(const line_copy& copy);
hipError_t run(const symbol_copy& copy);
hipError_t run(const hipMemcpy3DParms& copy);
hipError_t run(const fill& filling);

}  // namespace simt
