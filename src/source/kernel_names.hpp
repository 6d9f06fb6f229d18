// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel's file says about itself: the names behind __global__, enough to guess which puzzles it is for, and the
// one warp size that it is for, if any. What kernels there really are, the compiler knows.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace warpz {

std::set<std::string> kernel_names_in(std::string_view source);

bool has_main(std::string_view source);

/// Whether the source has a main and launches kernels.
bool is_whole_program(std::string_view source);

/// 32 or 64 where a comment says so in a line of its own: "// warpz: --warp-size 32".
std::optional<unsigned> warp_size_said_in(std::string_view source);

}  // namespace warpz
