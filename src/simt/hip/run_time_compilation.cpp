// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hiprtc: a program's sources, and what the compiler has made of them.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "hip/hiprtc.h"
#include "simt/hip/handles.hpp"
#include "simt/hip/modules.hpp"

struct _hiprtcProgram {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers;  ///< name and text
  std::vector<std::string> expressions;
  bool is_compiled = false;
  bool is_relocatable = false;  ///< compiled to be linked with others
  simt::device_compilation compilation;
  std::map<std::string, std::string> symbols;  ///< by expression
};

namespace simt {
namespace {

/// Never destroyed: a program's static objects may use them late.
handles<_hiprtcProgram>& programs() {
  static auto* const all = new handles<_hiprtcProgram>;
  return *all;
}

/// What the image says of each expression.
std::map<std::string, std::string> symbols_of(const _hiprtcProgram& program) {
  std::map<std::string, std::string> symbols;
  if (program.expressions.empty()) return symbols;
  const loaded_module loaded = load_device_code(program.compilation.code);
  for (const warpz_device_image* const image : loaded.images) {
    for (std::uint32_t i = 0; i < image->variable_count; ++i) {
      constexpr std::size_t prefix = sizeof WARPZ_EXPRESSION_PREFIX - 1;
      const warpz_device_variable& each = image->variables[i];
      if (std::strncmp(each.symbol, WARPZ_EXPRESSION_PREFIX, prefix) != 0) continue;
      symbols[program.expressions.at(std::stoul(each.symbol + prefix))] = static_cast<const char*>(each.address);
    }
  }
  unload_device_code(loaded);
  return symbols;
}

void compile(_hiprtcProgram& program, int option_count, const char* const* options) {
  std::vector<warpz_named_text> headers;
  for (const auto& [name, text] : program.headers) headers.push_back({name.c_str(), text.c_str()});
  std::vector<const char*> expressions;
  for (const std::string& each : program.expressions) expressions.push_back(each.c_str());
  warpz_device_source source{};
  source.source = {program.name.c_str(), program.source.c_str()};
  source.headers = headers.data();
  source.header_count = static_cast<std::uint32_t>(headers.size());
  source.options = options;
  source.option_count = static_cast<std::uint32_t>(option_count);
  source.expressions = expressions.data();
  source.expression_count = static_cast<std::uint32_t>(expressions.size());
  program.is_relocatable = std::any_of(options, options + option_count, [](const char* each) {
    return std::strcmp(each, "-fgpu-rdc") == 0 || std::strcmp(each, "--relocatable-device-code=true") == 0;
  });
  source.is_relocatable = program.is_relocatable ? 1 : 0;
  program.compilation = compile_device_code(source);
  program.is_compiled = program.compilation.succeeded;
  // An object cannot be loaded, and names no expressions.
  if (program.is_compiled && !program.is_relocatable) program.symbols = symbols_of(program);
}

/// What `read` makes of the program, which has to be one that is compiled so.
template <class Read>
hiprtcResult of_compiled(hiprtcProgram program, bool is_valid, bool is_relocatable, Read read) {
  if (!is_valid) return HIPRTC_ERROR_INVALID_INPUT;
  hiprtcResult result = HIPRTC_ERROR_INVALID_PROGRAM;
  programs().update(program, [&](const _hiprtcProgram& each) {
    if (each.is_compiled && each.is_relocatable == is_relocatable) result = read(each);
    return true;
  });
  return result;
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::programs;

const char* hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
    case HIPRTC_SUCCESS:
      return "HIPRTC_SUCCESS";
    case HIPRTC_ERROR_OUT_OF_MEMORY:
      return "HIPRTC_ERROR_OUT_OF_MEMORY";
    case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
      return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case HIPRTC_ERROR_INVALID_INPUT:
      return "HIPRTC_ERROR_INVALID_INPUT";
    case HIPRTC_ERROR_INVALID_PROGRAM:
      return "HIPRTC_ERROR_INVALID_PROGRAM";
    case HIPRTC_ERROR_INVALID_OPTION:
      return "HIPRTC_ERROR_INVALID_OPTION";
    case HIPRTC_ERROR_COMPILATION:
      return "HIPRTC_ERROR_COMPILATION";
    case HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE:
      return "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    case HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
      return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
      return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
      return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case HIPRTC_ERROR_INTERNAL_ERROR:
      return "HIPRTC_ERROR_INTERNAL_ERROR";
    case HIPRTC_ERROR_LINKING:
      return "HIPRTC_ERROR_LINKING";
  }
  return "not a result of HIPRTC";
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  *major = HIP_VERSION_MAJOR;
  *minor = HIP_VERSION_MINOR;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int header_count,
                                 const char* const* headers, const char* const* include_names) {
  if (program == nullptr || source == nullptr || header_count < 0) return HIPRTC_ERROR_INVALID_INPUT;
  if (header_count > 0 && (headers == nullptr || include_names == nullptr)) return HIPRTC_ERROR_INVALID_INPUT;
  _hiprtcProgram added;
  added.source = source;
  added.name = name != nullptr && *name != '\0' ? name : "program";
  for (int i = 0; i < header_count; ++i) added.headers.emplace_back(include_names[i], headers[i]);
  *program = programs().add(added);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
  if (program == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  if (!programs().remove(*program)) return HIPRTC_ERROR_INVALID_PROGRAM;
  *program = nullptr;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char* expression) {
  if (expression == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  hiprtcResult result = HIPRTC_ERROR_INVALID_PROGRAM;
  programs().update(program, [&](_hiprtcProgram& each) {
    result = each.is_compiled ? HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION : HIPRTC_SUCCESS;
    if (!each.is_compiled) each.expressions.emplace_back(expression);
    return true;
  });
  return result;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int option_count, const char* const* options) {
  if (option_count < 0 || (option_count > 0 && options == nullptr)) return HIPRTC_ERROR_INVALID_INPUT;
  hiprtcResult result = HIPRTC_ERROR_INVALID_PROGRAM;
  programs().update(program, [&](_hiprtcProgram& each) {
    simt::compile(each, option_count, options);
    result = each.is_compiled ? HIPRTC_SUCCESS : HIPRTC_ERROR_COMPILATION;
    return true;
  });
  return result;
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char* expression, const char** symbol) {
  if (expression == nullptr || symbol == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  hiprtcResult result = HIPRTC_ERROR_INVALID_PROGRAM;
  programs().update(program, [&](const _hiprtcProgram& each) {
    const auto found = each.symbols.find(expression);
    result = !each.is_compiled             ? HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
             : found == each.symbols.end() ? HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID
                                           : HIPRTC_SUCCESS;
    if (result == HIPRTC_SUCCESS) *symbol = found->second.c_str();
    return true;
  });
  return result;
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* bytes) {
  if (bytes == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  const auto found = programs().find(program);
  if (!found) return HIPRTC_ERROR_INVALID_PROGRAM;
  *bytes = found->compilation.log.size() + 1;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* log) {
  if (log == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  const auto found = programs().find(program);
  if (!found) return HIPRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(log, found->compilation.log.c_str(), found->compilation.log.size() + 1);
  return HIPRTC_SUCCESS;
}

namespace {

hiprtcResult give_size(hiprtcProgram program, size_t* bytes, bool is_relocatable) {
  return simt::of_compiled(program, bytes != nullptr, is_relocatable, [&](const _hiprtcProgram& each) {
    *bytes = each.compilation.code.size();
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult give_code(hiprtcProgram program, char* code, bool is_relocatable) {
  return simt::of_compiled(program, code != nullptr, is_relocatable, [&](const _hiprtcProgram& each) {
    std::memcpy(code, each.compilation.code.data(), each.compilation.code.size());
    return HIPRTC_SUCCESS;
  });
}

}  // namespace

hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* bytes) { return give_size(program, bytes, false); }
hiprtcResult hiprtcGetCode(hiprtcProgram program, char* code) { return give_code(program, code, false); }
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t* bytes) { return give_size(program, bytes, true); }
hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char* code) { return give_code(program, code, true); }

}  // namespace hip_on_cpu
