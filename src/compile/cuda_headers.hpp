// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether .cu files are CUDA, as nvcc has them, or HIP, as hipcc has them: by the headers that Clang says they include.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "compile/temp_dir.hpp"
#include "compile/user_program_commands.hpp"

namespace warpz {

/// Whether one of the .cu files among these includes HIP's headers, by itself or by headers of its own, and none of
/// CUDA's, where it is read as CUDA. Then all of them are HIP.
bool has_hip_in_cu(std::span<const std::string> files, const temp_dir& work,
                   const std::function<user_program_compilation(const std::string& file)>& compilation_of);

}  // namespace warpz
