// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::memcpy_async of libcu++. Here a copy has been made when the call returns; those of other threads are there when
// the barrier or the pipeline says so.
#pragma once

#include <cooperative_groups/memcpy_async.h>

SIMT_BOTH_SIDES_BEGIN

namespace cuda {

/// A number of bytes of which the caller promises an alignment.
template <size_t _Alignment>
struct aligned_size_t {
  static constexpr size_t align = _Alignment;
  size_t value;
  constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
  constexpr operator size_t() const { return value; }
};

template <class _Group, class _Tp, class _Shape, class _Synchronization>
void memcpy_async(const _Group& group, _Tp* target, const _Tp* source, const _Shape& bytes, _Synchronization&) {
  cooperative_groups::memcpy_async(group, target, source, bytes);
}

/// By the calling thread alone.
template <class _Tp, class _Shape, class _Synchronization>
void memcpy_async(_Tp* target, const _Tp* source, const _Shape& bytes, _Synchronization&) {
  cooperative_groups::memcpy_async(cooperative_groups::this_thread(), target, source, bytes);
}

}  // namespace cuda

SIMT_BOTH_SIDES_END
