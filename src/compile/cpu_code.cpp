// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/cpu_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "abi/architecture.hpp"

namespace warpz {
namespace {

constexpr std::string_view sanitizers = WARPZ_SANITIZERS;

/// A program with sanitizers can only load code that has them, too. Instrumented code has none, as both would want the
/// accesses, but tells of the stacks of lanes.
void add_sanitizers(std::vector<std::string>& words, bool instrumented) {
  if (sanitizers.empty()) return;
  if (!instrumented) words.push_back(fmt::format("-fsanitize={}", sanitizers));
  if (instrumented && sanitizers.find("address") != sanitizers.npos) {
    words.emplace_back("-DSIMT_ADDRESS_SANITIZER=1");
  }
}

/// The words of an option that the build has as well (src/instrument/CMakeLists.txt).
std::vector<std::string> words_of(std::string_view options) {
  std::vector<std::string> words;
  while (!options.empty()) {
    const std::string_view word = options.substr(0, options.find(' '));
    words.emplace_back(word);
    options.remove_prefix(std::min(word.size() + 1, options.size()));
  }
  return words;
}

}  // namespace

void append(std::vector<std::string>& words, std::span<const std::string> added) {
  words.insert(words.end(), added.begin(), added.end());
}

bool has_name_of_cuda(const std::string& file) { return file.ends_with(".cu"); }

source_language language_of(const std::string& file, std::span<const std::string> program, bool has_hip_in_cu) {
  if (has_hip_in_cu) return source_language::hip;
  if (has_name_of_cuda(file)) return source_language::cuda;
  const bool is_beside_cuda = !file.ends_with(".hip") && std::any_of(program.begin(), program.end(), has_name_of_cuda);
  return is_beside_cuda ? source_language::host_of_cuda : source_language::hip;
}

std::vector<std::string> macros_of(source_language language, code_side side, const code_settings& settings) {
  if (language == source_language::hip) {
    std::vector<std::string> words = {"-D__HIP_PLATFORM_AMD__=1"};
    if (settings.rocm != 0) words.push_back(fmt::format("-D__WARPZ_ROCM__={}", settings.rocm));
    return words;
  }
  if (language == source_language::host || language == source_language::c) return {};
  // For warpz's headers: CUDA's vector types and masks.
  std::vector<std::string> words = {"-D__WARPZ_CUDA__=1"};
  if (language == source_language::host_of_cuda) return words;
  for (const char* const name : {"__HIP__", "__HIPCC__", "__HIP_DEVICE_COMPILE__"}) {
    words.push_back(fmt::format("-U{}", name));
  }
  for (const char* const macro : {"__CUDA__=1", "__CUDACC__=1", "__NVCC__=1", "__CUDACC_VER_MAJOR__=12",
                                  "__CUDACC_VER_MINOR__=4", "__CUDACC_VER_BUILD__=131"}) {
    words.push_back(fmt::format("-D{}", macro));
  }
  const architecture device = architecture_of(settings.architecture).value_or(*architecture_of("sm_90"));
  if (side == code_side::device) words.push_back(fmt::format("-D__CUDA_ARCH__={}{}0", device.major, device.minor));
  return words;
}

std::vector<std::string> code_words(const cpu_compiler& compiler, source_language language, code_side side,
                                    const code_settings& settings) {
  const bool is_instrumented = settings.instrumented && side == code_side::device;
  std::vector<std::string> words = {compiler.file, "-fPIC", "-fdiagnostics-color=always"};
  append(words, words_of(side == code_side::device ? WARPZ_DEVICE_CODE_OPTIONS : WARPZ_HOST_CODE_OPTIONS));
  append(words, macros_of(language, side, settings));
  // To AMD's compiler, which is older, and to nvcc it is no error, and their libraries have it.
  if (!is_of_host_alone(language)) words.emplace_back("-Wno-missing-template-arg-list-after-template-kw");
  // A warning to nvcc.
  if (language == source_language::cuda) words.emplace_back("-Wno-register");
  if (side == code_side::device || settings.instrumented) {
    const std::string plugin = toolchain_part("instrument.so", settings.option);
    append(words, std::array<std::string, 5>{"-Xclang", "-load", "-Xclang", plugin, "-fpass-plugin=" + plugin});
  }
  if (side == code_side::device) {
    // The plugin reads the kernels' parameters and constants off it, and leaves lines.
    append(words, std::array<std::string, 2>{"-g", "-fdebug-macro"});
    if (settings.debuggable) append(words, std::array<std::string, 2>{"-mllvm", "-warpz-debuggable"});
    if (language == source_language::cuda) append(words, std::array<std::string, 2>{"-mllvm", "-warpz-cuda"});
  } else {
    words.emplace_back(settings.debuggable || settings.instrumented ? "-g" : "-g1");
    if (settings.instrumented) {
      append(words, std::array<std::string, 4>{"-fdebug-macro", "-fkeep-static-consts", "-mllvm", "-warpz-host"});
    }
    if (settings.debuggable && settings.instrumented)
      append(words, std::array<std::string, 2>{"-mllvm", "-warpz-debuggable"});
  }
  if (is_instrumented) {
    append(words, words_of(WARPZ_CHECKED_CODE_OPTIONS));
  } else {
    words.emplace_back("-O2");
  }
  if (settings.debuggable) words.emplace_back("-Og");
  add_sanitizers(words, settings.instrumented);
  for (const char* const folder : {"device", "simt/include"}) {
    append(words, std::array<std::string, 2>{"-isystem", toolchain_part(folder, settings.option)});
  }
  return words;
}

std::string source_word(const std::string& file) {
  return file.starts_with('-') || file.starts_with('@') ? "./" + file : file;
}

command link_command(const cpu_compiler& compiler, const code_settings& settings, const std::string& result,
                     std::span<const std::string> objects, std::span<const std::string> flags) {
  std::vector<std::string> words = {compiler.file, "-shared", "-o", result};
  // First: it lies before the first variable.
  if (settings.instrumented) words.push_back(toolchain_part("red-zone.o", settings.option));
  append(words, objects);
  append(words, flags);
  if (!sanitizers.empty()) words.push_back(fmt::format("-fsanitize={}", sanitizers));
  // GNU's older linker takes longer for a module than the compiler.
  if (!find_program("ld.gold").empty()) words.emplace_back("-fuse-ld=gold");
  return {words, {}};
}

}  // namespace warpz
