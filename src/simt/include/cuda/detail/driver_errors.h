// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's own type of errors, and calls that return it. Most numbers are the runtime's.
#pragma once

#include "cuda/detail/language.h"

#include "hip/hip_runtime_api.h"

typedef enum cudaError_enum : int {
#define SIMT_DRIVER_ERROR(name, number) name = number,
#include "cuda/detail/driver_error_list.h"
} CUresult;

namespace simt {

/// The runtime has names of its own for what the driver calls an invalid value.
inline CUresult driver_result(hipError_t code) {
  switch (code) {
    case hipErrorInvalidConfiguration:
    case hipErrorInvalidPitchValue:
    case hipErrorInvalidSymbol:
    case hipErrorInvalidDevicePointer:
    case hipErrorInvalidMemcpyDirection:
    case hipErrorInvalidChannelDescriptor:
    case hipErrorInvalidTexture:
      return CUDA_ERROR_INVALID_VALUE;
    case hipErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    case hipErrorRuntimeMemory:
    case hipErrorRuntimeOther:
      return CUDA_ERROR_UNKNOWN;
    default:
      return static_cast<CUresult>(code);
  }
}

/// One of HIP's functions as one of the driver's. Its parameters have their types, so that a literal 0 may be a
/// pointer.
template <auto _Function>
struct driver_call;
template <class... _Parameters, hipError_t (*_Function)(_Parameters...)>
struct driver_call<_Function> {
  static CUresult call(_Parameters... parameters) { return driver_result(_Function(parameters...)); }
  CUresult operator()(_Parameters... parameters) const { return driver_result(_Function(parameters...)); }

  // A program may take the function's address.
  using pointer = CUresult (*)(_Parameters...);
  constexpr operator pointer() const { return call; }
  constexpr pointer operator&() const { return call; }
};

}  // namespace simt

#define SIMT_DRIVER_CALL(name, function) inline constexpr simt::driver_call<function> name;

inline CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  switch (error) {
#define SIMT_DRIVER_ERROR(error_name, number) \
  case error_name:                            \
    *name = #error_name;                      \
    return CUDA_SUCCESS;
#include "cuda/detail/driver_error_list.h"
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

/// In the words of the runtime's errors of the same number, or else its name.
inline CUresult cuGetErrorString(CUresult error, const char** text) {
  const CUresult named = cuGetErrorName(error, text);
  const char* words = nullptr;
  if (named == CUDA_SUCCESS && hipDrvGetErrorString(static_cast<hipError_t>(error), &words) == hipSuccess)
    *text = words;
  return named;
}
