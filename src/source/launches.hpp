// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites HIP's own syntax as C++: launches, shared memory, and kernels as addresses.
//
//     scale<float><<<grid, block>>>(data, n);    becomes a call of simt::launch_configured
//     __shared__ float tile[256];                static thread_local and used, as hip/detail/qualifiers.h has it
//     elsewhere extern __shared__ float tile[];            a reference to the block's dynamic shared memory
//     hipLaunchKernel((void*)scale, grid, ...)   the same without the cast
//     __device__ int count;                      an annotation, which source/passes.hpp reads; nothing for a lambda
//
// Text in, text out, with every line where it was. It leaves whatever it does not understand to the compiler, which
// then names the line.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// C++ for preprocessed HIP. WARPZ_PROGRAM was defined for the preprocessor, which makes it mark shared variables.
std::string without_hip_syntax(std::string_view preprocessed);

/// Whether the source has a main and launches kernels by `<<<...>>>`.
bool is_whole_program(std::string_view source);

/// Stands for __shared__ in the preprocessed text; src/simt/include/hip/detail/qualifiers.h names it too.
inline constexpr std::string_view shared_mark = "__warpz_shared__";
/// Stands for __device__ where a program's device code has to be told from its host code.
inline constexpr std::string_view device_word = "__warpz_device__";

}  // namespace warpz
