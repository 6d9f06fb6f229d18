// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams under capture: what is given to them becomes nodes of a graph in place of being run.
#pragma once

#include "simt/hip/work.hpp"

namespace simt {

/// Runs the work, or adds it to the graph that the stream is captured into.
hipError_t submit(hipStream_t stream, stream_task task);

/// As above, for work that is costly to keep as a value.
bool is_captured(hipStream_t stream);

/// The error of work on the null stream that would have to wait for a captured one.
hipError_t refuse_null_stream(hipStream_t stream);

/// The error of a call that cannot be captured, on the stream; the capture is invalid after that.
hipError_t refuse_if_captured(hipStream_t stream);
/// As above, for calls that concern all streams.
hipError_t refuse_during_capture();

/// Whether what the event stands for is part of a capture.
bool is_captured(hipEvent_t event);

/// Notes what the stream has been given so far; false where it is not captured.
bool capture_event(hipEvent_t event, hipStream_t stream);

/// Lets the stream wait for an event, which may make it part of the event's capture.
hipError_t wait_for_event(hipStream_t stream, hipEvent_t event);

/// The stream no longer exists.
void forget_captured(hipStream_t stream);

}  // namespace simt
