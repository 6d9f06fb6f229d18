// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel in other orders of its lanes, warps and blocks: results that depend on the order, and what is only found
// in another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "run/reruns.hpp"

namespace warpz {

/// The first element of the output that counts as different.
using compare_outputs =
    std::function<std::optional<std::size_t>(std::span<const float> first, std::span<const float> other)>;

/// Runs the kernel, which has just run in ascending order, once for each seed. Adds to `found` what was not found
/// before, and the first element that comes out differently. The session's buffers hold what the first run wrote before
/// and after.
void try_schedules(session& on, const kernel_run& what, const kernel_result& first,
                   std::span<const std::uint64_t> seeds, const compare_outputs& differs,
                   std::vector<located_finding>& found);

}  // namespace warpz
