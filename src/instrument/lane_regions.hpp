// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a kernel at its stops into regions, each a loop over lanes (abi/lane_loops.h).
//
//     x = in[i];                  region 0:  for each lane: value[lane] = in[i];
//     y = __shfl_down(x, 1);      region 1:  for each lane: out[i] = result[lane];
//     out[i] = y;
//
// A value that a region needs and another one computes is in the warp's frame, as an array of lanes, unless it is as
// well computed again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrument/lane_values.hpp"
#include "instrument/stops.hpp"
#include "instrument/uniform_values.hpp"
#include "llvm/ADT/MapVector.h"

namespace warpz::instrument {

/// Of the functions of regions.
inline constexpr llvm::StringLiteral region_attribute = "warpz-region";

/// What follows the kernel's name in theirs.
inline constexpr llvm::StringLiteral region_suffix = ".region";

struct lane_region {
  llvm::Function* function;
  int only_stop;
  bool tells_lane;
};

class cut_kernel {
 public:
  /// Takes over a copy of the kernel of this name.
  cut_kernel(llvm::Function& copy, llvm::StringRef name);

  /// Why the kernel can't be cut; null: it can.
  const char* obstacle() const { return obstacle_; }

  /// Once, where there is no obstacle: the regions, by their numbers. The copy is of no more use.
  std::vector<lane_region> regions();

  /// The stops before the regions from 1 on.
  const std::vector<stop_call>& stops() const { return stops_; }

  /// Of a warp or, where lanes are numbered through the block, of a block.
  std::uint64_t frame_bytes() const { return frame_bytes_; }

  /// Whether lanes are numbered through the block: nothing depends on their warps.
  bool is_of_block() const { return is_of_block_; }

  /// Whether it has scheduling points.
  bool yields() const;

 private:
  friend class region_builder;

  void find_obstacle();
  void find_stops();
  void place_variables_in_frame();
  std::uint64_t reserve(std::uint64_t bytes_of_lane);
  std::uint64_t slot_of(const llvm::Instruction& value);
  void drop_needless_yields();
  void find_order();
  bool meets_only_as_block();
  bool is_out_of_order(llvm::BasicBlock* first) const;

  llvm::Function& kernel_;
  std::string name_;
  const char* obstacle_ = nullptr;
  std::vector<stop_call> stops_;
  llvm::MapVector<const llvm::Instruction*, std::uint64_t> slots_;
  lane_values values_;
  std::optional<uniform_values> uniform_;
  std::uint64_t frame_bytes_ = 0;
  bool is_of_block_ = false;
};

}  // namespace warpz::instrument
