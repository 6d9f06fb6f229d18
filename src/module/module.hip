// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host half of a kernel module, in plain HIP: one source for the CPU machine, AMD and NVIDIA.
//
// Compiled together with the kernels it runs; WARPZ_KERNEL registers a kernel. Each run owns its device memory and
// frees it in all cases.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "abi/module.h"
#include "abi/text.h"
#include "module/distributed_run.hpp"
#include "module/hip_calls.hpp"
#include "warpz/kernel.hpp"

#ifdef __WARPZ_CPU__
#include "module/cpu_kernels.hpp"
#include "simt/check/arguments.hpp"
#include "simt/check/heap.hpp"
#include "simt/instrumented.hpp"
#include "simt/machine/machine.hpp"
#endif

namespace {

using warpz::failed_call;
using warpz::stopwatch;

/// Describes the failure in the vendor's words. Clears the error that the runtime remembers: a later call that succeeds
/// would return it again.
void describe(const failed_call& failure, warpz_error& into) {
#ifdef __HIP_PLATFORM_NVIDIA__
  // HIP names only some of CUDA's errors.
  const cudaError_t remembered = cudaGetLastError();
  const char* const name = remembered != cudaSuccess ? cudaGetErrorName(remembered) : hipGetErrorName(failure.code);
  const char* const text = remembered != cudaSuccess ? cudaGetErrorString(remembered) : hipGetErrorString(failure.code);
#else
  static_cast<void>(hipGetLastError());
  const char* const name = hipGetErrorName(failure.code);
  const char* const text = hipGetErrorString(failure.code);
#endif
  warpz_copy_beginning(into.call, sizeof into.call, failure.call);
  warpz_copy_beginning(into.code, sizeof into.code, name);
  warpz_copy_beginning(into.text, sizeof into.text, text);
}

void describe(const warpz::distributed::error& failure, warpz_error& into) {
  static_cast<void>(hipGetLastError());
  warpz_copy_beginning(into.call, sizeof into.call, failure.call.c_str());
  warpz_copy_beginning(into.code, sizeof into.code, failure.name.c_str());
  warpz_copy_beginning(into.text, sizeof into.text, failure.text.c_str());
}

/// One argument's memory on the device. The CPU machine uses the host's memory itself; for a GPU the data is copied,
/// and an output copied back.
class device_buffer {
 public:
  device_buffer(const warpz_argument& argument, [[maybe_unused]] uint32_t number, bool is_reset)
      : argument_(argument), is_reset_(is_reset && argument.kind == WARPZ_OUTPUT) {
#ifdef __WARPZ_CPU__
    data_ = argument.data;
    if (is_reset_) {
      first_.reset(new (std::nothrow) char[argument.bytes]);
      if (first_ == nullptr) throw failed_call{"a copy of the output", hipErrorOutOfMemory};
      std::memcpy(first_.get(), data_, argument.bytes);
    }
    if (!simt::check_argument(number, data_, argument.bytes, argument.guard, argument.kind != WARPZ_OUTPUT,
                              argument.kind != WARPZ_INPUT)) {
      throw failed_call{"simt::check_argument", hipErrorOutOfMemory};
    }
#else
    WARPZ_CHECK(hipMalloc(&data_, argument.bytes));
    try {
      WARPZ_CHECK(hipMemcpy(data_, argument.data, argument.bytes, hipMemcpyHostToDevice));
    } catch (const failed_call&) {
      release();
      throw;
    }
#endif
  }

  ~device_buffer() { release(); }

  device_buffer(const device_buffer&) = delete;
  device_buffer& operator=(const device_buffer&) = delete;

  /// Before each launch, which must not see the state of the last one.
  void begin_launch() const {
#ifdef __WARPZ_CPU__
    if (argument_.kind == WARPZ_STATE) std::memset(data_, 0, argument_.bytes);
    if (is_reset_) std::memcpy(data_, first_.get(), argument_.bytes);
#else
    if (argument_.kind == WARPZ_STATE) WARPZ_CHECK(hipMemset(data_, 0, argument_.bytes));
    if (is_reset_) WARPZ_CHECK(hipMemcpy(data_, argument_.data, argument_.bytes, hipMemcpyHostToDevice));
#endif
  }

  void fetch() const {
    if (data_ != argument_.data && argument_.kind != WARPZ_INPUT) {
      WARPZ_CHECK(hipMemcpy(argument_.data, data_, argument_.bytes, hipMemcpyDeviceToHost));
    }
  }

  void** place() { return &data_; }

 private:
  void release() {
    // An error here has no remedy; after a fault of the kernel each call returns one.
    if (data_ != argument_.data) static_cast<void>(hipFree(data_));
  }

  const warpz_argument& argument_;
  const bool is_reset_;
  void* data_ = nullptr;
#ifdef __WARPZ_CPU__
  std::unique_ptr<char[]> first_;  ///< what an output has before each launch
#endif
};

#ifndef __WARPZ_CPU__
const warpz::kernel_entry* kernel_list() { return warpz::kernel_list(); }
#else
const warpz::kernel_entry* kernel_list() { return warpz::cpu_kernel_list(); }
#endif

const warpz::kernel_entry* find_kernel(const char* identity) {
  for (const warpz::kernel_entry* each = kernel_list(); each != nullptr; each = each->next) {
    if (std::strcmp(each->identity, identity) == 0) return each;
  }
  return nullptr;
}

const warpz::distributed_kernel* find_distributed(const char* identity) {
  for (const warpz::distributed_kernel* each = warpz::distributed_kernel_list(); each != nullptr; each = each->next) {
    if (std::strcmp(each->identity, identity) == 0) return each;
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

/// The machine writes its findings straight into the result, which outlives this process.
void set_up_machine(const warpz_settings& settings, warpz_result& result) {
  receiving = &result;
  simt::current_settings() = settings;
  simt::sink sink{};
  sink.next_finding = [] {
    const uint32_t kept =
        receiving->finding_count < WARPZ_MAX_FINDINGS ? receiving->finding_count : WARPZ_MAX_FINDINGS - 1;
    return &receiving->findings[kept];
  };
  sink.room = WARPZ_MAX_FINDINGS;
  sink.publish = [](warpz_finding* found) {
    ++receiving->finding_count;
    if (const auto on_finding = simt::current_settings().on_finding) on_finding(found);
  };
  sink.progress = &result.progress;
  sink.sampled = result.sampled;
  sink.left_out = &result.findings_left_out;
  sink.abandoned_launches = &result.abandoned_launches;
  sink.digest = &result.digest;
  simt::set_sink(sink);
}

#else

void set_up_machine(const warpz_settings&, warpz_result&) {}

#endif

/// Of several launches, what the last one does is recorded and counted.
void choose_records([[maybe_unused]] const warpz_settings& settings, [[maybe_unused]] bool is_last) {
#ifdef __WARPZ_CPU__
  simt::current_settings().recording.record = is_last ? settings.recording.record : nullptr;
  simt::current_settings().costs = is_last ? settings.costs : nullptr;
#endif
}

/// A new stage of the run, which counts as progress.
void enter(warpz_stage stage, warpz_result& result) {
  __atomic_store_n(&result.stage, static_cast<uint32_t>(stage), __ATOMIC_RELEASE);
  __atomic_add_fetch(&result.progress, 1, __ATOMIC_RELEASE);
}

/// True if the code says that a kernel failed. Which call returns it depends on the runtime's settings: with
/// CUDA_LAUNCH_BLOCKING it is the launch.
bool is_fault(hipError_t code) {
  switch (code) {
    case hipErrorIllegalAddress:
    case hipErrorLaunchTimeOut:
    case hipErrorAssert:
    case hipErrorLaunchFailure:
      return true;
    default:
      break;
  }
#ifdef __HIP_PLATFORM_NVIDIA__
  switch (cudaPeekAtLastError()) {
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
      return true;
    default:
      break;
  }
#endif
  return false;
}

/// Makes a finding of a kernel that the device stopped, in the vendor's words.
int report_fault(const char* kernel, const failed_call& failure, warpz_result& result) {
  describe(failure, result.error);
  warpz_finding& finding = result.findings[0];
  std::memset(&finding, 0, sizeof finding);
  finding.kind = failure.code == hipErrorAssert ? WARPZ_ASSERTION : WARPZ_CRASH;
  warpz_copy_beginning(finding.kernel, sizeof finding.kernel, kernel);
  std::snprintf(finding.message, sizeof finding.message, "the device stopped the kernel: %s (%s)", result.error.code,
                result.error.text);
  result.finding_count = 1;
  return WARPZ_KERNEL_FAULT;
}

int run_checked(const warpz::kernel_entry& kernel, const warpz_launch& launch, warpz_result& result) {
  WARPZ_CHECK(hipSetDevice(static_cast<int>(launch.device)));
  std::vector<std::unique_ptr<device_buffer>> buffers;
  std::vector<void*> arguments;
  for (uint32_t i = 0; i < launch.argument_count; ++i) {
    const warpz_argument& argument = launch.arguments[i];
    if (argument.kind == WARPZ_SCALAR) {
      arguments.push_back(argument.data);
    } else {
      buffers.push_back(std::make_unique<device_buffer>(argument, i, launch.resets_outputs != 0));
      arguments.push_back(buffers.back()->place());
    }
    enter(WARPZ_PREPARING, result);
  }

  const dim3 grid(launch.grid[0], launch.grid[1], launch.grid[2]);
  const dim3 block(launch.block[0], launch.block[1], launch.block[2]);
  stopwatch watch(nullptr);
  for (uint32_t i = 0; i < launch.warm_ups + launch.repeats; ++i) {
    for (const auto& buffer : buffers) buffer->begin_launch();
    choose_records(launch.settings, i + 1 == launch.warm_ups + launch.repeats);
    enter(WARPZ_KERNEL_RUNNING, result);
    try {
      watch.start();
      WARPZ_CHECK(kernel.call != nullptr
                      ? kernel.call(nullptr, arguments.data())
                      : hipLaunchKernel(kernel.function, grid, block, arguments.data(), launch.shared_bytes, nullptr));
      watch.stop();
    } catch (const failed_call& failure) {
      if (is_fault(failure.code))
        return report_fault(launch.name != nullptr ? launch.name : launch.kernel, failure, result);
      throw;
    }
    if (i >= launch.warm_ups && result.repeat_count < WARPZ_MAX_REPEATS) {
      result.milliseconds[result.repeat_count++] = watch.milliseconds();
    }
  }
  for (const auto& buffer : buffers) {
    enter(WARPZ_FETCHING, result);
    buffer->fetch();
  }
  return WARPZ_OK;
}

template <class Value>
Value scalar(const warpz_argument& argument) {
  Value value;
  std::memcpy(&value, argument.data, sizeof value);
  return value;
}

/// The kernel's arguments say what to do, as for one GPU: output, input, state, size, and perhaps a pivot.
int run_distributed(const warpz::distributed_kernel& kernel, const warpz_launch& launch, warpz_result& result) {
  namespace distributed = warpz::distributed;
  constexpr uint32_t output_argument = 0, input_argument = 1, size_argument = 3, pivot_argument = 4;
  std::vector<int> gpus;
  for (uint32_t i = 0; i < launch.gpus; ++i) {
#ifdef __WARPZ_CPU__
    gpus.push_back(static_cast<int>(launch.device));
#else
    gpus.push_back(static_cast<int>(launch.device + i));
#endif
  }
  distributed::gpu_group group(gpus);
  enter(WARPZ_PREPARING, result);
  const auto size = static_cast<std::size_t>(scalar<int>(launch.arguments[size_argument]));
  const float pivot = launch.argument_count > pivot_argument ? scalar<float>(launch.arguments[pivot_argument]) : 0;
  const distributed::layout dealt = kernel.layout(size, group.size());
  const warpz::distributed_buffer input(group, dealt), output(group, dealt);
  input.deal_out(static_cast<const float*>(launch.arguments[input_argument].data));
  float* const results = static_cast<float*>(launch.arguments[output_argument].data);
  const auto reset_output = [&] {
    if (kernel.results == warpz::distributed_results::one) {
      output.set_one(*results);
    } else {
      output.deal_out(results);
    }
  };
  reset_output();
  WARPZ_CHECK(hipSetDevice(group.number_of(0)));
  stopwatch watch(group.stream(0));
  warpz::distributed_kernel::counts counts{};
  for (uint32_t i = 0; i < launch.warm_ups + launch.repeats; ++i) {
    group.synchronize();
    if (launch.resets_outputs != 0 && i != 0) reset_output();
    enter(WARPZ_KERNEL_RUNNING, result);
    WARPZ_CHECK(hipSetDevice(group.number_of(0)));
    watch.start();
    group.join();
    counts = kernel.queue(group, output.array(), input.read_only(), pivot);
    group.join();
    WARPZ_CHECK(hipSetDevice(group.number_of(0)));
    watch.stop();
    if (i >= launch.warm_ups && result.repeat_count < WARPZ_MAX_REPEATS) {
      result.milliseconds[result.repeat_count++] = watch.milliseconds();
    }
  }
  enter(WARPZ_FETCHING, result);
  output.put_together(results, kernel.results, counts);
  return WARPZ_OK;
}

uint32_t kernel_count() {
  uint32_t count = 0;
  for (const warpz::kernel_entry* each = kernel_list(); each != nullptr; each = each->next) ++count;
  return count;
}

const char* kernel_name(uint32_t index) {
  const warpz::kernel_entry* each = kernel_list();
  while (each != nullptr && index-- > 0) each = each->next;
  return each != nullptr ? each->identity : nullptr;
}

/// The versions of the driver, as its vendor writes it, and of the runtime.
void describe_driver(warpz_device& device) {
#ifdef __WARPZ_CPU__
  std::snprintf(device.driver, sizeof device.driver, "built in");
#else
#ifdef __HIP_PLATFORM_NVIDIA__
  constexpr char file[] = "/sys/module/nvidia/version";
  constexpr char runtime[] = "CUDA";
  constexpr int major = 1000, minor = 10;
#else
  constexpr char file[] = "/sys/module/amdgpu/version";
  constexpr char runtime[] = "HIP";
  constexpr int major = 10000000, minor = 100000;
#endif
  char version[32] = "";
  if (std::FILE* const opened = std::fopen(file, "r")) {
    if (std::fscanf(opened, "%31s", version) != 1) version[0] = '\0';
    std::fclose(opened);
  }
  int number = 0;
  WARPZ_CHECK(hipDriverGetVersion(&number));
  std::snprintf(device.driver, sizeof device.driver, "%s%s%s %d.%d", version, version[0] != '\0' ? ", " : "", runtime,
                number / major, number % major / minor);
#endif
}

int devices(warpz_device* into, uint32_t capacity, uint32_t* count, warpz_error* error) {
  try {
    int found = 0;
    WARPZ_CHECK(hipGetDeviceCount(&found));
    *count = static_cast<uint32_t>(found);
    for (uint32_t i = 0; i < *count && i < capacity; ++i) {
      hipDeviceProp_t properties;
      WARPZ_CHECK(hipGetDeviceProperties(&properties, static_cast<int>(i)));
      warpz_device& device = into[i];
      warpz_copy_beginning(device.name, sizeof device.name, properties.name);
#ifdef __HIP_PLATFORM_NVIDIA__
      std::snprintf(device.architecture, sizeof device.architecture, "sm_%d%d", properties.major, properties.minor);
#else
      const char* architecture = properties.gcnArchName;
#ifdef __WARPZ_CPU__
      architecture = std::strchr(architecture, ':') + 1;
#endif
      warpz_copy_beginning(device.architecture, sizeof device.architecture, architecture);
#endif
      describe_driver(device);
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

int prepare(uint32_t device, warpz_error* error) {
  try {
    WARPZ_CHECK(hipSetDevice(static_cast<int>(device)));
    // Initialises the device.
    WARPZ_CHECK(hipFree(nullptr));
    // Fails where the kernels have no code for the device.
    if (const warpz::kernel_entry* const first = kernel_list()) {
      hipFuncAttributes attributes{};
      WARPZ_CHECK(hipFuncGetAttributes(&attributes, first->function));
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
  const warpz::distributed_kernel* const distributed = launch->gpus > 1 ? find_distributed(launch->kernel) : nullptr;
  if (launch->gpus > 1 && distributed == nullptr) return WARPZ_UNKNOWN_KERNEL;
#ifdef __WARPZ_CPU__
  if (launch->settings.check == WARPZ_CHECK_ALL && !simt::has_instrumented_code()) return WARPZ_NOT_CHECKED;
#endif
  for (uint32_t i = 0; i < kernel->argument_count && i < WARPZ_MAX_ARGUMENTS; ++i) {
    const warpz::kernel_element& element = kernel->elements[i];
    result->elements[i] = {static_cast<uint32_t>(element.bytes), element.is_float};
  }
  set_up_machine(launch->settings, *result);
#ifdef __WARPZ_CPU__
  simt::name_launches(launch->name);
#endif
  int status = WARPZ_DEVICE_ERROR;
  try {
    status = distributed != nullptr ? run_distributed(*distributed, *launch, *result)
                                    : run_checked(*kernel, *launch, *result);
  } catch (const failed_call& failure) {
    describe(failure, result->error);
  } catch (const warpz::distributed::error& failure) {
    describe(failure, result->error);
  }
#ifdef __WARPZ_CPU__
  simt::forget_arguments();
#endif
  return status;
}

int begin_user_program([[maybe_unused]] uint32_t warp_size, [[maybe_unused]] const warpz_settings* settings,
                       [[maybe_unused]] warpz_result* result) {
#ifdef __WARPZ_CPU__
  set_up_machine(*settings, *result);
  simt::sink sink = simt::current_sink();
  sink.stage = &result->stage;
  sink.sampled = nullptr;  // nobody asks, and a signal could end a call of the program's
  simt::set_sink(sink);
  simt::current_settings().perturbation.continue_block_numbers = 1;
  simt::offer_one_device(warp_size);
  simt::check_allocations();
  return WARPZ_OK;
#else
  return WARPZ_DEVICE_ERROR;
#endif
}

int has_instrumented_code() {
#ifdef __WARPZ_CPU__
  return simt::has_instrumented_code() ? 1 : 0;
#else
  return 0;
#endif
}

#if defined(__WARPZ_CPU__)
constexpr char vendor[] = "cpu";
#elif defined(__HIP_PLATFORM_NVIDIA__)
constexpr char vendor[] = "nvidia";
#else
constexpr char vendor[] = "amd";
#endif

constexpr warpz_module self = {
    WARPZ_MODULE_VERSION, vendor, __VERSION__, kernel_count, kernel_name, devices, prepare, run, begin_user_program,
    has_instrumented_code};

}  // namespace

extern "C" __attribute__((visibility("default"))) const warpz_module* warpz_get_module(void) { return &self; }
