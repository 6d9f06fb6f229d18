// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines that compile HIP and CUDA for the CPU machine, as hipcc and nvcc do for a GPU: each source once for the
// host and once for the device. Clang's front end reads HIP itself; for the device it takes the machine's own
// processor, and warpz's plugin does the rest (src/instrument).
//
// CUDA is the same language with other names, so Clang reads it as HIP, too. Its own CUDA has no __managed__, and
// registers device code that only NVIDIA's tools make.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/command.hpp"
#include "compile/toolchain.hpp"

namespace warpz {

enum class code_side { host, device };

/// What a source is written in. nvcc gives all but .cu files to the host's compiler; `host` and `c` are C++ and C that
/// may call a runtime, whose headers say which.
enum class source_language { hip, cuda, host_of_cuda, host, c };

/// Whether the source has no device code.
constexpr bool is_of_host_alone(source_language language) {
  return language != source_language::hip && language != source_language::cuda;
}

/// A file of CUDA has a name that ends with .cu, as hipcc's may, too (compile/cuda_headers.hpp).
bool has_name_of_cuda(const std::string& file);

/// By the file's ending: .cu is CUDA, unless the program's .cu files are HIP, and beside CUDA all else but .hip is code
/// of the host alone.
source_language language_of(const std::string& file, std::span<const std::string> program, bool has_hip_in_cu);

struct code_settings {
  std::string_view option;    ///< the word on the command line that the code is for, as errors name it
  bool instrumented = false;  ///< the code reports each access, and each result of HIP that it ignores
  bool debuggable = false;    ///< hardly optimized, with all debug information
  std::string_view architecture =
      {};             ///< the GPU that the code sees itself on; empty: one with as many lanes, or sm_90
  unsigned rocm = 0;  ///< ROCm's version whose interface the code sees; 0: the headers' own
};

/// What hipcc and nvcc define, as far as Clang does not do it or does it for HIP alone. CUDA's device is an sm_90,
/// whose operations the machine has, unless another one is asked for.
std::vector<std::string> macros_of(source_language language, code_side side, const code_settings& settings);

/// What every compilation of this side begins with: the compiler and its options.
std::vector<std::string> code_words(const cpu_compiler& compiler, source_language language, code_side side,
                                    const code_settings& settings);

/// A source as an argument: a compiler takes -file for an option, and @file for a file of options.
std::string source_word(const std::string& file);

/// Links objects to a shared object that finds the machine in the program that loads it.
command link_command(const cpu_compiler& compiler, const code_settings& settings, const std::string& result,
                     std::span<const std::string> objects, std::span<const std::string> flags = {});

void append(std::vector<std::string>& words, std::span<const std::string> added);

}  // namespace warpz
