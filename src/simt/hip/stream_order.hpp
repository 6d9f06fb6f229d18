// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HIP promises about the order of the work that is given to streams, and of the host beside it.
//
// The machine runs work at once. What a GPU could do later or earlier is known by clocks alone
// (machine/work_order.hpp): one for each stream and event, and one for the host, which says what the host has waited
// for. The program's threads share that one, as only they know how they order each other.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <map>
#include <optional>

#include "simt/machine/work_order.hpp"

namespace simt {

struct line_copy;
class graph;
struct graph_node;

/// Whether it is a finding that nothing orders two accesses. The order is known all the same.
bool is_order_checked();

/// What the running thread does is the work of this stream as long as it exists, unless it is part of other work.
class stream_work {
 public:
  explicit stream_work(hipStream_t stream);
  stream_work(const stream_work&) = delete;
  stream_work& operator=(const stream_work&) = delete;
  ~stream_work();

 private:
  std::optional<ordered_work> work_;
};

/// A graph that runs on a stream: its nodes are ordered by their dependencies.
class graph_work {
 public:
  explicit graph_work(hipStream_t stream);
  graph_work(const graph_work&) = delete;
  graph_work& operator=(const graph_work&) = delete;
  ~graph_work();

  void begin_node(const graph_node& node);
  void end_node(const graph_node& node);

 private:
  struct branch {
    work_clock end;
    work_id last;
    bool is_continued = false;  ///< a later node has taken its timeline over
  };

  hipStream_t stream_;
  ordered_work* outer_;
  work_clock begin_;
  std::map<const graph_node*, branch> done_;
  ordered_work node_;
};

/// A function of the host that runs as work: it may use what the work has waited for.
class host_call {
 public:
  host_call();
  host_call(const host_call&) = delete;
  host_call& operator=(const host_call&) = delete;
  ~host_call();

 private:
  const work_clock* outer_;
};

// The host waits. A call that is known to have ended is waited for, too.
void wait_on_host(hipStream_t stream);
void wait_on_host(hipEvent_t event);
/// For all that the device has been given.
void wait_on_host_for_device();

/// Waits for the stream if this is a success. Returns the code.
hipError_t wait_after(hipError_t code, hipStream_t stream);
/// As above, for what CUDA does not wait for, and AMD's runtime does: hipMemset, and copies within the device.
hipError_t wait_within_device(hipError_t code, hipStream_t stream);

/// Waits for a copy that both vendors do not return from before it has ended: to memory of the host that is not
/// pinned.
void wait_for_pageable(const void* target, hipStream_t stream);

/// The launch that is this thread's work outlasts its call.
void note_under_way();

/// A place in the order for the stream's next work; nothing where the order is not followed. `is_late`: it is kept for
/// later.
std::optional<ordered_work> next_work(hipStream_t stream, bool is_late);

/// Such work has ended.
void note_late_end(work_id work);

/// The work that runs now writes a value there that streams may wait for.
void note_value_written(const void* memory);
/// The work that runs now is a wait for the value there, and has found it: what comes behind the wait comes behind what
/// has written the value.
void note_value_seen(const void* memory, std::size_t bytes);

// Whether such a launch, or work that is kept for later (late_work.hpp), has to end before all that they stand for has
// ended.
bool is_under_way(hipStream_t stream);
bool is_under_way(hipEvent_t event);

void note_record(hipEvent_t event, hipStream_t stream);
void note_wait(hipStream_t stream, hipEvent_t event);

/// They are gone; what a stream was given goes on.
void forget_order(hipStream_t stream);
void forget_order(hipEvent_t event);

/// There may be work, now or later, that the null stream does not wait for.
void note_other_orders();

/// The host can access this memory as the device can.
void note_memory_of_both(const void* begin, std::size_t bytes);

/// The work that runs now reads or writes these bytes.
void note_work(const row_range& bytes, bool is_written, work_kind kind);

}  // namespace simt
