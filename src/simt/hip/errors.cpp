// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/errors.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "simt/hip/allocations.hpp"
#include "simt/machine/observer.hpp"

namespace simt {
namespace {

struct byte_range {
  void* begin;
  std::size_t bytes;
};

struct failed_call {
  hipError_t code = hipSuccess;
  bool is_of_this_call = false;  ///< the call is still running
  const void* buffer = nullptr;
  bool is_invalid_launch = false;  ///< `reason` is a sentence then
  const char* kernel = nullptr;
  std::vector<byte_range> unwritten = {};
  char reason[240] = "";
};

thread_local hipError_t last_error = hipSuccess;

/// The thread's last call that failed; hipSuccess: its failure harms nobody, or there was none.
thread_local failed_call last_failure;

// Numbers of findings.
thread_local std::vector<std::uint32_t> ignored_calls;  ///< that the program may still look at
thread_local std::vector<std::uint32_t> looked_at;      ///< by the last call

struct description {
  hipError_t code;
  const char* hip_name;
  const char* cuda_name;
  const char* text;
};

constexpr description descriptions[] = {
#define SIMT_ERROR_NAMED(hip, cuda, number, text) {hip, #hip, #cuda, text},
#include "hip/detail/error_list.h"
#define SIMT_ERROR_OF_CUDA(name, number, text) {static_cast<hipError_t>(number), #name, #name, text},
#include "hip/detail/cuda_error_list.h"
    {hipErrorTbd, "hipErrorTbd", "hipErrorTbd", "an error without a code of its own"},
};

const description* find(hipError_t code) {
  for (const description& each : descriptions) {
    if (each.code == code) return &each;
  }
  return nullptr;
}

void note_reason(const char* format, va_list values) {
  std::vsnprintf(last_failure.reason, sizeof last_failure.reason, format, values);
}

}  // namespace

hipError_t finish(hipError_t code) {
  looked_at.clear();
  if (code == hipSuccess) return code;
  last_error = code;
  if (!last_failure.is_of_this_call || last_failure.code != code) last_failure = {code};
  last_failure.is_of_this_call = false;
  return code;
}

hipError_t finish_without_finding(hipError_t code) {
  finish(code);
  last_failure = {};
  return code;
}

hipError_t refuse(hipError_t code, const void* buffer, const char* format, ...) {
  last_failure = {code, true, buffer};
  va_list values;
  va_start(values, format);
  note_reason(format, values);
  va_end(values);
  return code;
}

hipError_t refuse_block(hipError_t code, const char* format, ...) {
  last_failure = {code, true, nullptr, true};
  va_list values;
  va_start(values, format);
  note_reason(format, values);
  va_end(values);
  return code;
}

void note_refused_kernel(const char* name) { last_failure.kernel = name; }

void note_refused_write(void* begin, std::size_t bytes) {
  const auto memory = allocations::instance().find(begin);
  if (memory) last_failure.unwritten.push_back({begin, std::min(bytes, memory->bytes_from(begin))});
}

void look_at_errors() {
  memory_observer* const observer = host_memory_observer();
  if (observer == nullptr) return;
  looked_at = std::exchange(ignored_calls, {});
  for (const std::uint32_t each : looked_at) observer->withdraw(each, true);
}

namespace {

/// The program does not use the result of a call of look_at_errors().
void look_away(memory_observer& observer) {
  for (const std::uint32_t each : looked_at) observer.withdraw(each, false);
  ignored_calls.insert(ignored_calls.end(), looked_at.begin(), looked_at.end());
  looked_at.clear();
}

void tell_of_ignored(memory_observer& observer, const failed_call& call) {
  char rule[400];
  const char* const name = hipGetErrorName(call.code);
  if (call.is_invalid_launch) {
    std::snprintf(rule, sizeof rule, "%s", call.reason);
  } else if (call.reason[0] != 0) {
    std::snprintf(rule, sizeof rule, "%s is refused (%s), and the program does not look at the error", call.reason,
                  name);
  } else {
    std::snprintf(rule, sizeof rule, "a call fails (%s: %s), and the program does not look at the error", name,
                  hipGetErrorString(call.code));
  }
  ignored_calls.push_back(observer.fault_ignored(call.kernel, rule, call.buffer, call.is_invalid_launch));
  // What a kernel then reads there is not the kernel's mistake.
  for (const byte_range& each : call.unwritten) observer.write_from_host(each.begin, each.bytes);
}

}  // namespace

const char* cuda_error_name(hipError_t error) {
  const description* const found = find(error);
  return found != nullptr ? found->cuda_name : "unrecognized error code";
}

}  // namespace simt

/// The plugin calls it behind a call of HIP whose result the program does not use.
extern "C" SIMT_API void simt_ignored_result(hipError_t code) {
  simt::memory_observer* const observer = simt::host_memory_observer();
  if (observer == nullptr) return;
  if (code == hipSuccess) {
    simt::look_away(*observer);
  } else if (code == simt::last_failure.code && code != hipErrorNotSupported) {
    simt::tell_of_ignored(*observer, std::exchange(simt::last_failure, {}));
  }
}

inline namespace hip_on_cpu {

hipError_t hipGetLastError() {
  // It is called for nothing else: to forget an error is a way to look at it.
  simt::look_at_errors();
  simt::looked_at.clear();
  const hipError_t code = simt::last_error;
  simt::last_error = hipSuccess;
  return code;
}

hipError_t hipExtGetLastError() { return hipGetLastError(); }

hipError_t hipPeekAtLastError() {
  simt::look_at_errors();
  return simt::last_error;
}

const char* hipGetErrorName(hipError_t error) {
  const simt::description* const found = simt::find(error);
  return found != nullptr ? found->hip_name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t error) {
  const simt::description* const found = simt::find(error);
  return found != nullptr ? found->text : "not an error code";
}

hipError_t hipDrvGetErrorName(hipError_t error, const char** name) {
  if (name == nullptr || simt::find(error) == nullptr) return simt::finish(hipErrorInvalidValue);
  *name = hipGetErrorName(error);
  return hipSuccess;
}

hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
  if (text == nullptr || simt::find(error) == nullptr) return simt::finish(hipErrorInvalidValue);
  *text = hipGetErrorString(error);
  return hipSuccess;
}

}  // namespace hip_on_cpu
