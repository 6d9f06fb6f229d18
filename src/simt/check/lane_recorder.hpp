// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what the lanes of one block do, for --trace (abi/lane_record.h).
//
// Which lane a collective reads from is asked of the collective itself: it is carried out on numbers that say which
// lane they are of, before it is carried out on the operands. So there is no second list of what each operation does.
#pragma once

#include <cstdint>

#include "abi/lane_record.h"
#include "simt/check/checked_access.hpp"

namespace simt::check {

class lane_recorder {
 public:
  void begin_block(const block& current);
  void end_block();
  bool is_on() const { return record_ != nullptr; }

  void note(const checked_access& event);
  /// The write that was noted last, at `target`, copies what lies at `source`, whose read was noted before it.
  void note_copy(const char* target, const char* source);
  void begin_collective(const warp& home, const pending_collective& met);
  void end_collective(const warp& home);
  void pass_barrier();

  /// A collective is carried out on lanes' numbers: nothing else may come of it.
  bool is_probing() const { return probing_; }
  /// What `source`, which takes no part, gives then.
  static std::uint64_t absent(unsigned source);

 private:
  warpz_lane_event* add(warpz_lane_event_kind kind, std::uint32_t thread);
  std::uint32_t number_of(const site& at, lane_mask named);
  std::uint32_t number_of(const region& allocated);
  void complete_write();
  void note_warp(warpz_lane_event_kind kind, const warp& home, lane_mask group, const site& at, lane_mask named);
  warpz_movement probe(const warp& home, const pending_collective& met);
  bool follows(const warp& home) const;

  const block* block_ = nullptr;
  warpz_lane_record* record_ = nullptr;  ///< null: this block is not recorded
  // Of a write whose value is not read back yet: its events, each of so many bytes, and where it writes.
  warpz_lane_event* written_begin_ = nullptr;
  warpz_lane_event* written_end_ = nullptr;
  const char* written_at_ = nullptr;
  const char* readable_ = nullptr;     ///< what was read last; null where it could not be read
  warpz_lane_event* parts_ = nullptr;  ///< of the lanes of the collective that is carried out; null: not recorded
  bool probing_ = false;
};

}  // namespace simt::check
