// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be given to a stream, as values: to be run at once, or kept in a graph.
#pragma once

#include <hip/hip_runtime_api.h>

#include <memory>
#include <variant>
#include <vector>

#include "simt/hip/copy.hpp"
#include "simt/hip/graph_memory.hpp"
#include "simt/hip/launch.hpp"
#include "simt/hip/value_order.hpp"

namespace simt {

class graph;

/// A launch with its own copy of the arguments.
class kernel_launch {
 public:
  /// The kernel has to be known (kernel_at), and to have its arguments.
  kernel_launch(const void* function, const launch_shape& shape, void** arguments);

  const void* function() const { return function_; }
  const launch_shape& shape() const { return shape_; }
  void set_cooperative(bool is_cooperative) { shape_.cooperative = is_cooperative; }
  /// As hipLaunchKernel takes them.
  std::vector<void*> arguments() const;

 private:
  struct alignas(64) cell {
    char bytes[64];
  };

  const void* function_;
  launch_shape shape_;
  std::vector<cell> cells_;  ///< the arguments, each from the beginning of a cell on
  std::vector<std::size_t> first_cells_;
};

struct child_graph {
  std::shared_ptr<graph> nodes;
};

struct no_work {};

struct event_record {
  hipEvent_t event;
};

struct event_wait {
  hipEvent_t event;
};

using stream_task =
    std::variant<kernel_launch, line_copy, hipMemcpy3DParms, fill, hipHostNodeParams, child_graph, no_work, event_wait,
                 event_record, symbol_copy, graph_allocation, graph_release, value_write, value_wait>;

hipGraphNodeType node_type(const stream_task& given);

/// The error that shows before it runs.
hipError_t validate(const stream_task& given);

hipError_t run(const stream_task& given, hipStream_t stream);

/// What HIP's parameters of a kernel node stand for; an error where they cannot be launched.
hipError_t make_launch(const hipKernelNodeParams& parameters, std::unique_ptr<kernel_launch>* launch);

}  // namespace simt
