// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: device code that a program loads while it runs.
//
// A module is what hiprtcGetCode() has given, or a HIP source, which is compiled when it is loaded. Where a file of a
// build is missing, such as kernel.co, the source of the same name beside it is taken: kernel.hip, kernel.cpp,
// kernel.cu. Code objects of GPUs are refused.
#pragma once

#include <cstddef>

#include "hip/detail/api_types.h"
#include "hip/detail/dim3.h"
#include "simt/lane.hpp"

typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;

#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)
#define HIP_LAUNCH_PARAM_END ((void*)0x03)

enum hipJitOption : int {
  hipJitOptionMaxRegisters = 0,
  hipJitOptionThreadsPerBlock,
  hipJitOptionWallTime,
  hipJitOptionInfoLogBuffer,
  hipJitOptionInfoLogBufferSizeBytes,
  hipJitOptionErrorLogBuffer,
  hipJitOptionErrorLogBufferSizeBytes,
  hipJitOptionOptimizationLevel,
  hipJitOptionTargetFromContext,
  hipJitOptionTarget,
  hipJitOptionFallbackStrategy,
  hipJitOptionGenerateDebugInfo,
  hipJitOptionLogVerbose,
  hipJitOptionGenerateLineInfo,
  hipJitOptionCacheMode
};

enum hipFunction_attribute : int {
  HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_NUM_REGS,
  HIP_FUNC_ATTRIBUTE_PTX_VERSION,
  HIP_FUNC_ATTRIBUTE_BINARY_VERSION,
  HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA,
  HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
  HIP_FUNC_ATTRIBUTE_MAX
};

inline namespace hip_on_cpu {

/// hipErrorFileNotFound, or hipErrorInvalidImage where it is no module, with the compiler's messages if it is a source
/// that does not compile.
SIMT_API hipError_t hipModuleLoad(hipModule_t* module, const char* file);
/// `image` is a module's bytes, or the text of a source that ends with a zero.
SIMT_API hipError_t hipModuleLoadData(hipModule_t* module, const void* image);
/// The options are accepted and not used.
SIMT_API hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned option_count,
                                        hipJitOption* options, void** values);
/// Its functions and variables are gone.
SIMT_API hipError_t hipModuleUnload(hipModule_t module);

/// By the symbol's name: that of a function with C linkage, or hiprtcGetLoweredName's. hipErrorNotFound without it.
SIMT_API hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name);
/// Where a variable of the device is, and its bytes; either pointer may be null.
SIMT_API hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipModule_t module, const char* name);
/// Of a kernel of the program's own, by its name.
SIMT_API hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol);
SIMT_API hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t function);

/// Launches a function with `arguments`, the address of each, or with `extra`: a buffer of all of them, each where a
/// struct would have it.
SIMT_API hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                          hipStream_t stream, void** arguments, void** extra);
SIMT_API hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y,
                                                     unsigned grid_z, unsigned block_x, unsigned block_y,
                                                     unsigned block_z, unsigned shared_bytes, hipStream_t stream,
                                                     void** arguments);

SIMT_API hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, hipFunction_t function,
                                                            size_t shared_bytes, int block_size_limit);
SIMT_API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function,
                                                                       int block_size, size_t shared_bytes);

}  // namespace hip_on_cpu
