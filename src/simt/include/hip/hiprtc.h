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

}  // namespace hip_on_cpu
