// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch does, noted so that two launches can be compared; and undefined values: what lanes get that read from
// one that takes no part, and variables that they have not set. A launch that is not to be compared with another notes
// only how many of these there are.
//
// Watched blocks run one at a time, so what is common to them needs no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simt/check/record.hpp"
#include "simt/check/shadow.hpp"
#include "simt/machine/block.hpp"

namespace simt::check {

std::uint32_t state_of(doing what);

/// One block's part.
class block_trace {
 public:
  static void begin_launch();
  void begin_block(const block& of, std::uint64_t number);
  void end_block();

  /// The lanes of `group` have met; their call names `named`.
  void meet(warp& of, lane_mask group, lane_mask named, const site& at);

  /// Now they have their results.
  void met(const warp& of, lane_mask group) {
    if (recorded_) note_results(of, group);
  }

  void touch(std::uint32_t thread, const region& in, std::uintptr_t address, std::size_t bytes, doing what,
             const void* code) {
    ++steps_;
    if (tracing_) note_access(thread, in, address, bytes, what, code);
  }

  /// What `lane` gets from `source` in the meeting that is being resolved.
  std::uint64_t undefined_result(unsigned lane, unsigned source);

  /// What a variable is that the thread has not set. `mark` tells the variable; `code` is where it is asked for.
  std::uint64_t unset_value(std::uint32_t thread, std::uint64_t mark, const void* code);

 private:
  struct event_value {
    std::uint64_t bits;
    bool is_last;  ///< of those that are varied: it is to be told of
  };
  template <class Mark>
  event_value next_event(const Mark& mark_of_place);
  warpz_lane_group& add_group(warpz_finding& record, std::uint32_t thread, warpz_lane_state state) const;

  void note_access(std::uint32_t thread, const region& in, std::uintptr_t address, std::size_t bytes, doing what,
                   const void* code);
  void note(const step& done);
  void note_results(const warp& of, lane_mask group);
  void note_written(std::uint32_t thread);
  const step* differing_value(std::uint32_t thread, std::uint64_t value);
  void differs(const step& done);
  bool compares() const;

  const block* block_ = nullptr;
  std::uint64_t number_ = 0;
  std::uint32_t events_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t digest_ = 0;
  bool tracing_ = false;
  bool recorded_ = false;        ///< it is the block whose steps are kept
  bool result_differs_ = false;  ///< of a meeting, from the record
  std::optional<step> changed_;  ///< an atomic that made something else of memory
  record* kept_ = nullptr;
  std::vector<std::vector<std::uint32_t>> recorded_steps_;  ///< of each thread, in the record
  std::vector<std::size_t> steps_done_;                     ///< of each thread of that block
  std::vector<std::string_view> written_;  ///< what each of them has written and has not been looked at since

  const warp* meeting_ = nullptr;
  site at_{};
  lane_mask named_ = 0;
};

}  // namespace simt::check
