// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/errors.hpp"

namespace simt {
namespace {

thread_local hipError_t last_error = hipSuccess;

struct description {
  hipError_t code;
  const char* hip_name;
  const char* cuda_name;
  const char* text;
};

constexpr description descriptions[] = {
#define SIMT_ERROR_NAMED(hip, cuda, number, text) {hip, #hip, #cuda, text},
#include "hip/detail/error_list.h"
};

const description* find(hipError_t code) {
  for (const description& each : descriptions) {
    if (each.code == code) return &each;
  }
  return nullptr;
}

}  // namespace

hipError_t finish(hipError_t code) {
  if (code != hipSuccess) last_error = code;
  return code;
}

const char* cuda_error_name(hipError_t error) {
  const description* const found = find(error);
  return found != nullptr ? found->cuda_name : "unrecognized error code";
}

}  // namespace simt

inline namespace hip_on_cpu {

hipError_t hipGetLastError() {
  const hipError_t code = simt::last_error;
  simt::last_error = hipSuccess;
  return code;
}

hipError_t hipExtGetLastError() { return hipGetLastError(); }

hipError_t hipPeekAtLastError() { return simt::last_error; }

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
