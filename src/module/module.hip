// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host half of a kernel module, in plain HIP: one source for the CPU machine, AMD and NVIDIA.
//
// Compiled together with the kernels it runs; kernels announce themselves by WARPZ_KERNEL. Each run owns its
// device memory and gives it back whatever happens.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "module/module.h"
#include "warpz/kernel.hpp"

#ifdef __WARPZ_CPU__
#include "simt/machine.hpp"
#endif

namespace {

/// A HIP call that failed; thrown and caught within this file.
struct failed_call {
  const char* call;
  hipError_t code;
};

void check(hipError_t code, const char* call) {
  if (code != hipSuccess) throw failed_call{call, code};
}

#define WARPZ_CHECK(call) check((call), #call)

void describe(const failed_call& failure, warpz_error& into) {
  std::snprintf(into.call, sizeof into.call, "%s", failure.call);
  std::snprintf(into.code, sizeof into.code, "%s", hipGetErrorName(failure.code));
  std::snprintf(into.text, sizeof into.text, "%s", hipGetErrorString(failure.code));
}

/// The device's view of one argument's memory. A device that shares the host's memory works on it directly;
/// otherwise the data is copied there and an output back.
class device_buffer {
 public:
  device_buffer(const warpz_argument& argument, bool shares_host_memory) : argument_(argument) {
    if (shares_host_memory) {
      WARPZ_CHECK(hipHostRegister(argument.data, argument.bytes, hipHostRegisterMapped));
      registered_ = true;
      WARPZ_CHECK(hipHostGetDevicePointer(&data_, argument.data, 0));
    } else {
      WARPZ_CHECK(hipMalloc(&data_, argument.bytes));
      WARPZ_CHECK(hipMemcpy(data_, argument.data, argument.bytes, hipMemcpyHostToDevice));
    }
  }

  ~device_buffer() {
    // Nothing more can be done about an error here; after a fault of the kernel every call gives one.
    if (registered_) {
      static_cast<void>(hipHostUnregister(argument_.data));
    } else if (data_ != nullptr) {
      static_cast<void>(hipFree(data_));
    }
  }

  device_buffer(const device_buffer&) = delete;
  device_buffer& operator=(const device_buffer&) = delete;

  void fetch() const {
    if (!registered_ && argument_.kind == WARPZ_OUTPUT) {
      WARPZ_CHECK(hipMemcpy(argument_.data, data_, argument_.bytes, hipMemcpyDeviceToHost));
    }
  }

  void** place() { return &data_; }

 private:
  const warpz_argument& argument_;
  void* data_ = nullptr;
  bool registered_ = false;
};

/// Two events around a launch.
class stopwatch {
 public:
  stopwatch() {
    WARPZ_CHECK(hipEventCreate(&begin_));
    WARPZ_CHECK(hipEventCreate(&end_));
  }
  ~stopwatch() {
    if (begin_ != nullptr) static_cast<void>(hipEventDestroy(begin_));
    if (end_ != nullptr) static_cast<void>(hipEventDestroy(end_));
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  void start() { WARPZ_CHECK(hipEventRecord(begin_, nullptr)); }
  float stop() {
    WARPZ_CHECK(hipEventRecord(end_, nullptr));
    WARPZ_CHECK(hipEventSynchronize(end_));
    float milliseconds = 0;
    WARPZ_CHECK(hipEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds;
  }

 private:
  hipEvent_t begin_ = nullptr;
  hipEvent_t end_ = nullptr;
};

const warpz::kernel_entry* find_kernel(const char* name) {
  for (const warpz::kernel_entry* each = warpz::kernel_list(); each != nullptr; each = each->next) {
    if (std::strcmp(each->name, name) == 0) return each;
  }
  return nullptr;
}

bool accepts(const warpz::kernel_entry& kernel, const warpz_launch& launch) {
  if (kernel.argument_count != launch.argument_count) return false;
  for (uint32_t i = 0; i < launch.argument_count; ++i) {
    const warpz_argument& argument = launch.arguments[i];
    const std::uint64_t bytes = argument.kind == WARPZ_SCALAR ? argument.bytes : sizeof(void*);
    if (kernel.argument_sizes[i] != bytes) return false;
  }
  return true;
}

#ifdef __WARPZ_CPU__

warpz_result* receiving = nullptr;

/// The CPU machine writes what it finds straight into the result, which outlives this process.
void watch_machine(const warpz_launch& launch, warpz_result& result) {
  receiving = &result;
  simt::current_settings().timeout_seconds = launch.timeout_seconds;
  simt::sink sink{};
  sink.next_finding = [] {
    const uint32_t kept =
        receiving->finding_count < WARPZ_MAX_FINDINGS ? receiving->finding_count : WARPZ_MAX_FINDINGS - 1;
    return &receiving->findings[kept];
  };
  sink.publish = [](warpz_finding*) { ++receiving->finding_count; };
  sink.progress = &result.progress;
  simt::set_sink(sink);
}

#else

void watch_machine(const warpz_launch&, warpz_result&) {}

#endif

int run_checked(const warpz::kernel_entry& kernel, const warpz_launch& launch, warpz_result& result) {
  WARPZ_CHECK(hipSetDevice(static_cast<int>(launch.device)));
  hipDeviceProp_t properties;
  WARPZ_CHECK(hipGetDeviceProperties(&properties, static_cast<int>(launch.device)));
  const bool shares_host_memory = properties.integrated != 0 && properties.canMapHostMemory != 0;

  std::vector<std::unique_ptr<device_buffer>> buffers;
  std::vector<void*> arguments;
  for (uint32_t i = 0; i < launch.argument_count; ++i) {
    const warpz_argument& argument = launch.arguments[i];
    if (argument.kind == WARPZ_SCALAR) {
      arguments.push_back(argument.data);
    } else {
      buffers.push_back(std::make_unique<device_buffer>(argument, shares_host_memory));
      arguments.push_back(buffers.back()->place());
    }
  }

  const dim3 grid(launch.grid[0], launch.grid[1], launch.grid[2]);
  const dim3 block(launch.block[0], launch.block[1], launch.block[2]);
  stopwatch watch;
  for (uint32_t i = 0; i < launch.warm_ups + launch.repeats; ++i) {
    watch.start();
    WARPZ_CHECK(kernel.launch(grid, block, launch.shared_bytes, nullptr, arguments.data()));
    const float milliseconds = watch.stop();
    if (i >= launch.warm_ups && result.repeat_count < WARPZ_MAX_REPEATS) {
      result.milliseconds[result.repeat_count++] = milliseconds;
    }
  }
  for (const auto& buffer : buffers) buffer->fetch();
  return WARPZ_OK;
}

uint32_t kernel_count() {
  uint32_t count = 0;
  for (const warpz::kernel_entry* each = warpz::kernel_list(); each != nullptr; each = each->next) ++count;
  return count;
}

const char* kernel_name(uint32_t index) {
  const warpz::kernel_entry* each = warpz::kernel_list();
  while (each != nullptr && index-- > 0) each = each->next;
  return each != nullptr ? each->name : nullptr;
}

int devices(warpz_device* into, uint32_t capacity, uint32_t* count, warpz_error* error) {
  try {
    int found = 0;
    WARPZ_CHECK(hipGetDeviceCount(&found));
    int driver = 0;
    WARPZ_CHECK(hipDriverGetVersion(&driver));
    *count = static_cast<uint32_t>(found);
    for (uint32_t i = 0; i < *count && i < capacity; ++i) {
      hipDeviceProp_t properties;
      WARPZ_CHECK(hipGetDeviceProperties(&properties, static_cast<int>(i)));
      warpz_device& device = into[i];
      std::snprintf(device.name, sizeof device.name, "%.127s", properties.name);
#ifdef __HIP_PLATFORM_NVIDIA__
      std::snprintf(device.architecture, sizeof device.architecture, "sm_%d%d", properties.major, properties.minor);
#else
      std::snprintf(device.architecture, sizeof device.architecture, "%.63s", properties.gcnArchName);
#endif
      std::snprintf(device.driver, sizeof device.driver, "%d", driver);
      device.warp_size = static_cast<uint32_t>(properties.warpSize);
      device.compute_units = static_cast<uint32_t>(properties.multiProcessorCount);
      device.memory_bytes = properties.totalGlobalMem;
    }
    return WARPZ_OK;
  } catch (const failed_call& failure) {
    describe(failure, *error);
    return WARPZ_DEVICE_ERROR;
  }
}

int run(const warpz_launch* launch, warpz_result* result) {
  const warpz::kernel_entry* const kernel = find_kernel(launch->kernel);
  if (kernel == nullptr) return WARPZ_UNKNOWN_KERNEL;
  if (!accepts(*kernel, *launch)) return WARPZ_WRONG_ARGUMENTS;
  watch_machine(*launch, *result);
  try {
    return run_checked(*kernel, *launch, *result);
  } catch (const failed_call& failure) {
    describe(failure, result->error);
    return WARPZ_DEVICE_ERROR;
  }
}

#if defined(__WARPZ_CPU__)
constexpr char vendor[] = "cpu";
#elif defined(__HIP_PLATFORM_NVIDIA__)
constexpr char vendor[] = "nvidia";
#else
constexpr char vendor[] = "amd";
#endif

constexpr warpz_module self = {WARPZ_MODULE_VERSION, vendor, __VERSION__, kernel_count, kernel_name, devices, run};

}  // namespace

extern "C" __attribute__((visibility("default"))) const warpz_module* warpz_get_module(void) { return &self; }
