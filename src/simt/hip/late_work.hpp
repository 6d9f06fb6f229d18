// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that has to come behind a launch which waits for the host, or behind a wait for a value (value_order.hpp), and
// so is kept until that has ended. Other work is done when its call returns.
#pragma once

#include <optional>

#include "simt/hip/work.hpp"

namespace simt {

/// Keeps the work if it has to wait, for a thread of its own; the result is that of validate(). Nothing: it can be run
/// now. Launches wait for any launch that is under way, as the machine runs one at a time.
std::optional<hipError_t> keep_for_later(const stream_task& task, hipStream_t stream);

/// Whether any is left.
bool has_late_work();

/// Waits for the launch that is under way, and for all work that is left.
void wait_for_late_work();
/// The same, for the work that ends before this.
void wait_for_late_work(const work_clock& end);

/// The running thread is the one that does late work.
bool does_late_work();

}  // namespace simt
