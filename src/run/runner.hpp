// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one puzzle on one device: lays out the data, has the kernel run, compares.
//
// Knows puzzles and sessions, and nothing of options, formats or exit codes' meaning to the user.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "module/session.hpp"
#include "puzzle/puzzle.hpp"
#include "run/outcome.hpp"

namespace warpz {

/// The data to run on, and how long a kernel may take.
struct run_request {
  std::optional<std::size_t> size;  ///< without it: the documents' size, or that of the given data
  input_source input;
  std::uint64_t seed = 0;                           ///< of random input
  std::shared_ptr<const std::vector<float>> given;  ///< input read from a file
  std::optional<float> pivot;
  double timeout_seconds = 10;
};

class runner {
 public:
  /// Uses the device with this index in `of`. Keeps a reference.
  runner(session& of, std::uint32_t device);

  const warpz_device& device() const { return device_; }

  /// The outcome's spans stay valid until the next run. Throws where the device fails or memory is short. The given
  /// numbers are let go once they are copied, so the last run can be handed the caller's own share of them.
  outcome run(const puzzle& what, run_request how);

 private:
  session& session_;
  std::uint32_t device_index_;
  warpz_device device_;
  std::vector<float> expected_;
};

}  // namespace warpz
