// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/value_order.hpp"

#include <vector>

#include "simt/hip/allocations.hpp"
#include "simt/hip/capture.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/work.hpp"
#include "simt/machine/observer.hpp"

namespace simt {
namespace {

std::uint64_t value_at(const void* memory, unsigned bytes) {
  if (bytes == 4) return __atomic_load_n(static_cast<const std::uint32_t*>(memory), __ATOMIC_ACQUIRE);
  return __atomic_load_n(static_cast<const std::uint64_t*>(memory), __ATOMIC_ACQUIRE);
}

/// A word of memory that the device knows.
hipError_t check_word(const void* memory, unsigned bytes) {
  const auto found = allocations::instance().find(memory);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
  return found && is_aligned && found->bytes_from(memory) >= bytes ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace

bool is_met(const value_wait& wait) {
  const std::uint64_t value = value_at(wait.memory, wait.bytes);
  switch (wait.condition) {
    case hipStreamWaitValueGte:
      return (value & wait.mask) >= wait.value;
    case hipStreamWaitValueEq:
      return (value & wait.mask) == wait.value;
    case hipStreamWaitValueAnd:
      return (value & wait.mask & wait.value) != 0;
    default:
      return (~(value | wait.value) & wait.mask) != 0;
  }
}

hipError_t validate(const value_write& write) {
  if (const hipError_t code = check_word(write.memory, write.bytes)) return code;
  return allocations::instance().find(write.memory)->is_read_only ? hipErrorInvalidValue : hipSuccess;
}

hipError_t validate(const value_wait& wait) {
  return wait.condition <= hipStreamWaitValueNor ? check_word(wait.memory, wait.bytes) : hipErrorInvalidValue;
}

hipError_t run(const value_write& write) {
  if (const hipError_t code = validate(write)) return code;
  if (memory_observer* const observer = host_memory_observer()) observer->write_from_host(write.memory, write.bytes);
  note_value_written(write.memory);
  if (write.bytes == 4) {
    __atomic_store_n(static_cast<std::uint32_t*>(write.memory), static_cast<std::uint32_t>(write.value),
                     __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(static_cast<std::uint64_t*>(write.memory), write.value, __ATOMIC_RELEASE);
  }
  return hipSuccess;
}

hipError_t run(const value_wait& wait) {
  note_value_seen(wait.memory, wait.bytes);
  return hipSuccess;
}

}  // namespace simt

inline namespace hip_on_cpu {

namespace {

template <class Task>
hipError_t give(hipStream_t stream, const Task& task) {
  if (const hipError_t code = simt::validate(task)) return simt::finish(code);
  if (const hipError_t code = simt::refuse_if_captured(stream)) return simt::finish(code);
  return simt::finish(simt::submit(stream, task));
}

simt::value_wait wait_of_caller(const void* memory, std::uint64_t value, std::uint64_t mask, unsigned condition,
                                unsigned bytes) {
  simt::value_wait wait{memory, value, mask, condition, bytes, nullptr};
  const auto call = std::make_shared<simt::execution>();
  simt::capture_stack(*call, 0);
  wait.call = call;
  return wait;
}

}  // namespace

hipError_t hipStreamWriteValue32(hipStream_t stream, void* memory, uint32_t value, unsigned) {
  return give(stream, simt::value_write{memory, value, 4});
}

hipError_t hipStreamWriteValue64(hipStream_t stream, void* memory, uint64_t value, unsigned) {
  return give(stream, simt::value_write{memory, value, 8});
}

hipError_t hipStreamWaitValue32(hipStream_t stream, void* memory, uint32_t value, unsigned condition, uint32_t mask) {
  return give(stream, wait_of_caller(memory, value, mask, condition, 4));
}

hipError_t hipStreamWaitValue64(hipStream_t stream, void* memory, uint64_t value, unsigned condition, uint64_t mask) {
  return give(stream, wait_of_caller(memory, value, mask, condition, 8));
}

hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned count, hipStreamBatchMemOpParams* operations,
                               unsigned flags) {
  if (operations == nullptr || count == 0 || flags != 0) return simt::finish(hipErrorInvalidValue);
  std::vector<simt::stream_task> tasks;
  for (const hipStreamBatchMemOpParams* each = operations; each != operations + count; ++each) {
    const auto& one = each->waitValue;
    switch (each->operation) {
      case hipStreamMemOpWaitValue32:
        tasks.emplace_back(wait_of_caller(one.address, one.value, 0xFFFFFFFF, one.flags, 4));
        break;
      case hipStreamMemOpWaitValue64:
        tasks.emplace_back(wait_of_caller(one.address, one.value64, 0xFFFFFFFFFFFFFFFF, one.flags, 8));
        break;
      case hipStreamMemOpWriteValue32:
        tasks.emplace_back(simt::value_write{one.address, one.value, 4});
        break;
      case hipStreamMemOpWriteValue64:
        tasks.emplace_back(simt::value_write{one.address, one.value64, 8});
        break;
      case hipStreamMemOpBarrier:
      case hipStreamMemOpFlushRemoteWrites:
        // One operation of a stream comes behind the other anyway.
        continue;
      default:
        return simt::finish(hipErrorInvalidValue);
    }
    if (const hipError_t code = simt::validate(tasks.back())) return simt::finish(code);
  }
  if (const hipError_t code = simt::refuse_if_captured(stream)) return simt::finish(code);
  for (const simt::stream_task& each : tasks) {
    if (const hipError_t code = simt::submit(stream, each)) return simt::finish(code);
  }
  return simt::finish(hipSuccess);
}

}  // namespace hip_on_cpu
