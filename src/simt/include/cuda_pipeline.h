// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::experimental::pipeline, from before libcu++ had cuda::pipeline: one thread's asynchronous copies.
#pragma once

#define _CUDA_PIPELINE_H_

#include <cuda_pipeline_primitives.h>

SIMT_BOTH_SIDES_BEGIN

namespace nvcuda {
namespace experimental {

class pipeline {
 public:
  pipeline() = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  /// Returns the number of the group.
  __device__ size_t commit() {
    __pipeline_commit();
    return groups_++;
  }
  __device__ void commit_and_wait(simt::site at = simt::hip::here("pipeline::commit_and_wait")) {
    commit();
    simt::hip::complete_copies(0, at);
  }
  /// As in CUDA, it waits for the groups before this one.
  __device__ void wait(size_t group, simt::site at = simt::hip::here("pipeline::wait")) {
    simt::hip::complete_copies(groups_ > group ? static_cast<unsigned>(groups_ - group) : 0, at);
  }
  template <unsigned _Newest>
  __device__ void wait_prior(simt::site at = simt::hip::here("pipeline::wait_prior")) {
    simt::hip::complete_copies(_Newest, at);
  }

 private:
  size_t groups_ = 0;
};

/// An array of so many elements, for memcpy_async.
template <size_t _Count, class _Tp>
__device__ auto segment(_Tp* first) -> _Tp (*)[_Count] {
  return reinterpret_cast<_Tp(*)[_Count]>(first);
}

template <class _Tp>
__device__ void memcpy_async(_Tp& target, const _Tp& source, pipeline&) {
  const simt::unchecked_scope own;
  simt::begin_copy(simt::copy_queue::loads, {&target, &source, sizeof(_Tp)});
}

/// Where the source is shorter, the rest of the target is set to 0.
template <class _Tp, size_t _To, size_t _From>
__device__ void memcpy_async(_Tp (*target)[_To], const _Tp (*source)[_From], pipeline&,
                             simt::site at = simt::hip::here("memcpy_async")) {
  static_assert(_From <= _To, "the target holds the source");
  __pipeline_memcpy_async(target, source, sizeof *target, sizeof *target - sizeof *source, at);
}

}  // namespace experimental
}  // namespace nvcuda

SIMT_BOTH_SIDES_END
