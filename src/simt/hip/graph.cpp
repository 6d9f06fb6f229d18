// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/graph.hpp"

#include <algorithm>
#include <set>

#include "simt/hip/stream_order.hpp"

namespace simt {
namespace {

/// Graphs and nodes that exist. Never destroyed: a program's static objects may use graphs late.
std::set<const void*>& existing() {
  static auto* const all = new std::set<const void*>;
  return *all;
}

bool contains(const std::vector<graph_node*>& nodes, const graph_node* node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

}  // namespace

std::mutex& lock_of_graphs() {
  static auto* const only = new std::mutex;
  return *only;
}

graph* find_graph(hipGraph_t handle) {
  return existing().count(handle) != 0 ? reinterpret_cast<graph*>(handle) : nullptr;
}

graph_node* find_node(hipGraphNode_t handle) {
  return existing().count(handle) != 0 ? reinterpret_cast<graph_node*>(handle) : nullptr;
}

graph::graph() {
  static unsigned long long last_number = 0;
  number_ = ++last_number;
  existing().insert(this);
}

graph::graph(const graph& original) : graph() {
  original_number_ = original.number_;
  objects_ = original.objects_;
  for (const auto& each : original.nodes_) {
    graph_node* const copy = add(each->task, {});
    copy->original = each.get();
    copy->enabled = each->enabled;
    copy->hints = each->hints;
    if (auto* const child = std::get_if<child_graph>(&copy->task)) {
      child->nodes = std::make_shared<graph>(*child->nodes);
    }
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (const graph_node* each : original.nodes_[i]->dependencies) {
      nodes_[i]->dependencies.push_back(copy_of(each));
    }
  }
}

graph::~graph() {
  for (const auto& each : nodes_) existing().erase(each.get());
  existing().erase(this);
}

graph_node* graph::add(stream_task task, std::vector<graph_node*> dependencies) {
  nodes_.push_back(std::make_unique<graph_node>(graph_node{this, std::move(task), std::move(dependencies)}));
  existing().insert(nodes_.back().get());
  return nodes_.back().get();
}

void graph::remove(const graph_node* gone) {
  for (const auto& each : nodes_) {
    auto& before = each->dependencies;
    before.erase(std::remove(before.begin(), before.end(), gone), before.end());
  }
  existing().erase(gone);
  const auto is_gone = [gone](const auto& each) { return each.get() == gone; };
  nodes_.erase(std::remove_if(nodes_.begin(), nodes_.end(), is_gone), nodes_.end());
}

graph_node* graph::copy_of(const graph_node* original) const {
  for (const auto& each : nodes_) {
    if (each->original == original) return each.get();
  }
  return nullptr;
}

std::vector<const graph_node*> graph::ordered() const {
  std::vector<const graph_node*> order;
  std::set<const graph_node*> done;
  const auto is_done = [&done](const graph_node* each) { return done.count(each) != 0; };
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (const auto& each : nodes_) {
      const auto& before = each->dependencies;
      if (is_done(each.get()) || !std::all_of(before.begin(), before.end(), is_done)) continue;
      order.push_back(each.get());
      done.insert(each.get());
      has_grown = true;
    }
  }
  return order;
}

bool graph::has_order() const {
  return ordered().size() == nodes_.size() && std::all_of(nodes_.begin(), nodes_.end(), [](const auto& each) {
           const auto* const child = std::get_if<child_graph>(&each->task);
           return child == nullptr || child->nodes->has_order();
         });
}

std::vector<graph_node*> graph::dependents(const graph_node* node) const {
  std::vector<graph_node*> found;
  for (const auto& each : nodes_) {
    if (contains(each->dependencies, node)) found.push_back(each.get());
  }
  return found;
}

hipError_t run(const graph& nodes, hipStream_t stream) {
  graph_work order(stream);
  hipError_t code = hipSuccess;
  for (const graph_node* each : nodes.ordered()) {
    order.begin_node(*each);
    if (each->enabled) code = run(each->task, stream);
    order.end_node(*each);
    if (code != hipSuccess) break;
  }
  return code;
}

}  // namespace simt
