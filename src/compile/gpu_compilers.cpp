// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/gpu_compilers.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "compile/command.hpp"
#include "error.hpp"

namespace warpz {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string temporary_beside(const std::string& result) {
  return "TMPDIR=" + std::filesystem::path(result).parent_path().string();
}

}  // namespace

std::string find_hipcc(std::string_view option) {
  const std::string rocm = variable("ROCM_PATH");
  std::string file = find_program("hipcc", {rocm.empty() ? "/opt/rocm/bin" : rocm + "/bin", "/opt/rocm/bin"});
  if (!file.empty()) return file;
  throw error(exit_code::no_device, fmt::format("{} needs hipcc to compile for a GPU, and it is not on PATH", option),
              "Debian and Ubuntu have it in the package hipcc; --backend cpu needs none.");
}

cuda_toolkit find_cuda_toolkit(std::string_view option) {
  const std::string cuda = variable("CUDA_PATH");
  const std::string nvcc = find_program("nvcc", {cuda.empty() ? "/usr/local/cuda/bin" : cuda + "/bin"});
  if (nvcc.empty()) {
    throw error(exit_code::no_device,
                fmt::format("{} needs CUDA's nvcc to compile for an NVIDIA GPU, and it is not on PATH", option),
                "Where the toolkit lies elsewhere, set CUDA_PATH; --backend cpu needs none.");
  }
  // The headers are beside the real file, not beside a link to it.
  return {nvcc, std::filesystem::canonical(nvcc).parent_path().parent_path()};
}

std::vector<std::string> amd_environment(const std::string& result) {
  return {"HIP_PLATFORM=amd", temporary_beside(result)};
}

std::vector<std::string> nvidia_environment(const cuda_toolkit& toolkit, const std::string& result) {
  return {"HIP_PLATFORM=nvidia", "CUDA_PATH=" + toolkit.folder, temporary_beside(result)};
}

std::string nvcc_target(const std::string& architecture) {
  const std::string number = architecture.substr(architecture.find('_') + 1);
  return fmt::format("-gencode=arch=compute_{0},code=sm_{0}", number);
}

}  // namespace warpz
