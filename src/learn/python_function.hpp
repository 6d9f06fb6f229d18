// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function called reference in a file of Python, which says what is right in a puzzle of one's own.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpz {

struct python_call {
  std::string file;
  std::vector<std::size_t> inputs;  ///< elements of each
  unsigned warp_size = 32;
  std::optional<float> pivot;
  double seconds = 0;  ///< after which it is stopped
};

/// Calls it in a process of its own, with a list for each input and, by name, those of warp_size and pivot that it
/// takes. Throws error(bad_input), with what Python says, where it fails, takes too long or returns another number of
/// numbers.
void call_python(const python_call& call, std::span<const float> x, std::span<float> result);

}  // namespace warpz
