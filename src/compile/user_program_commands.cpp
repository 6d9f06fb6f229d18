// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "abi/architecture.hpp"
#include "compile/gpu_options.hpp"
#include "compile/kernel_cache.hpp"
#include "compile/precompiled_header.hpp"
#include "compile/user_flags.hpp"

namespace warpz {
namespace {

std::vector<std::string> flags_of(const user_program_compilation& common) {
  std::vector<std::string> flags;
  for (std::span<const std::string> rest = common.flags; !rest.empty();) {
    const std::size_t dropped = gpu_option_words(rest);
    if (dropped == 0) flags.push_back(rest.front());
    rest = rest.subspan(std::max<std::size_t>(dropped, 1));
  }
  return flags;
}

/// What hipcc's compiler defines of the GPU. The host's half has the kernels' text, too, but only the warp's size is
/// defined there, and no longer in ROCm 7.
std::vector<std::string> gpu_macros(code_side side, const user_program_compilation& common) {
  std::vector<std::string> words;
  for (const char* const name : {"__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__"}) {
    if (common.code.rocm != 7) words.push_back(fmt::format("-D{}={}", name, common.warp_size));
  }
  if (side == code_side::host) return words;
  const std::string_view name =
      common.code.architecture.empty() ? default_architecture(common.warp_size) : common.code.architecture;
  words.push_back(fmt::format("-D__{}__=1", name));
  words.push_back(fmt::format("-D__GFX{}__=1", architecture_of(name)->major));
  for (const char* const macro : {"__amdgcn_processor__", "__amdgcn_target_id__"}) {
    words.push_back(fmt::format("-D{}=\"{}\"", macro, name));
  }
  return words;
}

}  // namespace

namespace {

/// What all compilations of this side have in common, but for the GPU, what is included first and the user's flags.
std::vector<std::string> side_words(const user_program_compilation& common, source_language language, code_side side) {
  std::vector<std::string> words = code_words(common.compiler, language, side, common.code);
  words.emplace_back("-DWARPZ_PROGRAM");
  // Kernels compare threadIdx with an int, and have pragmas for other compilers. Both compilations would warn alike.
  if (side == code_side::device) {
    words.emplace_back("-w");
  } else if (!common.is_of_build) {
    append(words, std::array<std::string, 4>{"-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas",
                                             "-Wno-unused-const-variable"});
  }
  // If the compiler sees a launch with a null pointer, it must not conclude that the access never happens. And the
  // program's functions are its own, even if the process has others of the same names.
  append(words, std::array<std::string, 3>{"-fno-delete-null-pointer-checks", "-fno-semantic-interposition",
                                           "-Wno-unused-command-line-argument"});
  return words;
}

/// The user's flags for this side.
std::vector<std::string> side_flags(const user_program_compilation& common, code_side side) {
  std::vector<std::string> words = without_linked_files(flags_of(common));
  // As with hipcc: the regions of OpenMP are the host's, and launch kernels.
  if (side == code_side::device) words.emplace_back("-fno-openmp");
  return words;
}

std::string header_file(const user_program_compilation& common, std::string_view name) {
  return toolchain_part(fmt::format("simt/include/{}", name), common.code.option);
}

/// What hipcc's compiler and nvcc include before a source.
std::string first_header(const user_program_compilation& common, source_language language) {
  return header_file(common, language == source_language::cuda ? "cuda_runtime.h" : "hip/detail/c_library.h");
}

}  // namespace

command user_program_object_command(const user_program_compilation& common, source_language language, code_side side,
                                    const object_files& files) {
  std::vector<std::string> words = side_words(common, language, side);
  if (language == source_language::hip) append(words, gpu_macros(side, common));
  if (is_of_host_alone(language)) {
    const bool is_c =
        language == source_language::c || (language == source_language::host_of_cuda && files.source.ends_with(".c"));
    append(words, std::array<std::string, 3>{"-x", is_c ? "c" : "c++", is_c ? "-std=gnu17" : "-std=c++17"});
    // Warnings to GCC before version 14, which nvcc hands such files to.
    if (is_c) {
      for (const char* const each : {"implicit-function-declaration", "implicit-int", "int-conversion"})
        words.push_back(fmt::format("-Wno-error={}", each));
    }
  } else {
    append(words, std::array<std::string, 2>{"-include", first_header(common, language)});
  }
  if (!common.is_of_build) {
    // Findings name files as the user named them.
    std::error_code failed;
    words.push_back(fmt::format("-fdebug-prefix-map={}=.", std::filesystem::current_path(failed).string()));
  }
  append(words, side_flags(common, side));
  // Whatever the user hides, main has to be found.
  if (side == code_side::host && !common.is_of_build) words.emplace_back("-fvisibility=default");
  if (!is_of_host_alone(language)) {
    // Both sides of a source find each other by it. Clang 19 does not pass it on by itself.
    const std::string identity = "-cuid=" + fingerprint(files.identity.empty() ? files.source : files.identity);
    append(words, std::array<std::string, 3>{identity, "-Xclang", identity});
  }
  if (!files.dependencies.empty()) append(words, std::array<std::string, 3>{"-MD", "-MF", files.dependencies});
  if (!files.object.empty()) append(words, std::array<std::string, 3>{"-c", "-o", files.object});
  words.push_back(source_word(files.source));
  return {words, {}};
}

command user_program_question(const user_program_compilation& common, const std::string& source,
                              const std::string& depfile) {
  std::vector<std::string> words = {common.compiler.file, "-x", "c++", "-std=c++17"};
  append(words, macros_of(source_language::cuda, code_side::host, common.code));
  append(words, without_linked_files(flags_of(common)));
  // Without the system's, little is read.
  append(words, std::array<std::string, 8>{"-E", "-M", "-MG", "-MF", depfile, "-nostdinc", "-nostdinc++", "-w"});
  std::error_code failed;
  words.push_back(std::filesystem::absolute(source, failed));
  return {words, {}};
}

command user_program_header_command(const user_program_compilation& common, source_language language, code_side side,
                                    const precompiled_files& files) {
  std::vector<std::string> words = side_words(common, language, side);
  const std::string first = first_header(common, language);
  const bool is_cuda = language == source_language::cuda;
  // The header asks for the GPU only where warpSize is a constant: elsewhere one header is for all GPUs.
  if (!is_cuda && common.code.rocm != 0 && common.code.rocm < 7) append(words, gpu_macros(side, common));
  if (!is_cuda) append(words, std::array<std::string, 2>{"-include", first});
  append(words, side_flags(common, side));
  append(words, precompiling_words(files));
  words.push_back(is_cuda ? first : header_file(common, "hip/hip_runtime.h"));
  return {words, {}};
}

command with_header(command object_command, const std::string& header) {
  // A macro that the header has as well would have been the header's.
  object_command.words.insert(object_command.words.end() - 1, {"-include-pch", header, "-Werror=macro-redefined"});
  return object_command;
}

bool links_without_flags(const user_program_compilation& common) {
  const std::vector<std::string> flags = flags_of(common);
  return std::all_of(flags.begin(), flags.end(), is_for_compiling);
}

command user_program_link_command(const user_program_compilation& common, std::span<const std::string> objects,
                                  const std::string& result) {
  std::vector<std::string> all(objects.begin(), objects.end());
  all.push_back(toolchain_part("launch-interface.o", common.code.option));
  std::vector<std::string> flags = flags_of(common);
  if (std::any_of(flags.begin(), flags.end(), names_linked_file)) {
    flags.push_back(fmt::format("-Wl,--dependency-file={}.depfile", result));
  }
  flags.emplace_back("-Wl,-Bsymbolic");
  // A static library may have it, and a shared object asks for none.
  flags.emplace_back("-Wl,-u,main");
  return link_command(common.compiler, common.code, result, all, flags);
}

}  // namespace warpz
