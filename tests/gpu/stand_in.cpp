// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel module without a GPU, for the tests of what a GPU can do to the program. It is loaded as a vendor's module
// is, and behaves as the environment variable WARPZ_STAND_IN says; with none it computes nothing and passes nothing.
//
// The words are those that HIP and CUDA use for the same failures.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "abi/module.h"

namespace {

bool behaves(const char* as) {
  const char* const wanted = std::getenv("WARPZ_STAND_IN");
  return wanted != nullptr && std::strcmp(wanted, as) == 0;
}

int fail(warpz_error& error, const char* call, const char* code, const char* text) {
  std::snprintf(error.call, sizeof error.call, "%s", call);
  std::snprintf(error.code, sizeof error.code, "%s", code);
  std::snprintf(error.text, sizeof error.text, "%s", text);
  return WARPZ_DEVICE_ERROR;
}

int devices(warpz_device* into, uint32_t capacity, uint32_t* count, warpz_error* error) {
  if (behaves("no-device")) {
    return fail(*error, "hipGetDeviceCount(&found)", "hipErrorNoDevice", "no ROCm-capable device is detected");
  }
  if (behaves("old-driver")) {
    return fail(*error, "hipGetDeviceCount(&found)", "cudaErrorInsufficientDriver",
                "CUDA driver version is insufficient for CUDA runtime version");
  }
  if (behaves("driver-aborts")) std::abort();
  if (behaves("none-listed")) {
    *count = 0;
    return WARPZ_OK;
  }
  *count = 2;
  for (uint32_t i = 0; i < *count && i < capacity; ++i) {
    std::snprintf(into[i].name, sizeof into[i].name, "stand-in %c", "AB"[i]);
    const bool nvidia = std::strcmp(STAND_IN_VENDOR, "nvidia") == 0;
    std::snprintf(into[i].architecture, sizeof into[i].architecture, nvidia ? "sm_90" : "gfx90a");
    std::snprintf(into[i].driver, sizeof into[i].driver, "6.1");
    into[i].warp_size = i == 0 ? 64 : 32;
    into[i].memory_bytes = 1 << 30;
  }
  return WARPZ_OK;
}

int prepare(uint32_t device, warpz_error* error) {
  if (behaves("no-code") || (behaves("no-code-for-first") && device == 0)) {
    return fail(*error, "first->find_code()", "hipErrorNoBinaryForGpu", "no kernel image is available for execution");
  }
  return WARPZ_OK;
}

/// What a fault looks like when the runtime tells it.
int fault(const warpz_launch& launch, warpz_result& result) {
  fail(result.error, "hipEventSynchronize", "cudaErrorIllegalAddress", "an illegal memory access was encountered");
  warpz_finding& finding = result.findings[0];
  finding.kind = WARPZ_CRASH;
  std::snprintf(finding.kernel, sizeof finding.kernel, "%s", launch.kernel);
  std::snprintf(finding.message, sizeof finding.message, "the device stopped the kernel: %s (%s)", result.error.code,
                result.error.text);
  result.finding_count = 1;
  return WARPZ_KERNEL_FAULT;
}

/// What the puzzle neighbor asks for, within warps of 32. Its last element is a zero, whose sign no puzzle minds.
void subtract(const warpz_launch& launch) {
  float* const out = static_cast<float*>(launch.arguments[0].data);
  const float* const in = static_cast<const float*>(launch.arguments[1].data);
  const std::size_t size = launch.arguments[0].bytes / sizeof(float);
  for (std::size_t i = 0; i < size; ++i) out[i] = i % 32 < 31 && i + 1 < size ? in[i + 1] - in[i] : 0.0F;
  if (behaves("negative-zero") || (behaves("negative-zero-from-100") && size >= 100)) out[size - 1] = -0.0F;
}

int run(const warpz_launch* launch, warpz_result* result) {
  if (behaves("out-of-memory")) {
    return fail(result->error, "hipMalloc(&data_, argument.bytes)", "hipErrorOutOfMemory", "out of memory");
  }
  if (behaves("aborts-while-copying")) std::abort();
  result->stage = WARPZ_KERNEL_RUNNING;
  if (behaves("faults")) return fault(*launch, *result);
  if (behaves("faults-at-first-kernel") && std::strstr(launch->kernel, "neighbor") != nullptr) {
    return fault(*launch, *result);
  }
  if (behaves("aborts")) {
    std::fputs("Memory access fault by GPU node-1 on address 0x7f0000000000\n", stderr);
    std::abort();
  }
  if (behaves("hangs")) {
    for (;;) pause();
  }
  // Puzzles whose output is their input have one kernel that this passes; the others are wrong.
  const warpz_argument& output = launch->arguments[0];
  std::memset(output.data, 0, output.bytes);
  if (behaves("subtracts") || behaves("negative-zero") || behaves("negative-zero-from-100")) subtract(*launch);
  result->milliseconds[0] = 0.5F;
  result->repeat_count = 1;
  result->stage = WARPZ_FETCHING;
  return WARPZ_OK;
}

uint32_t kernel_count() { return 1; }
const char* kernel_name(uint32_t) { return "any"; }

#ifndef STAND_IN_VERSION
#define STAND_IN_VERSION WARPZ_MODULE_VERSION
#endif
constexpr warpz_module self = {STAND_IN_VERSION, STAND_IN_VENDOR, "a test", kernel_count, kernel_name,
                               devices,          prepare,         run,      nullptr,      nullptr};

}  // namespace

extern "C" __attribute__((visibility("default"))) const warpz_module* warpz_get_module(void) { return &self; }
