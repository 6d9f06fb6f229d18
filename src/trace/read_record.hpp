// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the record that a kernel's process has left to the steps of its lanes.
#pragma once

#include "abi/lane_record.h"
#include "findings/accessed_memory.hpp"
#include "trace/trace.hpp"

namespace warpz {

/// The record may hold anything. Events that make no sense are left out.
trace read_record(const warpz_lane_record& record, const code_location& code, const kernel_arguments& arguments);

/// Marks the values that differ in `other`, the same run with something else in place of each undefined value. Steps
/// from the first one on that is not the same in both are marked as a whole.
void mark_undefined(trace& one, const trace& other);

}  // namespace warpz
