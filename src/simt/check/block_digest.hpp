// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a block's lanes: their number, and for a comparison with another run their hash. Of one block each step
// is kept (block_record.hpp), or compared with what an earlier run has kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simt/check/block_record.hpp"
#include "simt/check/checked_access.hpp"

namespace simt::check {

class block_digest : public access_check {
 public:
  void begin_block(checked_block& block, std::uint64_t number);
  void end_block();
  void begin_collective(warp& current_warp, const pending_collective& met);
  void end_collective(const warp& current_warp, const pending_collective& met) {
    if (recorded_) note_results(current_warp, met);
  }
  /// An access that no run compares.
  void count_access() { ++steps_; }
  /// What a thread gives away, such as what it prints.
  void note_number(std::uint32_t thread, std::uint64_t number, const void* code);
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    ++steps_;
    if (block.is_recorded && comparing_) note_access(event);
    return true;
  }

 private:
  void note_access(checked_access event);
  void note(const step& done);
  void note_results(const warp& current_warp, const pending_collective& met);
  void note_written(std::uint32_t thread);
  const step* differing_value(std::uint32_t thread, std::uint64_t value);
  void report_difference(const step& done);
  bool compares() const;

  const block* block_ = nullptr;
  std::uint64_t number_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t hash_ = 0;
  bool comparing_ = false;
  bool recorded_ = false;        ///< this is the block whose steps are kept or compared
  bool result_differs_ = false;  ///< a collective's result, from the record
  std::optional<step> changed_;  ///< an atomic that left another value in memory
  block_record* record_ = nullptr;
  std::vector<std::vector<std::uint32_t>> recorded_steps_;  ///< for each thread, the numbers of its steps in the record
  std::vector<std::size_t> steps_done_;                     ///< one for each thread of that block
  std::vector<std::string_view> written_;                   ///< the last write of each thread, if not yet compared
};

}  // namespace simt::check
