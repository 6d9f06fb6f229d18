// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function called reference in a file of Python, which says what is right in a puzzle of one's own.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "process/child_process.hpp"
#include "system/descriptor.hpp"

namespace warpz {

struct python_call {
  std::vector<std::size_t> inputs;  ///< elements of each
  unsigned warp_size = 32;
  std::optional<float> pivot;
};

/// A process of Python that has loaded the file, from the first call on; each call is a fork of it, so that none sees
/// what another one has changed.
class python_function {
 public:
  /// A call that takes so many seconds is stopped.
  python_function(std::string file, double seconds) : file_(std::move(file)), seconds_(seconds) {}
  python_function(const python_function&) = delete;
  python_function& operator=(const python_function&) = delete;

  /// Calls it with a list for each input and, by name, those of warp_size and pivot that it takes. Throws
  /// error(bad_input), with what Python says, where it fails, takes too long or returns another number of numbers.
  void call(const python_call& call, std::span<const float> x, std::span<float> result);

 private:
  void start();
  int answer(std::size_t elements);

  const std::string file_;
  const double seconds_;
  os::descriptor input_, output_, messages_, channel_;
  pid_t caller_ = 0;                      ///< the process that has started it
  std::unique_ptr<child_process> child_;  ///< null: it has not been started, or has ended
};

}  // namespace warpz
