// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's run-time compilation: HIP's (hip/hiprtc.h) by CUDA's names, with CUDA's header included. What it gives in
// place of PTX and of a binary is code for cuModuleLoadData(), or with -rdc=true for cuLinkAddData().
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "cuda/detail/language.h"
#include "hip/hiprtc.h"

typedef hiprtcResult nvrtcResult;
typedef hiprtcProgram nvrtcProgram;

#define NVRTC_SUCCESS HIPRTC_SUCCESS
#define NVRTC_ERROR_OUT_OF_MEMORY HIPRTC_ERROR_OUT_OF_MEMORY
#define NVRTC_ERROR_PROGRAM_CREATION_FAILURE HIPRTC_ERROR_PROGRAM_CREATION_FAILURE
#define NVRTC_ERROR_INVALID_INPUT HIPRTC_ERROR_INVALID_INPUT
#define NVRTC_ERROR_INVALID_PROGRAM HIPRTC_ERROR_INVALID_PROGRAM
#define NVRTC_ERROR_INVALID_OPTION HIPRTC_ERROR_INVALID_OPTION
#define NVRTC_ERROR_COMPILATION HIPRTC_ERROR_COMPILATION
#define NVRTC_ERROR_BUILTIN_OPERATION_FAILURE HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE
#define NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
#define NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
#define NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID
#define NVRTC_ERROR_INTERNAL_ERROR HIPRTC_ERROR_INTERNAL_ERROR

#define nvrtcCreateProgram hiprtcCreateProgram
#define nvrtcDestroyProgram hiprtcDestroyProgram
#define nvrtcAddNameExpression hiprtcAddNameExpression
#define nvrtcGetLoweredName hiprtcGetLoweredName
#define nvrtcGetProgramLog hiprtcGetProgramLog
#define nvrtcGetProgramLogSize hiprtcGetProgramLogSize
#define nvrtcGetCUBIN hiprtcGetCode
#define nvrtcGetCUBINSize hiprtcGetCodeSize

/// The release whose names these are.
inline nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = 12;
  *minor = 4;
  return NVRTC_SUCCESS;
}

/// By CUDA's name: NVRTC_ERROR_COMPILATION.
inline const char* nvrtcGetErrorString(nvrtcResult result) {
  static thread_local std::string name;
  name = hiprtcGetErrorString(result);
  if (name.compare(0, 5, "HIPRT") == 0) name.replace(0, 5, "NVRT");
  return name.c_str();
}

inline nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  const nvrtcResult result = hiprtcGetBitcodeSize(program, bytes);
  return result == NVRTC_SUCCESS ? result : hiprtcGetCodeSize(program, bytes);
}
inline nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* code) {
  const nvrtcResult result = hiprtcGetBitcode(program, code);
  return result == NVRTC_SUCCESS ? result : hiprtcGetCode(program, code);
}

/// NVRTC's long options are none of Clang's.
inline nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char* const* options) {
  std::vector<std::string> words = {"-include", "cuda_runtime.h"};
  for (int i = 0; i < option_count; ++i) {
    std::string word = options[i];
    if (word == "-rdc=true" || word == "-dc" || word == "--device-c") word = "-fgpu-rdc";
    for (const auto& each : {std::pair("--include-path=", "-I"), std::pair("--define-macro=", "-D"),
                             std::pair("--undefine-macro=", "-U"), std::pair("--pre-include=", "-include")}) {
      if (word.compare(0, std::strlen(each.first), each.first) != 0) continue;
      const std::string value = word.substr(std::strlen(each.first));
      word = each.second;
      if (word != "-include") {
        word += value;
      } else {
        words.push_back(word);
        word = value;
      }
      break;
    }
    words.push_back(word);
  }
  std::vector<const char*> pointers;
  for (const std::string& each : words) pointers.push_back(each.c_str());
  return hiprtcCompileProgram(program, static_cast<int>(pointers.size()), pointers.data());
}
