// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The digest of a launch, by which two launches can be compared; and undefined values: what lanes read from a lane that
// does not take part, and variables that they have not set. A launch that is not compared with another one only counts
// them. It passes on to the recorder of lanes what --trace shows, and to the counter of costs what --counters counts.
//
// Checked blocks run one at a time, so what they share needs no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simt/check/block_record.hpp"
#include "simt/check/checked_access.hpp"
#include "simt/check/lane_recorder.hpp"
#include "simt/counters/cost_counter.hpp"

namespace simt::check {

/// One block's part.
class block_digest : public access_check {
 public:
  static void begin_launch();
  /// The host gets these bytes.
  static void note_copied(const void* begin, std::size_t bytes);
  /// Nobody has written so many of them.
  static void note_unwritten(std::size_t bytes);
  void begin_block(checked_block& block, std::uint64_t number);
  void end_block();
  void begin_collective(warp& home, const pending_collective& met);
  void end_collective(const warp& home, lane_mask group) {
    if (recorded_) note_results(home, group);
    if (recorder_.is_on()) recorder_.end_collective(home);
  }
  void pass_barrier() {
    if (recorder_.is_on()) recorder_.pass_barrier();
    if (counter_.is_on()) counter_.pass_barrier();
  }
  [[gnu::always_inline]] bool access_region(checked_block&, checked_access& event) {
    ++steps_;
    if (noting_) note_access(event);
    return true;
  }

  /// What was just noted to be read at `source` is what is written at `target`, perhaps later.
  void note_copy(std::uintptr_t target, std::uintptr_t source) {
    if (recorder_.is_on())
      recorder_.note_copy(reinterpret_cast<const char*>(target), reinterpret_cast<const char*>(source));
  }

  /// What `lane` reads from `source` in the collective whose results are being computed.
  std::uint64_t undefined_result(unsigned lane, unsigned source);

  bool is_probing() const { return recorder_.is_probing(); }

  bool counts() const { return counter_.is_on(); }
  /// The running lane is about to access a vector there, or a struct that is aligned like one.
  void begin_vector(const region& memory, std::uintptr_t address, std::uint64_t alignment, bool is_written);

  /// The value of a variable that the thread has not set. `mark` identifies the variable; `code` is where it is used.
  /// Of memory that it has allocated, `operation` is what it has called there.
  std::uint64_t unset_value(std::uint32_t thread, std::uint64_t mark, const void* code,
                            const char* operation = nullptr);

 private:
  struct event_value {
    std::uint64_t bits;
    bool is_last;  ///< of those that are varied: it gets a finding
  };
  template <class Mark>
  event_value next_event(const Mark& mark_of_place);
  warpz_lane_group& add_group(warpz_finding& record, std::uint32_t thread, warpz_lane_state state) const;

  void note_access(checked_access event);
  void note(const step& done);
  void note_results(const warp& home, lane_mask group);
  void note_written(std::uint32_t thread);
  const step* differing_value(std::uint32_t thread, std::uint64_t value);
  void report_difference(const step& done);
  bool compares() const;

  const block* block_ = nullptr;
  std::uint64_t number_ = 0;
  std::uint32_t events_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t hash_ = 0;
  bool comparing_ = false;
  bool noting_ = false;          ///< each access is noted, for a comparison, the recorder or the counter
  bool recorded_ = false;        ///< this is the block whose steps are recorded
  bool result_differs_ = false;  ///< a collective's result, from the record
  std::optional<step> changed_;  ///< an atomic that left another value in memory
  block_record* record_ = nullptr;
  std::vector<std::vector<std::uint32_t>> recorded_steps_;  ///< of each thread, in the record
  std::vector<std::size_t> steps_done_;                     ///< by each thread of that block
  std::vector<std::string_view> written_;                   ///< the last write of each thread, if not yet compared

  lane_recorder recorder_;
  counters::cost_counter counter_;

  const warp* home_ = nullptr;  ///< of the last collective
  site at_{};
  lane_mask named_ = 0;
};

}  // namespace simt::check
