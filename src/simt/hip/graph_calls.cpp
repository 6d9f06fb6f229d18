// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls on whole graphs: creation, edges, instances. Those on single nodes' work are in graph_nodes.cpp.
#include <algorithm>
#include <cstdio>

#include "simt/hip/capture.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/executables.hpp"
#include "simt/hip/streams.hpp"

namespace simt {
namespace {

using locked = std::lock_guard<std::mutex>;

/// HIP's way to hand out a list: its length alone, or as many as there is room for, with null behind the last.
template <class Get>
hipError_t give_list(std::size_t existing, std::size_t* count, bool counts_only, const Get& give) {
  if (count == nullptr) return hipErrorInvalidValue;
  if (!counts_only) {
    for (std::size_t i = 0; i < *count; ++i) give(i, i < existing);
    existing = std::min(existing, *count);
  }
  *count = existing;
  return hipSuccess;
}

hipError_t give_nodes(const std::vector<const graph_node*>& nodes, hipGraphNode_t* list, std::size_t* count) {
  return give_list(nodes.size(), count, list == nullptr,
                   [&](std::size_t i, bool exists) { list[i] = exists ? handle_of(nodes[i]) : nullptr; });
}

template <class Nodes>
std::vector<const graph_node*> listed(const Nodes& nodes, bool roots_only = false) {
  std::vector<const graph_node*> list;
  for (const auto& each : nodes) {
    if (!roots_only || each->dependencies.empty()) list.push_back(&*each);
  }
  return list;
}

struct edge {
  graph_node* from;
  graph_node* to;
};

/// An error unless all are pairs of different nodes of this graph.
hipError_t find_edges(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to, std::size_t count,
                      std::vector<edge>* edges) {
  const graph* const nodes = find_graph(handle);
  if (nodes == nullptr || (count != 0 && (from == nullptr || to == nullptr))) return hipErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    const edge each{find_node(from[i]), find_node(to[i])};
    if (each.from == nullptr || each.to == nullptr || each.from == each.to) return hipErrorInvalidValue;
    if (each.from->owner != nodes || each.to->owner != nodes) return hipErrorInvalidValue;
    edges->push_back(each);
  }
  return hipSuccess;
}

std::vector<graph_node*>::iterator position(const edge& searched) {
  auto& before = searched.to->dependencies;
  return std::find(before.begin(), before.end(), searched.from);
}

bool exists(const edge& searched) { return position(searched) != searched.to->dependencies.end(); }

hipError_t instantiate(hipGraphExec_t* executable, hipGraph_t handle, unsigned long long flags = 0) {
  constexpr unsigned long long known = hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload |
                                       hipGraphInstantiateFlagDeviceLaunch | hipGraphInstantiateFlagUseNodePriority;
  if ((flags & ~known) != 0) return hipErrorInvalidValue;
  const locked lock(lock_of_graphs());
  const graph* const nodes = find_graph(handle);
  if (executable == nullptr || nodes == nullptr || !nodes->has_order()) return hipErrorInvalidValue;
  // Both would have the same memory.
  if (has_memory_nodes(*nodes) && has_executable(*nodes)) return hipErrorNotSupported;
  *executable = add_executable(*nodes);
  find_executable(*executable)->set_flags(flags);
  return hipSuccess;
}

hipError_t launch_graph(hipGraphExec_t handle, hipStream_t stream) {
  std::shared_ptr<graph> nodes;
  {
    const locked lock(lock_of_graphs());
    nodes = find_executable(handle);
  }
  if (nodes == nullptr) return hipErrorInvalidValue;
  if (is_stream(stream) && !is_captured(stream)) {
    if (const hipError_t code = free_left_memory(*nodes, stream)) return code;
  }
  return submit(stream, child_graph{nodes});
}

/// The number of a node in its graph.
std::size_t number_of(const graph_node* node) {
  const auto& nodes = node->owner->nodes();
  const auto is_node = [node](const auto& each) { return each.get() == node; };
  return static_cast<std::size_t>(std::find_if(nodes.begin(), nodes.end(), is_node) - nodes.begin());
}

bool has_same_dependencies(const graph_node& first, const graph_node& second) {
  const auto same = [](const graph_node* a, const graph_node* b) { return number_of(a) == number_of(b); };
  return std::equal(first.dependencies.begin(), first.dependencies.end(), second.dependencies.begin(),
                    second.dependencies.end(), same);
}

hipMemcpyKind direction_of(const stream_task& task) {
  if (const auto* const line = std::get_if<line_copy>(&task)) return line->kind;
  if (const auto* const rows = std::get_if<hipMemcpy3DParms>(&task)) return rows->kind;
  return hipMemcpyDefault;
}

hipGraphExecUpdateResult compare(const graph& old_nodes, const graph& new_nodes, const graph_node** first_different) {
  *first_different = nullptr;
  if (old_nodes.nodes().size() != new_nodes.nodes().size()) return hipGraphExecUpdateErrorTopologyChanged;
  // Its memory is the graph's that it was made of.
  if (has_memory_nodes(new_nodes)) return hipGraphExecUpdateErrorNotSupported;
  for (std::size_t i = 0; i < old_nodes.nodes().size(); ++i) {
    const graph_node& before = *old_nodes.nodes()[i];
    const graph_node& after = *new_nodes.nodes()[i];
    *first_different = &after;
    if (!has_same_dependencies(before, after)) return hipGraphExecUpdateErrorTopologyChanged;
    if (node_type(before.task) != node_type(after.task)) return hipGraphExecUpdateErrorNodeTypeChanged;
    if (direction_of(before.task) != direction_of(after.task)) return hipGraphExecUpdateErrorParametersChanged;
    const auto* const child = std::get_if<child_graph>(&before.task);
    if (child == nullptr) continue;
    const graph_node* within = nullptr;
    const auto result = compare(*child->nodes, *std::get<child_graph>(after.task).nodes, &within);
    if (result != hipGraphExecUpdateSuccess) return result;
  }
  *first_different = nullptr;
  return hipGraphExecUpdateSuccess;
}

void update(graph& changed, const graph& with) {
  for (std::size_t i = 0; i < changed.nodes().size(); ++i) {
    stream_task& task = changed.nodes()[i]->task;
    task = with.nodes()[i]->task;
    if (auto* const child = std::get_if<child_graph>(&task)) child->nodes = std::make_shared<graph>(*child->nodes);
  }
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::locked;

hipError_t hipGraphCreate(hipGraph_t* created, unsigned flags) {
  if (created == nullptr || flags != 0) return finish(hipErrorInvalidValue);
  const locked lock(simt::lock_of_graphs());
  *created = simt::handle_of(new simt::graph);
  return hipSuccess;
}

hipError_t hipGraphDestroy(hipGraph_t handle) {
  const locked lock(simt::lock_of_graphs());
  simt::graph* const nodes = simt::find_graph(handle);
  if (nodes == nullptr) return finish(hipErrorInvalidValue);
  delete nodes;
  return hipSuccess;
}

hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t original) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph* const nodes = simt::find_graph(original);
  if (clone == nullptr || nodes == nullptr) return finish(hipErrorInvalidValue);
  if (simt::has_memory_nodes(*nodes)) return finish(hipErrorNotSupported);
  *clone = simt::handle_of(new simt::graph(*nodes));
  return hipSuccess;
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t* found, hipGraphNode_t original, hipGraph_t clone) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph* const nodes = simt::find_graph(clone);
  const simt::graph_node* const node = simt::find_node(original);
  if (found == nullptr || nodes == nullptr || node == nullptr) return finish(hipErrorInvalidValue);
  *found = simt::handle_of(nodes->copy_of(node));
  return finish(*found != nullptr ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipGraphAddDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t count) {
  const locked lock(simt::lock_of_graphs());
  std::vector<simt::edge> edges;
  if (const hipError_t code = simt::find_edges(handle, from, to, count, &edges)) return finish(code);
  for (const simt::edge& each : edges) {
    if (simt::exists(each)) return finish(hipErrorInvalidValue);
    each.to->dependencies.push_back(each.from);
  }
  return hipSuccess;
}

hipError_t hipGraphRemoveDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                      size_t count) {
  const locked lock(simt::lock_of_graphs());
  std::vector<simt::edge> edges;
  if (const hipError_t code = simt::find_edges(handle, from, to, count, &edges)) return finish(code);
  if (simt::has_memory_nodes(*simt::find_graph(handle))) return finish(hipErrorNotSupported);
  for (const simt::edge& each : edges) {
    if (!simt::exists(each)) return finish(hipErrorInvalidValue);
    each.to->dependencies.erase(simt::position(each));
  }
  return hipSuccess;
}

hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* list, size_t* count) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph* const nodes = simt::find_graph(handle);
  return finish(nodes != nullptr ? simt::give_nodes(simt::listed(nodes->nodes()), list, count) : hipErrorInvalidValue);
}

hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* list, size_t* count) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph* const nodes = simt::find_graph(handle);
  if (nodes == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::give_nodes(simt::listed(nodes->nodes(), true), list, count));
}

hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph* const nodes = simt::find_graph(handle);
  if (nodes == nullptr || (from == nullptr) != (to == nullptr)) return finish(hipErrorInvalidValue);
  std::vector<simt::edge> edges;
  for (const auto& each : nodes->nodes()) {
    for (simt::graph_node* before : each->dependencies) edges.push_back({before, each.get()});
  }
  return finish(simt::give_list(edges.size(), count, from == nullptr, [&](size_t i, bool exists) {
    from[i] = exists ? simt::handle_of(edges[i].from) : nullptr;
    to[i] = exists ? simt::handle_of(edges[i].to) : nullptr;
  }));
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t* list, size_t* count) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph_node* const node = simt::find_node(handle);
  return finish(node != nullptr ? simt::give_nodes(simt::listed(node->dependencies), list, count)
                                : hipErrorInvalidValue);
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t* list, size_t* count) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph_node* const node = simt::find_node(handle);
  if (node == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::give_nodes(simt::listed(node->owner->dependents(node)), list, count));
}

hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  const locked lock(simt::lock_of_graphs());
  simt::graph_node* const node = simt::find_node(handle);
  if (node == nullptr) return finish(hipErrorInvalidValue);
  if (simt::has_memory_nodes(*node->owner)) return finish(hipErrorNotSupported);
  node->owner->remove(node);
  return hipSuccess;
}

hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t handle, hipGraphNode_t* error_node, char* log,
                               size_t log_bytes) {
  const hipError_t code = simt::instantiate(executable, handle);
  if (error_node != nullptr) *error_node = nullptr;
  if (code != hipSuccess && log != nullptr && log_bytes != 0) {
    std::snprintf(log, log_bytes, "the nodes depend on each other in a cycle, or there is no such graph");
  }
  return finish(code);
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* executable, hipGraph_t handle, unsigned long long flags) {
  return finish(simt::instantiate(executable, handle, flags));
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* executable, hipGraph_t handle,
                                         hipGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return finish(hipErrorInvalidValue);
  const hipError_t code = simt::instantiate(executable, handle, parameters->flags);
  parameters->errNode_out = nullptr;
  parameters->result_out = code == hipSuccess             ? hipGraphInstantiateSuccess
                           : code == hipErrorNotSupported ? hipGraphInstantiateNodeOperationNotSupported
                                                          : hipGraphInstantiateInvalidStructure;
  return finish(code);
}

hipError_t hipGraphExecGetFlags(hipGraphExec_t executable, unsigned long long* flags) {
  const locked lock(simt::lock_of_graphs());
  const auto nodes = simt::find_executable(executable);
  if (nodes == nullptr || flags == nullptr) return finish(hipErrorInvalidValue);
  *flags = nodes->flags();
  return hipSuccess;
}

hipError_t hipGraphUpload(hipGraphExec_t executable, hipStream_t stream) {
  if (!simt::is_stream(stream)) return finish(hipErrorInvalidHandle);
  const locked lock(simt::lock_of_graphs());
  return finish(simt::find_executable(executable) != nullptr ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
  return finish(simt::launch_graph(executable, stream));
}

hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
  const locked lock(simt::lock_of_graphs());
  return finish(simt::remove_executable(executable) ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipGraphExecUpdate(hipGraphExec_t executable, hipGraph_t handle, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* result) {
  if (error_node == nullptr || result == nullptr) return finish(hipErrorInvalidValue);
  const locked lock(simt::lock_of_graphs());
  const auto changed = simt::find_executable(executable);
  const simt::graph* const nodes = simt::find_graph(handle);
  if (changed == nullptr || nodes == nullptr || !nodes->has_order()) return finish(hipErrorInvalidValue);
  const simt::graph_node* different = nullptr;
  *result = simt::compare(*changed, *nodes, &different);
  *error_node = simt::handle_of(different);
  if (*result != hipGraphExecUpdateSuccess) return finish(hipErrorGraphExecUpdateFailure);
  simt::update(*changed, *nodes);
  return hipSuccess;
}

}  // namespace hip_on_cpu
