// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups::memcpy_async: all threads of a group copy together, and wait() for the copy.
//
// Here each thread has copied its elements when the call returns; the others' are there after wait().
#pragma once

#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include <cooperative_groups.h>

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {
namespace internal {

template <class _Group, class _Tp>
__device__ void copy_elements(const _Group& group, _Tp* target, const _Tp* source, size_t count) {
  for (size_t i = group.thread_rank(); i < count; i += group.size()) target[i] = source[i];
}

}  // namespace internal

/// Copies this many bytes. A shape such as cuda::aligned_size_t converts to them.
template <class _Group, class _Tp, class _Shape>
__device__ void memcpy_async(const _Group& group, _Tp* target, const _Tp* source, const _Shape& bytes) {
  const size_t count = static_cast<size_t>(bytes);
  if (count % sizeof(_Tp) == 0) {
    internal::copy_elements(group, target, source, count / sizeof(_Tp));
  } else {
    internal::copy_elements(group, reinterpret_cast<char*>(target), reinterpret_cast<const char*>(source), count);
  }
}

/// Copies elements, as many as both layouts have.
template <class _Group, class _Tp, class _TargetShape, class _SourceShape>
__device__ void memcpy_async(const _Group& group, _Tp* target, const _TargetShape& target_count, const _Tp* source,
                             const _SourceShape& source_count) {
  const size_t to = static_cast<size_t>(target_count), from = static_cast<size_t>(source_count);
  internal::copy_elements(group, target, source, to < from ? to : from);
}

/// Waits for the copies of all threads of the group.
template <class _Group>
__device__ void wait(const _Group& group, simt::site at = simt::hip::here("wait")) {
  group.sync(at);
}

/// Waits for all copies but the newest ones, which here have been made, too.
template <unsigned _Newest, class _Group>
__device__ void wait_prior(const _Group& group, simt::site at = simt::hip::here("wait_prior")) {
  group.sync(at);
}

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END
