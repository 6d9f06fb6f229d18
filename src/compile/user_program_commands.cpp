// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "compile/kernel_cache.hpp"

namespace warpz {
namespace {

/// Options of hipcc and nvcc that have no meaning here: for which GPU, whether its code is linked, which here it always
/// is, and with which runtime.
bool is_for_gpu(std::string_view flag) {
  constexpr std::string_view words[] = {"-fgpu-rdc",
                                        "-fno-gpu-rdc",
                                        "--hip-link",
                                        "-rdc=true",
                                        "-dc",
                                        "--expt-relaxed-constexpr",
                                        "--extended-lambda",
                                        "--expt-extended-lambda",
                                        "-lineinfo",
                                        "--use_fast_math",
                                        "-use_fast_math",
                                        "-lcudart",
                                        "-lcuda",
                                        "-lcudadevrt"};
  constexpr std::string_view beginnings[] = {
      "--offload-arch=", "--amdgpu-target=", "-arch=", "--gpu-architecture=", "-gencode=", "--generate-code="};
  return std::find(std::begin(words), std::end(words), flag) != std::end(words) ||
         std::any_of(std::begin(beginnings), std::end(beginnings),
                     [flag](std::string_view each) { return flag.starts_with(each); });
}

std::vector<std::string> flags_of(const user_program_compilation& common) {
  std::vector<std::string> flags = common.flags;
  std::erase_if(flags, is_for_gpu);
  return flags;
}

/// A library, an object, or an option of the linker, which may name one.
bool names_linked_file(const std::string& flag) {
  return !flag.starts_with("-") || flag.starts_with("-l") || flag.starts_with("-Wl,") || flag == "-Xlinker";
}

/// What hipcc's compiler defines of a warp. The host's half has the kernels' text, too. GPUs with 64 lanes are called
/// GFX9.
std::vector<std::string> lane_macros(code_side side, unsigned warp_size) {
  std::vector<std::string> words = {fmt::format("-D__AMDGCN_WAVEFRONT_SIZE={}", warp_size),
                                    fmt::format("-D__AMDGCN_WAVEFRONT_SIZE__={}", warp_size)};
  if (side == code_side::device && warp_size == 64) words.emplace_back("-D__GFX9__=1");
  return words;
}

}  // namespace

command user_program_object_command(const user_program_compilation& common, source_language language, code_side side,
                                    const object_files& files) {
  std::vector<std::string> words = code_words(common.compiler, language, side, common.code);
  words.emplace_back("-DWARPZ_PROGRAM");
  if (language == source_language::hip) append(words, lane_macros(side, common.warp_size));
  if (language == source_language::host_of_cuda) {
    const bool is_c = files.source.ends_with(".c");
    append(words, std::array<std::string, 3>{"-x", is_c ? "c" : "c++", is_c ? "-std=gnu17" : "-std=c++17"});
  } else {
    // What hipcc's compiler and nvcc include before a source.
    const std::string_view header = language == source_language::cuda ? "cuda_runtime.h" : "hip/detail/c_library.h";
    append(words, std::array<std::string, 2>{
                      "-include", toolchain_part(fmt::format("simt/include/{}", header), common.code.option)});
  }
  // Kernels compare threadIdx with an int, and have pragmas for other compilers. Both compilations would warn alike.
  if (side == code_side::device) {
    words.emplace_back("-w");
  } else {
    append(words, std::array<std::string, 4>{"-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas",
                                             "-Wno-unused-const-variable"});
  }
  // If the compiler sees a launch with a null pointer, it must not conclude that the access never happens. And the
  // program's functions are its own, even if the process has others of the same names.
  append(words, std::array<std::string, 3>{"-fno-delete-null-pointer-checks", "-fno-semantic-interposition",
                                           "-Wno-unused-command-line-argument"});
  // Findings name files as the user named them.
  std::error_code failed;
  words.push_back(fmt::format("-fdebug-prefix-map={}=.", std::filesystem::current_path(failed).string()));
  append(words, flags_of(common));
  // Whatever the user hides, main has to be found.
  if (side == code_side::host) words.emplace_back("-fvisibility=default");
  // Both sides of a source find each other by it. Clang 19 does not pass it on by itself.
  const std::string identity = "-cuid=" + fingerprint(files.source);
  append(words, std::array<std::string, 3>{identity, "-Xclang", identity});
  append(words, std::array<std::string, 6>{"-MD", "-MF", files.dependencies, "-c", "-o", files.object});
  words.push_back(source_word(files.source));
  return {words, {}};
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
  return link_command(common.compiler, common.code, result, all, flags);
}

}  // namespace warpz
