// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Undefined values: what lanes get from a lane that takes no part, and variables that they have not set. Each use is an
// event, which is counted. A run that is compared with another one gives some events other values: warpz_perturbation
// says which.
#pragma once

#include <cstdint>

#include "simt/check/checked_access.hpp"
#include "simt/instrumented.hpp"

namespace simt::check {

class undefined_values : public access_check {
 public:
  void begin_block(checked_block& block, std::uint64_t number);
  void begin_collective(warp& current_warp, const pending_collective& met) {
    warp_ = &current_warp;
    met_ = &met;
  }

  /// What `lane`, whose own value is `own`, gets from `source` in the collective whose results are being computed.
  std::uint64_t result(unsigned lane, unsigned source, std::uint64_t own);

  /// What `lane` gets there, which has asked for a lane or a distance that its segment does not have, and would get
  /// `word`. `by_all`: each lane of the collective asks for the same.
  std::uint64_t result_beyond(unsigned lane, const lane_request& request, bool by_all, std::uint64_t word);

  /// A variable that the thread has not set. `mark` identifies the variable; `code` is where it is used. `compared` is
  /// as simt_unset_value() has it. Of memory that it has allocated, `operation` is what it has called there.
  std::uint64_t variable(std::uint32_t thread, std::uint64_t mark, const std::uint64_t* compared, const void* code,
                         const char* operation = nullptr);

  /// Values that say more than the same one for all events; null: there is none.
  struct candidates {
    const std::uint64_t* of_lane;   ///< the value of the lane that gets the undefined one
    const std::uint64_t* compared;  ///< what the code compares the value with: how many, and these
  };

 private:
  struct event_value {
    std::uint64_t bits;
    bool is_last;  ///< the last event that is varied: it gets a finding
  };
  template <class Mark>
  event_value next_event(std::uint64_t ordinary, const Mark& mark_of_place, const candidates& own);

  const block* block_ = nullptr;
  std::uint64_t number_ = 0;
  std::uint32_t events_ = 0;
  const warp* warp_ = nullptr;               ///< whose lanes have met last
  const pending_collective* met_ = nullptr;  ///< the last collective, while its results are computed
};

}  // namespace simt::check
