// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/gpu_module.hpp"

#include <fmt/format.h>

#include <string_view>

#include "compile/gpu_compilers.hpp"
#include "compile/toolchain.hpp"

namespace warpz {
namespace {

std::string part(std::string_view name) { return toolchain_part(name, "--kernel"); }

std::vector<command> amd_commands(const gpu_compilation& job) {
  std::vector<std::string> words = {find_hipcc("--kernel"),
                                    "--offload-arch=" + job.architecture,
                                    "-std=c++17",
                                    "-O3",
                                    "-fPIC",
                                    "-fvisibility=hidden",
                                    "-w",
                                    "-fdiagnostics-color=always"};
  words.insert(words.end(), {"-iquote", job.quoted_folder, "-isystem", part("device")});
  words.insert(words.end(), {"-include", part("hip_on_cuda.hpp"), "-MD", "-MF", job.dependencies, "-c", job.source,
                             "-o", job.result + ".o"});
  const std::vector<std::string> link = {words[0],   words[1],          "-shared",           "-o",
                                         job.result, job.result + ".o", part("module-amd.o")};
  const std::vector<std::string> environment = amd_environment(job.result);
  return {{words, environment}, {link, environment}};
}

std::vector<command> nvidia_commands(const gpu_compilation& job) {
  const cuda_toolkit toolkit = find_cuda_toolkit("--kernel");
  const std::vector<std::string> environment = nvidia_environment(toolkit, job.result);
  const std::string target = nvcc_target(job.architecture);
  std::vector<std::string> words = {find_hipcc("--kernel"),
                                    "-x",
                                    "cu",
                                    target,
                                    "-std=c++17",
                                    "-O3",
                                    "-lineinfo",
                                    "-w",
                                    "-Xcompiler=-fPIC,-fvisibility=hidden"};
  words.insert(words.end(), {"-I" + job.quoted_folder, "-I" + part("device"), "-include", part("hip_on_cuda.hpp"),
                             "-MD", "-MF", job.dependencies, "-c", job.source, "-o", job.result + ".o"});
  const std::vector<std::string> link = {
      words[0], target,     "-shared",         fmt::format("-Xlinker=-rpath,{}/lib64", toolkit.folder),
      "-o",     job.result, job.result + ".o", part("module-nvidia.o")};
  return {{words, environment}, {link, environment}};
}

}  // namespace

std::vector<command> gpu_module_commands(const gpu_compilation& job) {
  return job.vendor == "amd" ? amd_commands(job) : nvidia_commands(job);
}

}  // namespace warpz
