// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/gpu_module.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "compile/toolchain.hpp"
#include "error.hpp"

namespace warpz {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string part(std::string_view name) { return toolchain_part(name, "--kernel"); }

std::string find_hipcc() {
  const std::string rocm = variable("ROCM_PATH");
  std::string file = find_program("hipcc", {rocm.empty() ? "/opt/rocm/bin" : rocm + "/bin", "/opt/rocm/bin"});
  if (!file.empty()) return file;
  throw error(exit_code::no_device, "--kernel needs hipcc to compile for a GPU, and it is not on PATH",
              "Debian and Ubuntu have it in the package hipcc; --backend cpu needs none.");
}

/// Makes hipcc and its compilers put their temporary files beside the result, to be removed with it.
std::string temporary_beside(const std::string& result) {
  return "TMPDIR=" + std::filesystem::path(result).parent_path().string();
}

std::vector<command> amd_commands(const gpu_compilation& job) {
  std::vector<std::string> words = {
      find_hipcc(), "--offload-arch=" + job.architecture, "-std=c++17", "-O3", "-fPIC", "-fvisibility=hidden",
      "-w",         "-fdiagnostics-color=always"};
  words.insert(words.end(), {"-iquote", job.quoted_folder, "-isystem", part("device")});
  words.insert(words.end(), {"-include", part("hip_on_cuda.hpp"), "-MD", "-MF", job.dependencies, "-c", job.source,
                             "-o", job.result + ".o"});
  const std::vector<std::string> link = {words[0],   words[1],          "-shared",           "-o",
                                         job.result, job.result + ".o", part("module-amd.o")};
  const std::vector<std::string> environment = {"HIP_PLATFORM=amd", temporary_beside(job.result)};
  return {{words, environment}, {link, environment}};
}

std::vector<command> nvidia_commands(const gpu_compilation& job) {
  const std::string cuda = variable("CUDA_PATH");
  const std::string nvcc = find_program("nvcc", {cuda.empty() ? "/usr/local/cuda/bin" : cuda + "/bin"});
  if (nvcc.empty()) {
    throw error(exit_code::no_device, "--kernel needs CUDA's nvcc to compile for an NVIDIA GPU, and it is not on PATH",
                "Where the toolkit lies elsewhere, set CUDA_PATH; --backend cpu needs none.");
  }
  // The headers are beside the real file, not beside a link to it.
  const std::string toolkit = std::filesystem::canonical(nvcc).parent_path().parent_path();
  const std::vector<std::string> environment = {"HIP_PLATFORM=nvidia", "CUDA_PATH=" + toolkit,
                                                temporary_beside(job.result)};
  const std::string number = job.architecture.substr(job.architecture.find('_') + 1);
  const std::string target = fmt::format("-gencode=arch=compute_{0},code=sm_{0}", number);
  std::vector<std::string> words = {
      find_hipcc(), "-x", "cu", target, "-std=c++17", "-O3", "-lineinfo", "-w", "-Xcompiler=-fPIC,-fvisibility=hidden"};
  words.insert(words.end(), {"-I" + job.quoted_folder, "-I" + part("device"), "-include", part("hip_on_cuda.hpp"),
                             "-MD", "-MF", job.dependencies, "-c", job.source, "-o", job.result + ".o"});
  const std::vector<std::string> link = {
      words[0], target,     "-shared",         fmt::format("-Xlinker=-rpath,{}/lib64", toolkit),
      "-o",     job.result, job.result + ".o", part("module-nvidia.o")};
  return {{words, environment}, {link, environment}};
}

}  // namespace

std::vector<command> gpu_module_commands(const gpu_compilation& job) {
  return job.vendor == "amd" ? amd_commands(job) : nvidia_commands(job);
}

}  // namespace warpz
