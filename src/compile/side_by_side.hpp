// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilations side by side, as many as the machine has cores. Their messages are those of one after the other.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "compile/compiler_runner.hpp"

namespace warpz {

/// Compiles one thing, and returns the compilers' messages. Its settings tell() what it would show.
using compilation_step = std::function<std::string(const compiler_settings&)>;

/// Runs all steps and returns their messages in their order. If any fail, shows what the first one of them would have
/// shown, and throws what it has thrown.
std::string run_side_by_side(const compiler_settings& settings, std::span<const compilation_step> steps);

}  // namespace warpz
