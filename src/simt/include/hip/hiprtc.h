// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's run-time compilation: a program compiles device code from text. The compiler is the one that compiles programs
// for the CPU machine, and HIP's header is included.
#pragma once

#include <cstddef>

#include "hip/hip_runtime_api.h"

enum hiprtcResult : int {
  HIPRTC_SUCCESS = 0,
  HIPRTC_ERROR_OUT_OF_MEMORY = 1,
  HIPRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  HIPRTC_ERROR_INVALID_INPUT = 3,
  HIPRTC_ERROR_INVALID_PROGRAM = 4,
  HIPRTC_ERROR_INVALID_OPTION = 5,
  HIPRTC_ERROR_COMPILATION = 6,
  HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  HIPRTC_ERROR_INTERNAL_ERROR = 11,
  HIPRTC_ERROR_LINKING = 100
};

typedef struct _hiprtcProgram* hiprtcProgram;
typedef struct ihiprtcLinkState* hiprtcLinkState;

enum hiprtcJITInputType : int {
  HIPRTC_JIT_INPUT_CUBIN = 0,
  HIPRTC_JIT_INPUT_PTX,
  HIPRTC_JIT_INPUT_FATBINARY,
  HIPRTC_JIT_INPUT_OBJECT,
  HIPRTC_JIT_INPUT_LIBRARY,
  HIPRTC_JIT_INPUT_NVVM,
  HIPRTC_JIT_NUM_LEGACY_INPUT_TYPES,
  HIPRTC_JIT_INPUT_LLVM_BITCODE = 100,
  HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE = 101,
  HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE = 102,
  HIPRTC_JIT_NUM_INPUT_TYPES = HIPRTC_JIT_NUM_LEGACY_INPUT_TYPES + 3
};

/// Only the buffers of logs have an effect.
enum hiprtcJIT_option : int {
  HIPRTC_JIT_MAX_REGISTERS = 0,
  HIPRTC_JIT_THREADS_PER_BLOCK,
  HIPRTC_JIT_WALL_TIME,
  HIPRTC_JIT_INFO_LOG_BUFFER,
  HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
  HIPRTC_JIT_ERROR_LOG_BUFFER,
  HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
  HIPRTC_JIT_OPTIMIZATION_LEVEL,
  HIPRTC_JIT_TARGET_FROM_HIPCONTEXT,
  HIPRTC_JIT_TARGET,
  HIPRTC_JIT_FALLBACK_STRATEGY,
  HIPRTC_JIT_GENERATE_DEBUG_INFO,
  HIPRTC_JIT_LOG_VERBOSE,
  HIPRTC_JIT_GENERATE_LINE_INFO,
  HIPRTC_JIT_CACHE_MODE,
  HIPRTC_JIT_NEW_SM3X_OPT,
  HIPRTC_JIT_FAST_COMPILE,
  HIPRTC_JIT_GLOBAL_SYMBOL_NAMES,
  HIPRTC_JIT_GLOBAL_SYMBOL_ADDRESS,
  HIPRTC_JIT_GLOBAL_SYMBOL_COUNT,
  HIPRTC_JIT_LTO,
  HIPRTC_JIT_FTZ,
  HIPRTC_JIT_PREC_DIV,
  HIPRTC_JIT_PREC_SQRT,
  HIPRTC_JIT_FMA,
  HIPRTC_JIT_NUM_OPTIONS,
  HIPRTC_JIT_IR_TO_ISA_OPT_EXT = 10000,
  HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT
};

inline namespace hip_on_cpu {

SIMT_API const char* hiprtcGetErrorString(hiprtcResult result);
SIMT_API hiprtcResult hiprtcVersion(int* major, int* minor);

/// Keeps the source, its name (null: "program"), and headers with the names by which the source includes them.
SIMT_API hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name,
                                          int header_count, const char* const* headers,
                                          const char* const* include_names);
SIMT_API hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program);
/// A kernel or variable, such as "scale<float>" or "&factor", whose symbol hiprtcGetLoweredName() gives later. The
/// template is instantiated.
SIMT_API hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char* expression);
/// The options are a compiler's; one that says for which GPU is accepted and not used.
SIMT_API hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int option_count, const char* const* options);
SIMT_API hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char* expression, const char** symbol);
/// The compiler's messages, and their bytes with a zero behind them.
SIMT_API hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* log);
SIMT_API hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* bytes);
/// The code, for hipModuleLoadData().
SIMT_API hiprtcResult hiprtcGetCode(hiprtcProgram program, char* code);
SIMT_API hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* bytes);
/// Of a program that is compiled with -fgpu-rdc, for hiprtcLinkAddData(): an object of this machine's, not bitcode.
SIMT_API hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char* code);
SIMT_API hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t* bytes);

// Programs are linked together. What is added has to be what hiprtcGetBitcode gives; code of AMD's is refused.

SIMT_API hiprtcResult hiprtcLinkCreate(unsigned option_count, hiprtcJIT_option* options, void** values,
                                       hiprtcLinkState* state);
SIMT_API hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void* image, size_t bytes,
                                        const char* name, unsigned option_count, hiprtcJIT_option* options,
                                        void** values);
SIMT_API hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char* path,
                                        unsigned option_count, hiprtcJIT_option* options, void** values);
/// The code, for hipModuleLoadData(). It stays until the state is destroyed.
SIMT_API hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void** code, size_t* bytes);
SIMT_API hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state);

}  // namespace hip_on_cpu
