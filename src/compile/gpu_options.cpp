// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/gpu_options.hpp"

#include <algorithm>
#include <string_view>

namespace warpz {
namespace {

constexpr std::string_view words_alone[] = {"-fgpu-rdc",
                                            "-fno-gpu-rdc",
                                            "--hip-link",
                                            "--no-hip-link",
                                            "-mcumode",
                                            "-mno-cumode",
                                            "-munsafe-fp-atomics",
                                            "-mno-unsafe-fp-atomics",
                                            "-fgpu-allow-device-init",
                                            "-fgpu-flush-denormals-to-zero",
                                            "-fno-gpu-flush-denormals-to-zero",
                                            "--offload-compress",
                                            "--no-offload-compress",
                                            "-nogpulib",
                                            "-nogpuinc",
                                            "--expt-relaxed-constexpr",
                                            "-expt-relaxed-constexpr",
                                            "--extended-lambda",
                                            "-extended-lambda",
                                            "--expt-extended-lambda",
                                            "-expt-extended-lambda",
                                            "-lineinfo",
                                            "--generate-line-info",
                                            "--use_fast_math",
                                            "-use_fast_math",
                                            "--resource-usage",
                                            "-res-usage",
                                            "--restrict",
                                            "-restrict",
                                            "--forward-unknown-to-host-compiler",
                                            "-forward-unknown-to-host-compiler",
                                            "--forward-unknown-to-host-linker",
                                            "-forward-unknown-to-host-linker",
                                            "-Wno-deprecated-gpu-targets",
                                            "-dlto",
                                            "--dlink-time-opt",
                                            "-lcudart",
                                            "-lcudart_static",
                                            "-lcuda",
                                            "-lcudadevrt",
                                            "-lamdhip64"};

/// Their value is behind an equals sign or is the next word.
constexpr std::string_view words_with_values[] = {"--offload-arch",
                                                  "--no-offload-arch",
                                                  "--amdgpu-target",
                                                  "--cuda-gpu-arch",
                                                  "--rocm-path",
                                                  "--rocm-device-lib-path",
                                                  "--hip-path",
                                                  "--hip-device-lib-path",
                                                  "--cuda-path",
                                                  "--gpu-max-threads-per-block",
                                                  "-parallel-jobs",
                                                  "-fgpu-default-stream",
                                                  "-rdc",
                                                  "--relocatable-device-code",
                                                  "-arch",
                                                  "--gpu-architecture",
                                                  "-gencode",
                                                  "--generate-code",
                                                  "-code",
                                                  "--gpu-code",
                                                  "-maxrregcount",
                                                  "--maxrregcount",
                                                  "-ftz",
                                                  "--ftz",
                                                  "-prec-div",
                                                  "--prec-div",
                                                  "-prec-sqrt",
                                                  "--prec-sqrt",
                                                  "-fmad",
                                                  "--fmad",
                                                  "-cudart",
                                                  "--cudart",
                                                  "-cudadevrt",
                                                  "--cudadevrt",
                                                  "-ccbin",
                                                  "--compiler-bindir",
                                                  "-t",
                                                  "--threads",
                                                  "-default-stream",
                                                  "--default-stream",
                                                  "-Xptxas",
                                                  "--ptxas-options",
                                                  "-Xnvlink",
                                                  "--nvlink-options",
                                                  "-Xfatbin",
                                                  "--fatbin-options",
                                                  "-Xcudafe",
                                                  "--cudafe-options",
                                                  "-diag-suppress",
                                                  "--diag-suppress",
                                                  "-Xarch_device",
                                                  "-Xoffload-linker"};

/// Whether what it takes is never a word of its own, as hipcc's compiler has it.
bool is_clangs(std::string_view option) {
  return option.starts_with("--offload") || option.starts_with("--no-offload") || option.starts_with("--amdgpu") ||
         option.starts_with("--cuda-") || option.starts_with("--rocm") || option.starts_with("--hip") ||
         option.starts_with("--gpu-max") || option.starts_with("-parallel") || option.starts_with("-fgpu");
}

}  // namespace

std::size_t gpu_option_words(std::span<const std::string> words) {
  const std::string_view word = words.front();
  if (std::find(std::begin(words_alone), std::end(words_alone), word) != std::end(words_alone)) return 1;
  const std::string_view name = word.substr(0, word.find('='));
  if (std::find(std::begin(words_with_values), std::end(words_with_values), name) == std::end(words_with_values)) {
    return 0;
  }
  return name.size() < word.size() || is_clangs(name) || words.size() == 1 ? 1 : 2;
}

}  // namespace warpz
