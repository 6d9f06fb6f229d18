// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of one thread from global to shared memory that go on while it does other work. They are kept back until the
// thread waits for them, the latest moment that is promised: what is read before that is not there yet.
#pragma once

#define _CUDA_PIPELINE_PRIMITIVES_H_

#include <cuda_runtime.h>

#include "simt/copies.hpp"
#include "simt/instrumented.hpp"
#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// Completes all copies of the thread but those of the last `max_left` groups that it has committed.
__device__ inline void complete_copies(unsigned max_left, const site& at) {
  yield(at);
  const unchecked_scope own;
  for (pending_copy each; take_copy(copy_queue::loads, max_left, each);) {
    note_copy(each.target, each.source, each.bytes);
    copy_unchecked(each.target, each.source, each.bytes);
  }
}

__device__ inline void require_of_pipeline(bool holds, const char* rule, const site& at) {
  if (!holds) assertion_failed(rule, at.file, at.line, at.operation);
}

}  // namespace hip
}  // namespace simt

/// Copies 4, 8 or 16 bytes; the last `zeros` of them are set to 0 and not read.
__device__ inline void __pipeline_memcpy_async(void* __target, const void* __source, size_t __bytes, size_t __zeros = 0,
                                               simt::site __at = simt::hip::here("__pipeline_memcpy_async")) {
  simt::hip::require_of_pipeline(__bytes == 4 || __bytes == 8 || __bytes == 16, "a copy has 4, 8 or 16 bytes", __at);
  simt::hip::require_of_pipeline(__zeros <= __bytes, "no more bytes are set to 0 than the copy has", __at);
  const unsigned long long places =
      reinterpret_cast<unsigned long long>(__target) | reinterpret_cast<unsigned long long>(__source);
  simt::hip::require_of_pipeline(places % __bytes == 0, "both addresses are multiples of the copy's bytes", __at);
  static const char zeros[16] = {};
  const size_t read = __bytes - __zeros;
  const simt::unchecked_scope own;
  if (read != 0) simt::begin_copy(simt::copy_queue::loads, {__target, __source, read});
  if (__zeros != 0) simt::begin_copy(simt::copy_queue::loads, {static_cast<char*>(__target) + read, zeros, __zeros});
}

/// The copies since the last call are a group.
__device__ inline void __pipeline_commit() {
  const simt::unchecked_scope own;
  simt::commit_copies(simt::copy_queue::loads);
}

/// Waits for the caller's groups but the newest ones.
__device__ inline void __pipeline_wait_prior(size_t __newest,
                                             simt::site __at = simt::hip::here("__pipeline_wait_prior")) {
  simt::hip::complete_copies(static_cast<unsigned>(__newest), __at);
}

SIMT_BOTH_SIDES_END
