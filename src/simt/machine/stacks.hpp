// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stacks of one worker's lanes: one reservation, a guard page below each stack, memory only for touched pages.
#pragma once

#include <cstddef>

#include "simt/lane.hpp"

namespace simt {

/// The stack of one lane, without the guard page below it. Up to a page at the upper end stays unused.
inline constexpr std::size_t bytes_per_stack = 256 * 1024;

/// Lanes whose stacks can be alive at once in the process. A guarded stack takes two of the 65,530 memory
/// mappings that Linux gives a process by default.
inline constexpr std::size_t max_lanes_alive = 28 * 1024;

/// The first function on a stack. `from` is the lane that has switched to `self`.
using first_function = void (*)(lane* from, lane* self);

class lane_stacks {
 public:
  lane_stacks() = default;
  ~lane_stacks();
  lane_stacks(const lane_stacks&) = delete;
  lane_stacks& operator=(const lane_stacks&) = delete;

  /// Reserves `count` stacks in place of the ones before. False where the system has no more memory.
  bool reserve(std::size_t count);
  std::size_t count() const { return count_; }

  /// Prepares `target` to start `entry` on stack `index` when it is switched to for the first time.
  void prepare(std::size_t index, lane& target, first_function entry);

  /// Whether an address lies in a guard page: a lane has overflowed its stack.
  bool is_guard(const void* address) const;

 private:
  char* memory_ = nullptr;
  std::size_t count_ = 0;
  std::size_t touched_ = 0;  ///< the first so many have memory
};

}  // namespace simt
