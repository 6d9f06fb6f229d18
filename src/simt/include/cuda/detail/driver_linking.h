// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's linker: programs that nvrtc has compiled with -rdc=true. PTX and binaries of NVIDIA's are refused.
#pragma once

#include "cuda/detail/driver_errors.h"
#include "hip/hiprtc.h"

typedef hiprtcLinkState CUlinkState;
typedef hiprtcJITInputType CUjitInputType;

#define CU_JIT_INPUT_CUBIN HIPRTC_JIT_INPUT_CUBIN
#define CU_JIT_INPUT_PTX HIPRTC_JIT_INPUT_PTX
#define CU_JIT_INPUT_FATBINARY HIPRTC_JIT_INPUT_FATBINARY
#define CU_JIT_INPUT_OBJECT HIPRTC_JIT_INPUT_OBJECT
#define CU_JIT_INPUT_LIBRARY HIPRTC_JIT_INPUT_LIBRARY
#define CU_JIT_INPUT_NVVM HIPRTC_JIT_INPUT_NVVM

#define CU_JIT_THREADS_PER_BLOCK hipJitOptionThreadsPerBlock
#define CU_JIT_WALL_TIME hipJitOptionWallTime
#define CU_JIT_OPTIMIZATION_LEVEL hipJitOptionOptimizationLevel
#define CU_JIT_TARGET_FROM_CUCONTEXT hipJitOptionTargetFromContext
#define CU_JIT_TARGET hipJitOptionTarget
#define CU_JIT_FALLBACK_STRATEGY hipJitOptionFallbackStrategy
#define CU_JIT_GENERATE_DEBUG_INFO hipJitOptionGenerateDebugInfo
#define CU_JIT_LOG_VERBOSE hipJitOptionLogVerbose
#define CU_JIT_GENERATE_LINE_INFO hipJitOptionGenerateLineInfo
#define CU_JIT_CACHE_MODE hipJitOptionCacheMode

inline CUresult cuLinkCreate(unsigned option_count, hipJitOption* options, void** values, CUlinkState* state) {
  const hiprtcResult made = hiprtcLinkCreate(option_count, reinterpret_cast<hiprtcJIT_option*>(options), values, state);
  return made == HIPRTC_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
/// What is no program of nvrtc's is an invalid PTX, whatever it is said to be.
inline CUresult cuLinkAddData(CUlinkState state, CUjitInputType /*type*/, void* image, size_t bytes, const char* name,
                              unsigned option_count, hipJitOption* options, void** values) {
  const hiprtcResult added = hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, image, bytes, name, option_count,
                                               reinterpret_cast<hiprtcJIT_option*>(options), values);
  return added == HIPRTC_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
inline CUresult cuLinkAddFile(CUlinkState state, CUjitInputType /*type*/, const char* path, unsigned option_count,
                              hipJitOption* options, void** values) {
  const hiprtcResult added = hiprtcLinkAddFile(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, path, option_count,
                                               reinterpret_cast<hiprtcJIT_option*>(options), values);
  if (added == HIPRTC_ERROR_PROGRAM_CREATION_FAILURE) return CUDA_ERROR_FILE_NOT_FOUND;
  return added == HIPRTC_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
inline CUresult cuLinkComplete(CUlinkState state, void** code, size_t* bytes) {
  return hiprtcLinkComplete(state, code, bytes) == HIPRTC_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
inline CUresult cuLinkDestroy(CUlinkState state) {
  return hiprtcLinkDestroy(state) == HIPRTC_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
