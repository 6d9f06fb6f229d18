// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compilers of GPU vendors: hipcc for both, CUDA's nvcc for NVIDIA's. They are the user's own.
//
// `option` is the word on the command line that needs them, as errors name it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// Throws error(no_device) where it is missing.
std::string find_hipcc(std::string_view option);

struct cuda_toolkit {
  std::string nvcc;
  std::string folder;  ///< which has the headers and libraries
};

/// $CUDA_PATH's, else the one on PATH. Throws error(no_device) where it is missing.
cuda_toolkit find_cuda_toolkit(std::string_view option);

/// What both compilers have to know: for whom they compile, and that their temporary files go beside the result, to be
/// removed with it.
std::vector<std::string> amd_environment(const std::string& result);
std::vector<std::string> nvidia_environment(const cuda_toolkit& toolkit, const std::string& result);

/// nvcc's option for an architecture: sm_90.
std::string nvcc_target(const std::string& architecture);

}  // namespace warpz
