// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel in other orders of its lanes, warps and blocks, and in blocks of another size: results that depend on the
// one or the other, and what is only found then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "puzzle/plan.hpp"
#include "run/experiments/kernel_replay.hpp"

namespace warpz {

/// What the puzzle has to say of them.
struct schedule_rules {
  /// The first element of the output that counts as different.
  std::function<std::optional<std::size_t>(std::span<const float> first, std::span<const float> other)> differs;
  /// The same elements in other blocks, where the kernel can be launched so; nothing where the seed has none.
  std::function<std::optional<plan>(std::uint64_t seed)> other_blocks;
};

/// Runs the kernel, which has just run in ascending order, once for each seed in its order, and once in its blocks.
/// Adds to `found` what was not found before, and the first element that comes out differently. The kernel_process's
/// buffers hold what the first run wrote before and after.
void explore_schedules(kernel_process& on, const kernel_run& what, const kernel_result& first,
                       std::span<const std::uint64_t> seeds, const schedule_rules& by,
                       std::vector<located_finding>& found);

}  // namespace warpz
