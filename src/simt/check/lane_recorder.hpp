// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what the lanes of one block do, for --trace (abi/lane_record.h).
//
// To learn which lane each lane reads from, a collective is carried out twice: on the lanes' numbers, and then on the
// operands. So there is no second list of what each operation does.
#pragma once

#include <cstdint>

#include "abi/lane_record.h"
#include "simt/check/checked_access.hpp"

namespace simt::check {

class lane_recorder : public access_check {
 public:
  void begin_block(checked_block& block, std::uint64_t number);
  void end_block() {
    if (is_on()) end_record();
  }
  void begin_collective(warp& current_warp, const pending_collective& met) {
    if (is_on()) note_collective(current_warp, met);
  }
  void end_collective(const warp& current_warp, const pending_collective&) {
    if (is_on()) note_results(current_warp);
  }
  void pass_barrier() {
    if (is_on()) note_barrier();
  }
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (block.is_recorded && is_on()) note(event);
    return true;
  }

  /// The last write, at `target`, copies what lies at `source`, which was read before it.
  void note_copy(std::uintptr_t target, std::uintptr_t source) {
    if (is_on()) complete_copy(reinterpret_cast<const char*>(target), reinterpret_cast<const char*>(source));
  }

  /// A collective is carried out on the lanes' numbers, which must have no other effect.
  bool is_probing() const { return probing_; }
  /// The value of `source`, a lane that takes no part, while is_probing().
  static std::uint64_t absent(unsigned source);

 private:
  bool is_on() const { return record_ != nullptr; }
  void end_record();
  void note(checked_access event);
  void complete_copy(const char* target, const char* source);
  void note_collective(const warp& current_warp, const pending_collective& met);
  void note_results(const warp& current_warp);
  void note_barrier();
  warpz_lane_event* add(warpz_lane_event_kind kind, std::uint32_t thread);
  std::uint32_t number_of(const site& at, lane_mask named);
  std::uint32_t number_of(const region& allocated);
  void complete_write();
  void note_warp(warpz_lane_event_kind kind, const warp& current_warp, lane_mask group, const site& at,
                 lane_mask named);
  warpz_movement probe(const warp& current_warp, const pending_collective& met);
  bool follows(const warp& current_warp) const;

  const block* block_ = nullptr;
  warpz_lane_record* record_ = nullptr;  ///< null: this block is not recorded
  // The last write, until its value has been read back: its events, and where the first of them writes.
  warpz_lane_event* written_begin_ = nullptr;
  warpz_lane_event* written_end_ = nullptr;
  const char* written_at_ = nullptr;
  const char* readable_ = nullptr;     ///< where the last read was; null: that memory cannot be read
  warpz_lane_event* parts_ = nullptr;  ///< one for each lane of the current collective; null: it is not recorded
  bool probing_ = false;
};

}  // namespace simt::check
