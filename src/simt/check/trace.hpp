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
#include <utility>
#include <vector>

#include "simt/block.hpp"
#include "simt/check/shadow.hpp"

namespace simt::check {

/// What an access does with the memory.
enum class doing : unsigned char { read, write, read_and_write, atomic_read, atomic_write, atomic_change };

constexpr bool reads(doing what) {
  return what == doing::read || what == doing::read_and_write || what == doing::atomic_change;
}
constexpr bool writes(doing what) { return what != doing::read && what != doing::atomic_read; }
constexpr bool is_atomic(doing what) { return what >= doing::atomic_read; }

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
  /// What a lane did: the meeting at `at`, or an access.
  struct step {
    std::uint64_t what;
    std::uintptr_t code;
    site at;
    std::uint32_t bytes;
    doing access;
    std::uint64_t value;  ///< what the meeting gave it, or what it wrote
  };
  struct history;

  struct event_value {
    std::uint64_t bits;
    bool is_last;  ///< of those that are varied: it is to be told of
  };
  template <class Mark>
  event_value next_event(const Mark& mark_of_place);
  warpz_lane_group& add_group(warpz_finding& record, std::uint32_t thread, warpz_lane_state state) const;

  void note_access(std::uint32_t thread, const region& in, std::uintptr_t address, std::size_t bytes, doing what,
                   const void* code);
  void note(std::uint32_t thread, const step& done);
  void note_results(const warp& of, lane_mask group);
  void note_written(std::uint32_t thread);
  const step* differing_value(std::uint32_t thread, std::uint64_t value) const;
  void differs(std::uint32_t thread, const step& done);

  const block* block_ = nullptr;
  std::uint64_t number_ = 0;
  std::uint32_t events_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t digest_ = 0;
  bool tracing_ = false;
  bool recorded_ = false;                                  ///< it is the block whose steps are kept
  bool result_differs_ = false;                            ///< of a meeting, from the record
  std::optional<std::pair<std::uint32_t, step>> changed_;  ///< a thread's atomic that made something else of memory
  std::vector<std::size_t> steps_done_;                    ///< of each thread of that block
  std::vector<std::uintptr_t> written_;  ///< where each of them has written last; 0: nowhere since this was looked at

  const warp* meeting_ = nullptr;
  site at_{};
  lane_mask named_ = 0;
};

}  // namespace simt::check
