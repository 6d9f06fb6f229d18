// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: what a launch may ask for, and which device's warp size it gets. Also what is known of a kernel
// before it runs, which is next to nothing.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "simt/hip/capture.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/grid.hpp"
#include "simt/hip/images.hpp"
#include "simt/hip/late_work.hpp"
#include "simt/hip/launch.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/streams.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/observer.hpp"
#include "simt/machine/stacks.hpp"

namespace simt {
namespace {

const char* given_name = nullptr;

/// The most that the program has allowed any of its kernels: a launch does not know which one it is of.
std::atomic<std::size_t> allowed_shared_bytes{0};

}  // namespace

hipError_t check_shape(const launch_shape& shape) {
  const dim3 grid = shape.grid;
  const dim3 block = shape.block;
  const auto refuse_shape = [](auto... words) { return refuse(hipErrorInvalidConfiguration, nullptr, words...); };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return refuse_shape("a launch of no blocks (%u x %u x %u)", grid.x, grid.y, grid.z);
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return refuse_shape("a launch of blocks of no threads (%u x %u x %u)", block.x, block.y, block.z);
  }
  const auto too_many = [&](const char* axis, unsigned blocks, unsigned most) {
    return refuse_shape("a launch of %u blocks in %s, where a grid has at most %u,", blocks, axis, most);
  };
  if (grid.x > max_grid_x) return too_many("x", grid.x, max_grid_x);
  if (grid.y > max_grid_yz) return too_many("y", grid.y, max_grid_yz);
  if (grid.z > max_grid_yz) return too_many("z", grid.z, max_grid_yz);
  const double threads = static_cast<double>(block.x) * block.y * block.z;
  if (threads > max_threads_per_block) {
    return refuse_block(hipErrorInvalidConfiguration,
                        "a launch asks for blocks of %.0f threads, and a block has at most %u", threads,
                        static_cast<unsigned>(max_threads_per_block));
  }
  if (shape.shared_bytes > max_shared_bytes) {
    return refuse_block(hipErrorInvalidValue,
                        "a launch asks for %zu bytes of shared memory, and a block has at most %zu", shape.shared_bytes,
                        max_shared_bytes);
  }
  if (shape.cooperative) {
    const double blocks = static_cast<double>(grid.x) * grid.y * grid.z;
    // Workers keep the stacks of earlier launches, so not all of the room can be counted on.
    if (blocks > max_blocks_alive || blocks * threads > max_lanes_alive / 2) return hipErrorCooperativeLaunchTooLarge;
  }
  return hipSuccess;
}

namespace {

/// Tells that NVIDIA's devices, which have 32 lanes in a warp, would refuse a launch that AMD's accept.
void note_not_allowed(const launch_shape& shape, int device) {
  memory_observer* const observer = host_memory_observer();
  if (observer == nullptr || shape.shared_bytes <= std::max(unasked_shared_bytes, allowed_shared_bytes.load())) return;
  if (warp_size_of(device) != 32 || current_settings().rules == WARPZ_RULES_AMD) return;
  char rule[256];
  std::snprintf(rule, sizeof rule,
                "a launch asks for %zu bytes of dynamic shared memory; NVIDIA's devices give more than %zu only after "
                "hipFuncSetAttribute with hipFuncAttributeMaxDynamicSharedMemorySize",
                shape.shared_bytes, unasked_shared_bytes);
  observer->fault_launch(shape.name, rule);
}

/// The warp size is the machine's; two threads with different devices take turns.
bool run(launch_request request, int device) {
  static std::mutex* const one_launch = new std::mutex;
  static std::uint32_t launches = 0;
  const std::lock_guard<std::mutex> lock(*one_launch);
  wait_for_launch();
  const bool is_of_program = current_settings().perturbation.continue_block_numbers != 0;
  if (is_of_program) request.number = ++launches;
  set_warp_size(warp_size_of(device));
  if (request.cooperative) hip::begin_grid_barriers();
  if (!is_of_program) request.arguments_owner = nullptr;
  const bool has_run = launch(request);
  if (is_launch_under_way()) note_under_way();
  return has_run;
}

void allow_shared_bytes(std::size_t bytes) {
  std::size_t before = allowed_shared_bytes;
  while (before < bytes && !allowed_shared_bytes.compare_exchange_weak(before, bytes)) {
  }
}

hipError_t blocks_at_once(int* blocks, int block_size, std::size_t shared_bytes, unsigned flags) {
  if (blocks == nullptr || block_size <= 0 || (flags & ~unsigned{hipOccupancyDisableCachingOverride}) != 0) {
    return hipErrorInvalidValue;
  }
  const auto threads = static_cast<unsigned>(block_size);
  const bool fits = threads <= max_threads_per_block && shared_bytes <= max_shared_bytes;
  std::size_t most = fits ? std::min(max_threads_per_multiprocessor / threads, max_blocks_per_multiprocessor) : 0;
  if (shared_bytes != 0) most = std::min(most, max_shared_bytes / shared_bytes);
  *blocks = static_cast<int>(most);
  return hipSuccess;
}

}  // namespace

void name_launches(const char* name) { given_name = name; }

hipError_t launch_lanes(const launch_shape& shape, void (*entry)(const void*), const void* call,
                        const warpz_lane_loops* loops) {
  // A launch within a kernel would wait for itself.
  if (this_lane != nullptr) return finish(hipErrorNotSupported);
  const hipError_t code = is_stream(shape.stream)
                              ? check_shape(shape)
                              : refuse(hipErrorInvalidHandle, nullptr, "a launch on a stream that does not exist");
  if (code != hipSuccess) {
    note_refused_kernel(shape.name);
    return finish(code);
  }
  const int device = device_of(shape.stream);
  note_not_allowed(shape, device);
  launch_request request{};
  request.name = given_name != nullptr ? given_name : shape.name;
  request.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
  request.block = {shape.block.x, shape.block.y, shape.block.z};
  request.dynamic_shared_bytes = shape.shared_bytes;
  request.allowed_shared_bytes = allowed_shared_bytes;
  request.entry = entry;
  request.arguments = call;
  request.loops = loops;
  request.code = shape.code;
  request.cooperative = shape.cooperative;
  request.arguments_owner = shape.arguments_owner;
  const stream_work order(shape.stream);
  request.work = is_order_checked() ? current_work : nullptr;
  return finish(run(request, device) ? hipSuccess : hipErrorLaunchOutOfResources);
}

namespace {

struct kept_launch {
  explicit kept_launch(kernel_launch given) : launch(std::move(given)), addresses(launch.arguments()) {}

  const kernel_launch launch;
  std::vector<void*> addresses;
};

/// A kernel that was refused would have written what its arguments point to.
void note_unwritten(const warpz_kernel_code& code, void** arguments) {
  for (std::uint32_t i = 0; i < code.argument_count; ++i) {
    if (code.arguments[i].bytes != sizeof(void*)) continue;
    void* pointer = nullptr;
    std::memcpy(&pointer, arguments[i], sizeof pointer);
    note_refused_write(pointer, SIZE_MAX);
  }
}

}  // namespace

hipError_t launch_kernel(const void* kernel, launch_shape shape, void** arguments) {
  const warpz_kernel_code* const code = kernel_at(kernel);
  if (code == nullptr) {
    return finish(refuse(hipErrorInvalidDeviceFunction, nullptr, "a launch of what is no kernel of this program"));
  }
  if (code->argument_count != 0 && arguments == nullptr) return finish(hipErrorInvalidValue);
  shape.name = code->name;
  shape.code = code;
  if (const hipError_t refused = refuse_null_stream(shape.stream)) return finish(refused);
  if (is_captured(shape.stream)) {
    const hipError_t unfit = check_shape(shape);
    return finish(unfit != hipSuccess ? unfit : submit(shape.stream, kernel_launch(kernel, shape, arguments)));
  }
  if ((is_launch_under_way() || has_late_work()) && is_stream(shape.stream) && check_shape(shape) == hipSuccess) {
    if (const auto kept = keep_for_later(kernel_launch(kernel, shape, arguments), shape.stream)) return finish(*kept);
  }
  if (current_settings().perturbation.continue_block_numbers != 0) {
    // The kernel may outlast this call, and its arguments with it.
    const auto kept = std::make_shared<kept_launch>(kernel_launch(kernel, shape, arguments));
    shape.arguments_owner = kept;
    arguments = kept->addresses.data();
  }
  const hipError_t result = launch_lanes(shape, code->entry, arguments, code->loops);
  if (result != hipSuccess) note_unwritten(*code, arguments);
  return result;
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::finish_without_finding;

hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                           hipStream_t stream) {
  return simt::launch_kernel(kernel, {nullptr, grid, block, shared_bytes, stream, false}, arguments);
}
hipError_t hipLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                      unsigned shared_bytes, hipStream_t stream) {
  return simt::launch_kernel(kernel, {nullptr, grid, block, shared_bytes, stream, true}, arguments);
}

hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* kernel, void** arguments) {
  if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) return finish(hipErrorInvalidValue);
  simt::launch_shape shape{nullptr, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, false};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id != hipLaunchAttributeCooperative) return finish(hipErrorNotSupported);
    shape.cooperative = config->attrs[i].val.cooperative != 0;
  }
  return simt::launch_kernel(kernel, shape, arguments);
}

hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launches, int count, unsigned flags) {
  constexpr unsigned known = hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;
  if (launches == nullptr || count <= 0 || count > simt::device_count() || (flags & ~known) != 0) {
    return finish(hipErrorInvalidValue);
  }
  // Kernels of several devices would have to wait for each other, and the machine runs one launch at a time.
  if (count > 1) return finish(hipErrorNotSupported);
  return hipLaunchCooperativeKernel(launches->func, launches->gridDim, launches->blockDim, launches->args,
                                    static_cast<unsigned>(launches->sharedMem), launches->stream);
}

hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launches, int count, unsigned flags) {
  if (launches == nullptr || count <= 0 || count > simt::device_count() || flags > 3) {
    return finish(hipErrorInvalidValue);
  }
  for (const hipLaunchParams* each = launches; each != launches + count; ++each) {
    const hipError_t code =
        hipLaunchKernel(each->func, each->gridDim, each->blockDim, each->args, each->sharedMem, each->stream);
    if (code != hipSuccess) return code;
  }
  return hipSuccess;
}

hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* function) {
  if (attributes == nullptr) return finish(hipErrorInvalidValue);
  if (function == nullptr) return finish(hipErrorInvalidDeviceFunction);
  *attributes = hipFuncAttributes{};
  attributes->maxThreadsPerBlock = static_cast<int>(simt::max_threads_per_block);
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(simt::max_shared_bytes);
  // By the version that a kernel is compiled for, libraries choose how many threads it is to get.
  hipDeviceProp_t device{};
  if (const hipError_t failed = hipGetDeviceProperties(&device, simt::current_device())) return failed;
  attributes->binaryVersion = attributes->ptxVersion = 10 * device.major + device.minor;
  return hipSuccess;
}

hipError_t hipFuncSetAttribute(const void* function, hipFuncAttribute attribute, int value) {
  if (function == nullptr) return finish(hipErrorInvalidDeviceFunction);
  switch (attribute) {
    case hipFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || value > static_cast<int>(simt::max_shared_bytes)) return finish(hipErrorInvalidValue);
      simt::allow_shared_bytes(static_cast<std::size_t>(value));
      return finish(hipSuccess);
    case hipFuncAttributePreferredSharedMemoryCarveout:
      return finish(value >= -1 && value <= 100 ? hipSuccess : hipErrorInvalidValue);
    default:
      return finish(hipErrorInvalidValue);
  }
}

hipError_t hipFuncSetCacheConfig(const void* function, hipFuncCache_t config) {
  if (function == nullptr) return finish(hipErrorInvalidDeviceFunction);
  const int number = config;
  const bool known = number >= hipFuncCachePreferNone && number <= hipFuncCachePreferEqual;
  return finish_without_finding(known ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipFuncSetSharedMemConfig(const void* function, hipSharedMemConfig config) {
  if (function == nullptr) return finish(hipErrorInvalidDeviceFunction);
  const int number = config;
  const bool known = number >= hipSharedMemBankSizeDefault && number <= hipSharedMemBankSizeEightByte;
  return finish_without_finding(known ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_size,
                                                                 size_t shared_bytes, unsigned flags) {
  if (function == nullptr) return finish(hipErrorInvalidDeviceFunction);
  return finish(simt::blocks_at_once(blocks, block_size, shared_bytes, flags));
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                        size_t shared_bytes) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes,
                                                               hipOccupancyDefault);
}

hipError_t hipOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, const void* function, size_t shared_bytes,
                                             int block_size_limit) {
  if (grid_size == nullptr || block_size == nullptr || block_size_limit < 0) return finish(hipErrorInvalidValue);
  if (function == nullptr) return finish(hipErrorInvalidDeviceFunction);
  if (shared_bytes > simt::max_shared_bytes) return finish(hipErrorInvalidValue);
  constexpr int most = simt::max_threads_per_block;
  *block_size = block_size_limit == 0 ? most : std::min(block_size_limit, most);
  int blocks = 0;
  if (const hipError_t code = simt::blocks_at_once(&blocks, *block_size, shared_bytes, hipOccupancyDefault)) {
    return finish(code);
  }
  const hipError_t code =
      hipDeviceGetAttribute(grid_size, hipDeviceAttributeMultiprocessorCount, simt::current_device());
  *grid_size *= blocks;
  return code;
}

}  // namespace hip_on_cpu
