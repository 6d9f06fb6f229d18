// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of lanes that go no further: of them nothing is recorded, and what was found tells where they are.
#pragma once

#include <cstddef>
#include <optional>

#include "findings/outcome.hpp"
#include "trace/trace.hpp"

namespace warpz {

/// Whether the trace has the group's lanes.
bool is_of_block(const warpz_lane_group& group, const trace& run);

/// Whether lanes of the group come no further than the finding tells.
bool ends_here(const warpz_finding& record, const warpz_lane_group& group);

/// Adds the step where a group's lanes end, and returns its number; nothing where the trace has not these lanes.
std::optional<std::size_t> add_last_step(trace& run, const symbolized_finding& found, const warpz_lane_group& group);

/// The last step, in which all lanes of the warp return from the kernel; adds it unless it is there.
trace_step& returning_step(trace& run, unsigned warp);

}  // namespace warpz
