// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This program, started again: whatever a user's code does, it does it there.
#pragma once

#include <poll.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "process/child_process.hpp"
#include "process/output_relay.hpp"

namespace warpz {

/// Its standard input is empty. It ends with this object: it has a moment to remove what it has written.
class another_warpz {
 public:
  /// `words` begins with the name by which it is called; `variables`, such as "NAME=1", go before the environment's
  /// own. Throws error(no_device) where it cannot be started.
  explicit another_warpz(std::vector<std::string> words, std::vector<std::string> variables = {});
  ~another_warpz();

  /// Waits until it has something to say, has ended, or a descriptor is ready, at most 50 ms. True once it has ended.
  bool is_over(std::vector<pollfd> polled = {});

  /// What it and all that it has started have taken so far. It may be asked often, and looks only from time to time.
  double processor_seconds();

  /// What it has written so far; of each stream at most 16 MiB.
  std::string_view output() const { return output_; }
  std::string_view messages() const { return messages_; }

 private:
  std::string output_, messages_;
  output_relay relay_;
  child_process child_;
  double processor_seconds_ = 0;
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace warpz
