// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/capture.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <thread>

#include "simt/hip/errors.hpp"
#include "simt/hip/graph.hpp"
#include "simt/hip/late_work.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/streams.hpp"

namespace simt {
namespace {

using node_list = std::vector<graph_node*>;

struct capture {
  hipStream_t origin;
  hipStreamCaptureMode mode;
  std::thread::id thread;
  unsigned long long id;
  bool valid = true;
  std::unique_ptr<graph> own_nodes = std::make_unique<graph>();
  graph* nodes = own_nodes.get();                        ///< may be the program's
  std::size_t earlier_nodes = 0;                         ///< that the program's graph has had before
  std::map<hipStream_t, node_list> last_of_stream = {};  ///< what the stream's next node depends on
  std::map<hipEvent_t, node_list> last_of_event = {};

  bool has(hipStream_t stream) const { return last_of_stream.count(stream) != 0; }

  bool concerns_this_thread() const {
    if (mode == hipStreamCaptureModeRelaxed) return false;
    return mode == hipStreamCaptureModeGlobal || thread == std::this_thread::get_id();
  }
};

// Under the lock of graphs, but for the number.
std::vector<std::unique_ptr<capture>>& captures() {
  static auto* const all = new std::vector<std::unique_ptr<capture>>;
  return *all;
}
std::atomic<int> capture_count{0};

thread_local hipStreamCaptureMode mode_of_thread = hipStreamCaptureModeGlobal;

capture* capture_of(hipStream_t stream) {
  for (const auto& each : captures()) {
    if (each->has(stream)) return each.get();
  }
  return nullptr;
}

capture* capture_of(hipEvent_t event) {
  for (const auto& each : captures()) {
    if (each->last_of_event.count(event) != 0) return each.get();
  }
  return nullptr;
}

void end(const capture* ended) {
  auto& all = captures();
  all.erase(std::remove_if(all.begin(), all.end(), [ended](const auto& each) { return each.get() == ended; }),
            all.end());
  capture_count = static_cast<int>(all.size());
}

/// The null stream waits for all other streams but those that are non-blocking, which a capture cannot express.
hipError_t refuse_implicit_dependency(hipStream_t stream) {
  if (!is_null_stream(stream)) return hipSuccess;
  for (const auto& each : captures()) {
    const bool is_blocking = (flags_of(each->origin) & hipStreamNonBlocking) == 0;
    if (!is_blocking || !(each->concerns_this_thread() || each->thread == std::this_thread::get_id())) continue;
    each->valid = false;
    return hipErrorStreamCaptureImplicit;
  }
  return hipSuccess;
}

hipError_t add(capture& to, hipStream_t stream, stream_task task) {
  if (!to.valid) return hipErrorStreamCaptureInvalidated;
  if (const hipError_t code = validate(task)) return code;
  const auto* const release = std::get_if<graph_release>(&task);
  if (release != nullptr && is_released_in(*to.nodes, release->memory)) return hipErrorInvalidValue;
  node_list& last = to.last_of_stream[stream];
  last = {to.nodes->add(std::move(task), last)};
  return hipSuccess;
}

void add_missing(node_list& list, const node_list& more) {
  for (graph_node* each : more) {
    if (std::find(list.begin(), list.end(), each) == list.end()) list.push_back(each);
  }
}

/// Whether the origin's next node would come after all others.
bool is_joined(const capture& ended) {
  const node_list& last = ended.last_of_stream.at(ended.origin);
  const auto& nodes = ended.nodes->nodes();
  const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(std::min(ended.earlier_nodes, nodes.size()));
  return std::all_of(first, nodes.end(), [&](const auto& each) {
    return std::find(last.begin(), last.end(), each.get()) != last.end() ||
           !ended.nodes->dependents(each.get()).empty();
  });
}

/// The nodes of these handles; nothing where one is none of the graph's.
std::optional<node_list> find_nodes(const graph* owner, const hipGraphNode_t* handles, std::size_t count) {
  node_list found;
  for (std::size_t i = 0; i < count; ++i) {
    graph_node* const node = find_node(handles[i]);
    if (node == nullptr || node->owner != owner) return {};
    found.push_back(node);
  }
  return found;
}

/// Into the program's graph, behind these nodes of it; null: into a new one.
struct captured_graph {
  hipGraph_t graph = nullptr;
  const hipGraphNode_t* dependencies = nullptr;
  std::size_t count = 0;
};

hipError_t begin(hipStream_t stream, hipStreamCaptureMode mode, const captured_graph* target = nullptr) {
  static unsigned long long last_id = 0;
  const int number = mode;
  if (number < hipStreamCaptureModeGlobal || number > hipStreamCaptureModeRelaxed) return hipErrorInvalidValue;
  if (is_null_stream(stream)) return hipErrorStreamCaptureUnsupported;
  if (!is_stream(stream)) return hipErrorContextIsDestroyed;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  if (capture_of(stream) != nullptr) return hipErrorIllegalState;
  node_list first;
  graph* nodes = nullptr;
  if (target != nullptr) {
    nodes = find_graph(target->graph);
    if (nodes == nullptr || (target->dependencies == nullptr && target->count != 0)) return hipErrorInvalidValue;
    const auto found = find_nodes(nodes, target->dependencies, target->count);
    if (!found) return hipErrorInvalidValue;
    first = *found;
  }
  captures().push_back(std::make_unique<capture>(capture{stream, mode, std::this_thread::get_id(), ++last_id}));
  if (nodes != nullptr) {
    captures().back()->nodes = nodes;
    captures().back()->earlier_nodes = nodes->nodes().size();
  }
  captures().back()->last_of_stream[stream] = std::move(first);
  capture_count = static_cast<int>(captures().size());
  return hipSuccess;
}

hipError_t end(hipStream_t stream, hipGraph_t* captured) {
  if (captured == nullptr) return hipErrorInvalidValue;
  if (is_null_stream(stream)) return hipErrorIllegalState;
  if (!is_stream(stream)) return hipErrorContextIsDestroyed;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  capture* const ended = capture_of(stream);
  if (ended == nullptr) return hipErrorIllegalState;
  if (ended->origin != stream) return hipErrorStreamCaptureUnmatched;
  if (ended->mode != hipStreamCaptureModeRelaxed && ended->thread != std::this_thread::get_id()) {
    return hipErrorStreamCaptureWrongThread;
  }
  *captured = nullptr;
  const hipError_t code = !ended->valid        ? hipErrorStreamCaptureInvalidated
                          : !is_joined(*ended) ? hipErrorStreamCaptureUnjoined
                                               : hipSuccess;
  if (code == hipSuccess) {
    *captured = handle_of(ended->nodes);
    if (ended->nodes == ended->own_nodes.get()) ended->own_nodes.release();
  }
  end(ended);
  return code;
}

/// Finds the stream's capture, null if it has none; an error where it cannot be asked.
hipError_t look_at(hipStream_t stream, const capture** found) {
  if (!is_stream(stream)) return hipErrorContextIsDestroyed;
  *found = capture_of(stream);
  if (*found != nullptr || !is_null_stream(stream)) return hipSuccess;
  for (const auto& each : captures()) {
    if ((flags_of(each->origin) & hipStreamNonBlocking) == 0) return hipErrorStreamCaptureImplicit;
  }
  return hipSuccess;
}

hipStreamCaptureStatus status_of(const capture* asked) {
  if (asked == nullptr) return hipStreamCaptureStatusNone;
  return asked->valid ? hipStreamCaptureStatusActive : hipStreamCaptureStatusInvalidated;
}

hipError_t set_dependencies(hipStream_t stream, const hipGraphNode_t* handles, std::size_t count, unsigned flags) {
  if (!is_stream(stream)) return hipErrorContextIsDestroyed;
  if (flags > hipStreamSetCaptureDependencies || (handles == nullptr && count != 0)) return hipErrorInvalidValue;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  capture* const changed = capture_of(stream);
  if (changed == nullptr) return hipErrorIllegalState;
  const auto given = find_nodes(changed->nodes, handles, count);
  if (!given) return hipErrorInvalidValue;
  node_list& last = changed->last_of_stream[stream];
  if (flags == hipStreamSetCaptureDependencies) last.clear();
  add_missing(last, *given);
  return hipSuccess;
}

}  // namespace

bool is_captured(hipStream_t stream) {
  if (capture_count == 0) return false;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  return capture_of(stream) != nullptr;
}

bool is_captured(hipEvent_t event) {
  if (capture_count == 0) return false;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  return capture_of(event) != nullptr;
}

namespace {

/// As the next work of the stream.
hipError_t run_in_order(const stream_task& task, hipStream_t stream) {
  if (std::holds_alternative<child_graph>(task)) return run(task, stream);
  const auto* const copy = std::get_if<line_copy>(&task);
  const auto* const symbol = std::get_if<symbol_copy>(&task);
  const auto* const box = std::get_if<hipMemcpy3DParms>(&task);
  hipError_t code = hipSuccess;
  if (const auto kept = keep_for_later(task, stream)) {
    code = *kept;
  } else {
    const stream_work order(stream);
    code = run(task, stream);
  }
  if (code != hipSuccess) return code;
  if (copy != nullptr && copy->bytes != 0) wait_for_pageable(copy->target, stream);
  if (symbol != nullptr && symbol->bytes != 0 && !symbol->to_symbol) wait_for_pageable(symbol->memory, stream);
  if (box != nullptr && box->dstPtr.ptr != nullptr) wait_for_pageable(box->dstPtr.ptr, stream);
  return code;
}

}  // namespace

hipError_t submit(hipStream_t stream, stream_task task) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (capture_count != 0) {
    const std::lock_guard<std::mutex> lock(lock_of_graphs());
    if (const hipError_t code = refuse_implicit_dependency(stream)) return code;
    if (capture* const to = capture_of(stream)) return add(*to, stream, std::move(task));
  }
  return run_in_order(task, stream);
}

hipError_t refuse_null_stream(hipStream_t stream) {
  if (capture_count == 0) return hipSuccess;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  return refuse_implicit_dependency(stream);
}

hipError_t refuse_if_captured(hipStream_t stream) {
  if (capture_count == 0) return hipSuccess;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  if (const hipError_t code = refuse_implicit_dependency(stream)) return code;
  capture* const found = capture_of(stream);
  if (found == nullptr) return hipSuccess;
  found->valid = false;
  return hipErrorStreamCaptureUnsupported;
}

hipError_t refuse_during_capture() {
  if (capture_count == 0 || mode_of_thread == hipStreamCaptureModeRelaxed) return hipSuccess;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  for (const auto& each : captures()) {
    if (!each->concerns_this_thread()) continue;
    if (mode_of_thread == hipStreamCaptureModeThreadLocal && each->thread != std::this_thread::get_id()) continue;
    each->valid = false;
    return hipErrorStreamCaptureUnsupported;
  }
  return hipSuccess;
}

bool capture_event(hipEvent_t event, hipStream_t stream) {
  if (capture_count == 0) return false;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  if (capture* const before = capture_of(event)) before->last_of_event.erase(event);
  capture* const to = capture_of(stream);
  if (to == nullptr) return false;
  to->last_of_event[event] = to->last_of_stream[stream];
  return true;
}

hipError_t wait_for_event(hipStream_t stream, hipEvent_t event) {
  if (capture_count == 0) {
    note_wait(stream, event);
    return hipSuccess;
  }
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  capture* const of_stream = capture_of(stream);
  capture* const of_event = capture_of(event);
  if (of_event == nullptr) {
    if (of_stream == nullptr) {
      note_wait(stream, event);
      return hipSuccess;
    }
    of_stream->valid = false;
    return hipErrorStreamCaptureIsolation;
  }
  if (of_stream != nullptr && of_stream != of_event) {
    of_stream->valid = of_event->valid = false;
    return hipErrorStreamCaptureMerge;
  }
  if (is_null_stream(stream)) {
    of_event->valid = false;
    return hipErrorStreamCaptureImplicit;
  }
  add_missing(of_event->last_of_stream[stream], of_event->last_of_event[event]);
  return hipSuccess;
}

void forget_captured(hipStream_t stream) {
  if (capture_count == 0) return;
  const std::lock_guard<std::mutex> lock(lock_of_graphs());
  capture* const found = capture_of(stream);
  if (found == nullptr) return;
  if (found->origin == stream) return end(found);
  found->last_of_stream.erase(stream);
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return finish(simt::begin(stream, mode));
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                        const hipGraphEdgeData*, size_t count, hipStreamCaptureMode mode) {
  const simt::captured_graph target{graph, dependencies, count};
  return finish(simt::begin(stream, mode, &target));
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* captured) { return finish(simt::end(stream, captured)); }

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return hipStreamGetCaptureInfo(stream, status, nullptr);
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id) {
  return hipStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* captured, const hipGraphNode_t** dependencies, size_t* count) {
  if (status == nullptr) return finish(hipErrorInvalidValue);
  const std::lock_guard<std::mutex> lock(simt::lock_of_graphs());
  const simt::capture* found = nullptr;
  if (const hipError_t code = simt::look_at(stream, &found)) return finish(code);
  *status = simt::status_of(found);
  if (found == nullptr) return hipSuccess;
  if (id != nullptr) *id = found->id;
  if (captured != nullptr) *captured = simt::handle_of(found->nodes);
  const auto& last = found->last_of_stream.at(stream);
  // A list of nodes' addresses is one of their handles.
  if (dependencies != nullptr) *dependencies = reinterpret_cast<const hipGraphNode_t*>(last.data());
  if (count != nullptr) *count = last.size();
  return hipSuccess;
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies, size_t count,
                                              unsigned flags) {
  return finish(simt::set_dependencies(stream, dependencies, count, flags));
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  if (mode == nullptr) return finish(hipErrorInvalidValue);
  const int number = *mode;
  if (number < hipStreamCaptureModeGlobal || number > hipStreamCaptureModeRelaxed) return finish(hipErrorInvalidValue);
  std::swap(*mode, simt::mode_of_thread);
  return hipSuccess;
}

}  // namespace hip_on_cpu
