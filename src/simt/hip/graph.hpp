// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: work in nodes, and which of it has to be done before which.
//
// One lock holds for all graphs, and is never held while work runs. HIP's handles are these objects' addresses, which
// are only followed after a look at the table of those that exist.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "simt/hip/user_objects.hpp"
#include "simt/hip/work.hpp"

namespace simt {

/// What a kernel's node is told, and has no effect here.
struct kernel_hints {
  hipAccessPolicyWindow window{};
  int priority = 0;
};

struct graph_node {
  graph* owner;
  stream_task task;
  std::vector<graph_node*> dependencies;
  const graph_node* original = nullptr;  ///< the node that this one is a copy of
  bool enabled = true;
  kernel_hints hints = {};
  std::vector<void*> shown_arguments = {};  ///< what hipGraphKernelNodeGetParams has given away
};

class graph {
 public:
  graph();
  /// Children are copied, too.
  graph(const graph& original);
  graph& operator=(const graph&) = delete;
  ~graph();

  graph_node* add(stream_task task, std::vector<graph_node*> dependencies);
  /// Who depended on it no longer does.
  void remove(const graph_node* gone);

  const std::vector<std::unique_ptr<graph_node>>& nodes() const { return nodes_; }
  /// Whether it is a copy of the graph.
  bool is_copy_of(const graph& original) const { return original_number_ == original.number_; }
  graph_node* copy_of(const graph_node* original) const;

  /// Those that an instance was made with.
  unsigned long long flags() const { return flags_; }
  void set_flags(unsigned long long flags) { flags_ = flags; }

  held_objects& objects() { return objects_; }

  /// Each node after its dependencies, else in the order in which they were added; fewer than all where there is a
  /// cycle.
  std::vector<const graph_node*> ordered() const;
  /// Whether all of its nodes, and those of its children, can be ordered.
  bool has_order() const;
  std::vector<graph_node*> dependents(const graph_node* node) const;

 private:
  std::vector<std::unique_ptr<graph_node>> nodes_;
  unsigned long long number_;
  unsigned long long original_number_ = 0;
  unsigned long long flags_ = 0;
  held_objects objects_;
};

/// Runs all enabled nodes, until one fails.
hipError_t run(const graph& nodes, hipStream_t stream);

std::mutex& lock_of_graphs();

// Null where the handle is none, or no longer.
graph* find_graph(hipGraph_t handle);
graph_node* find_node(hipGraphNode_t handle);

inline hipGraph_t handle_of(graph* nodes) { return reinterpret_cast<hipGraph_t>(nodes); }
inline hipGraphNode_t handle_of(const graph_node* node) {
  return reinterpret_cast<hipGraphNode_t>(const_cast<graph_node*>(node));
}

}  // namespace simt
