// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that the device code of a compiled program, a library or a module was made of, as Clang's plugin has listed
// them there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

struct device_source {
  std::string path;
  bool is_cuda = false;
};

/// Empty where the file does not say.
std::vector<device_source> device_sources_in(const std::string& file);

/// Whether a program of these sources is CUDA, if only in parts.
bool has_cuda(std::span<const device_source> sources);

/// Whether the finding is about CUDA: the program has CUDA, and none of the finding's lines is in a source of HIP.
bool is_about_cuda(const symbolized_finding& finding, std::span<const device_source> sources);

}  // namespace warpz
