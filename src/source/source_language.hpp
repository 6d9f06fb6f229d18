// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a source is HIP or CUDA.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpz {

/// Whether the text includes headers of HIP, and none of CUDA's.
bool includes_hip_alone(std::string_view text);

/// A file of CUDA has a name that ends with .cu. One with HIP's headers alone is HIP, as hipcc compiles it.
bool is_cuda_file(const std::string& file);

/// The same of a file of a program: where one .cu file is HIP, the others are, too.
bool is_cuda_file(const std::string& file, std::span<const std::string> program);

/// How the file writes a mask of all lanes: CUDA's have 32 bits.
std::string_view mask_of_all_lanes(const std::string& file);

}  // namespace warpz
