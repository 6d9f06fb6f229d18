// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "compile/instrumentation.hpp"

namespace warpz {
namespace {

constexpr std::string_view run_option = "--run";

/// Options for the preprocessor alone whose value is the next argument.
constexpr std::array<std::string_view, 7> preprocessing_pairs{"-include",   "-imacros", "-isystem",    "-iquote",
                                                              "-idirafter", "-iprefix", "-iwithprefix"};
constexpr std::array<std::string_view, 3> preprocessing_words{"-I", "-D", "-U"};

/// The user's flags without those for the preprocessor, which would include files a second time.
std::vector<std::string> after_preprocessing(const std::vector<std::string>& flags) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& each = flags[i];
    const bool is_pair =
        std::find(preprocessing_pairs.begin(), preprocessing_pairs.end(), each) != preprocessing_pairs.end();
    const auto begins = [&each](std::string_view beginning) { return each.starts_with(beginning); };
    const auto word = std::find_if(preprocessing_words.begin(), preprocessing_words.end(), begins);
    if (is_pair || (word != preprocessing_words.end() && each == *word)) {
      ++i;
    } else if (word == preprocessing_words.end()) {
      kept.push_back(each);
    }
  }
  return kept;
}

/// A library, an object, or an option of the linker, which may name one.
bool names_linked_file(const std::string& flag) {
  return !flag.starts_with("-") || flag.starts_with("-l") || flag.starts_with("-Wl,") || flag == "-Xlinker";
}

std::vector<std::string> common_words(const cpu_compiler& compiler) {
  return {compiler.file, "-std=c++17", "-fPIC", "-fdiagnostics-color=always"};
}

/// Only the device's code reports its accesses.
bool is_instrumented(const user_program_compilation& common, code_side side) {
  return common.instrumented && side != code_side::host;
}

/// What hipcc's compiler defines. The host's code has the kernels' text, too. GPUs with 64 lanes are called GFX9.
std::vector<std::string> lane_macros(code_side side, unsigned warp_size) {
  std::vector<std::string> words = {fmt::format("-D__AMDGCN_WAVEFRONT_SIZE={}", warp_size),
                                    fmt::format("-D__AMDGCN_WAVEFRONT_SIZE__={}", warp_size)};
  if (side == code_side::device) words.emplace_back("-D__HIP_DEVICE_COMPILE__=1");
  if (side == code_side::device && warp_size == 64) words.emplace_back("-D__GFX9__=1");
  return words;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& added) {
  words.insert(words.end(), added.begin(), added.end());
}

}  // namespace

command preprocess_command(const cpu_compiler& compiler, const user_program_compilation& common, code_side side,
                           const std::string& source, const std::string& result, const std::string& depfile) {
  std::vector<std::string> words = common_words(compiler);
  // What hipcc defines, for programs that ask before they include anything.
  append(words, {"-D__HIPCC__=1", "-D__HIP__=1", "-D__HIP_PLATFORM_AMD__=1"});
  append(words, lane_macros(side, common.warp_size));
  append(words, {"-E", "-DWARPZ_PROGRAM", "-isystem", toolchain_part("device", run_option), "-isystem",
                 toolchain_part("simt/include", run_option), "-MD", "-MF", depfile});
  if (is_instrumented(common, side)) {
    add_instrumentation_macros(words);
  } else {
    add_sanitizer_macro(words);
  }
  // What hipcc's compiler includes before a source.
  append(words, {"-include", "cmath", "-include", "cstdlib", "-include",
                 toolchain_part("simt/include/hip/detail/qualifiers.h", run_option)});
  append(words, common.flags);
  // A compiler takes -file for an option, and @file for a file of options.
  const bool is_special = source.starts_with('-') || source.starts_with('@');
  append(words, {"-o", result, "-x", "c++", (is_special ? "./" : "") + source});
  return {words, {}};
}

std::vector<command> user_program_object_commands(const cpu_compiler& compiler, const user_program_compilation& common,
                                                  code_side side, const std::string& source,
                                                  const std::string& result) {
  std::vector<std::string> words = common_words(compiler);
  const std::string optimization = common.debuggable ? "-Og" : is_instrumented(common, side) ? "-O1" : "-O2";
  const std::string debug_information = common.debuggable ? "-g" : "-g1";
  // A large local array must not jump over the page that guards a lane's stack.
  const std::string stack = "-fstack-clash-protection";
  append(words, {debug_information, stack, optimization});
  // Kernels compare threadIdx with an int, and have pragmas for other compilers. The host's compilation sees the
  // kernels, too, and warns of them, but not their launch bounds.
  if (side == code_side::device) {
    append(words, {"-w"});
  } else {
    append(words, {"-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas", "-Wno-unused-const-variable"});
  }
  // If the compiler sees a launch with a null pointer, it must not conclude that the access never happens. And the
  // program's functions are its own, even if the process has others of the same names.
  append(words,
         {"-fno-delete-null-pointer-checks", "-fno-semantic-interposition", "-Wno-unused-command-line-argument"});
  // Findings name files as the user named them.
  std::error_code failed;
  append(words, {fmt::format("-fdebug-prefix-map={}=.", std::filesystem::current_path(failed).string())});
  const std::vector<std::string> flags = after_preprocessing(common.flags);
  append(words, flags);
  // Whatever the user hides, main has to be found.
  append(words, {"-fvisibility=default", "-c"});
  // To Clang the rewritten source is a HIP program's without any kernels. Then the name of a lambda's type depends on
  // its place within its function alone, and is the same in both compilations, whatever else they compile.
  append(words, {"-x", "hip", "--cuda-host-only", "-nogpuinc", "-nogpulib", source});
  // Clang 19 defines a variable of this name in each object.
  append(words, {"-Xclang", "-cuid=" + std::filesystem::path(result).stem().string()});
  // Intermediate code has no language standard.
  std::vector<std::string> later = {compiler.file, "-fPIC",      debug_information,
                                    stack,         optimization, "-fdiagnostics-color=always"};
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(later),
               [](std::string_view each) { return !each.starts_with("-std="); });
  // Behind the user's flags, which must not turn these off.
  if (is_instrumented(common, side)) {
    add_instrumentation(words);
    add_instrumentation(later);
  } else if (!common.instrumented) {
    add_sanitizers(words);
    add_sanitizers(later);
  }
  const std::string intermediate = intermediate_of(result);
  append(words, {"-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", intermediate});
  append(later, {"-Qunused-arguments", "-x", "ir", "-c", intermediate, "-o", result});
  return {{words, {}}, {later, {}}};
}

std::string intermediate_of(const std::string& object) { return object.substr(0, object.rfind('.')) + ".ll"; }

command user_program_link_command(const cpu_compiler& compiler, const user_program_compilation& common,
                                  std::span<const std::string> objects, const std::string& result) {
  std::vector<std::string> words = {compiler.file, "-shared", "-Wl,-Bsymbolic", "-o", result};
  if (common.instrumented) append(words, {toolchain_part("red-zone.o", run_option)});
  words.insert(words.end(), objects.begin(), objects.end());
  const std::vector<std::string> flags = after_preprocessing(common.flags);
  append(words, flags);
  if (std::any_of(flags.begin(), flags.end(), names_linked_file)) {
    append(words, {fmt::format("-Wl,--dependency-file={}.depfile", result)});
  }
  add_sanitizers(words);
  add_linker(words);
  return {words, {}};
}

}  // namespace warpz
