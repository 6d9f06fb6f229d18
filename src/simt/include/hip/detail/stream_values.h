// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values in memory that streams write and wait for.
#pragma once

#include "hip/detail/api_types.h"
#include "simt/lane.hpp"

// What hipStreamWaitValue32 waits for, of the value in memory: with the mask at least, or equal to, what was asked for;
// a bit that both have; a bit of the mask that neither has.
#define hipStreamWaitValueGte 0x0
#define hipStreamWaitValueEq 0x1
#define hipStreamWaitValueAnd 0x2
#define hipStreamWaitValueNor 0x3

enum hipStreamBatchMemOpType : unsigned {
  hipStreamMemOpWaitValue32 = 1,
  hipStreamMemOpWriteValue32 = 2,
  hipStreamMemOpFlushRemoteWrites = 3,
  hipStreamMemOpWaitValue64 = 4,
  hipStreamMemOpWriteValue64 = 5,
  hipStreamMemOpBarrier = 6
};

namespace simt {

/// One operation of a batch; HIP's addresses are pointers, those of CUDA's driver are numbers.
template <class _Address>
union stream_operation {
  struct value_params {
    hipStreamBatchMemOpType operation;
    _Address address;
    union {
      uint32_t value;
      uint64_t value64;
    };
    unsigned flags;
    _Address alias;
  };
  struct barrier_params {
    hipStreamBatchMemOpType operation;
    unsigned flags;
  };
  hipStreamBatchMemOpType operation;
  value_params waitValue;
  value_params writeValue;
  barrier_params flushRemoteWrites;
  barrier_params memoryBarrier;
  uint64_t pad[6];
};

}  // namespace simt

using hipStreamBatchMemOpParams = simt::stream_operation<hipDeviceptr_t>;

inline namespace hip_on_cpu {

/// The memory has to be known to HIP: allocated by it, registered, or a device variable.
SIMT_API hipError_t hipStreamWriteValue32(hipStream_t stream, void* memory, uint32_t value, unsigned flags);
SIMT_API hipError_t hipStreamWriteValue64(hipStream_t stream, void* memory, uint64_t value, unsigned flags);

/// What the stream is given later begins when the memory holds such a value, and comes behind the work that has written
/// it. Where nobody writes one within --timeout of a wait by the host, the program is ended.
SIMT_API hipError_t hipStreamWaitValue32(hipStream_t stream, void* memory, uint32_t value, unsigned condition,
                                         uint32_t mask = 0xFFFFFFFF);
SIMT_API hipError_t hipStreamWaitValue64(hipStream_t stream, void* memory, uint64_t value, unsigned condition,
                                         uint64_t mask = 0xFFFFFFFFFFFFFFFF);

/// All of them in their order; none if one of them is wrong.
SIMT_API hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned count, hipStreamBatchMemOpParams* operations,
                                        unsigned flags);

}  // namespace hip_on_cpu
