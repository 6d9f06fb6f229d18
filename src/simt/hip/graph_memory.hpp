// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that nodes of graphs allocate and free.
//
// Its address is known when the node is made and stays as long as the graph or its instance does. The memory is there
// from the node's run on until it is freed: by a node, by hipFreeAsync or by hipFree. Each run finds it unset.
#pragma once

#include <hip/hip_runtime_api.h>

#include <memory>
#include <vector>

#include "simt/hip/allocations.hpp"
#include "simt/machine/work_order.hpp"

namespace simt {

class graph;

/// The memory of one node, and of the node's copy in an instance.
class graph_memory {
 public:
  /// An error where there is no such memory.
  static hipError_t make(const hipMemAllocNodeParams& parameters, std::shared_ptr<graph_memory>* made);
  graph_memory(const graph_memory&) = delete;
  graph_memory& operator=(const graph_memory&) = delete;
  /// Memory that is there stays, and can be freed as any other.
  ~graph_memory();

  const hipMemAllocNodeParams& parameters() const { return parameters_; }

 private:
  explicit graph_memory(const hipMemAllocNodeParams& parameters);

  hipMemAllocNodeParams parameters_;
  std::vector<hipMemAccessDesc> accesses_;
};

struct graph_allocation {
  std::shared_ptr<graph_memory> memory;
};

struct graph_release {
  void* memory;
};

// The error that adding the node to a graph gives. What it frees has to be known, and not to be freed by the graph yet.
hipError_t validate(const graph_allocation& allocation);
hipError_t validate(const graph_release& release);
bool is_released_in(const graph& nodes, const void* memory);

hipError_t run(const graph_allocation& allocation);
hipError_t run(const graph_release& release);

/// As a node of the graph that the stream is captured into.
hipError_t capture_allocation(void** pointer, std::size_t bytes, hipStream_t stream);

/// Whether a node allocates or frees memory: such a graph has one instance at a time, no copies, and keeps its edges.
bool has_memory_nodes(const graph& nodes);

/// Before a launch: what an earlier one has left is freed, or is an error.
hipError_t free_left_memory(const graph& nodes, hipStream_t stream);

/// The work that runs now frees it, if it is memory.
void note_release(const void* memory);

row_range bytes_of(const allocation& memory);

}  // namespace simt
