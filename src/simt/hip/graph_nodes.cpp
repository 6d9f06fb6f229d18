// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls on the nodes of graphs and of their instances: what each of them does.
#include <algorithm>
#include <optional>

#include "simt/hip/errors.hpp"
#include "simt/hip/executables.hpp"
#include "simt/hip/streams.hpp"

namespace simt {
namespace {

using locked = std::lock_guard<std::mutex>;

hipError_t add(hipGraphNode_t* added, hipGraph_t handle, const hipGraphNode_t* dependencies, std::size_t count,
               stream_task task) {
  graph* const nodes = find_graph(handle);
  if (added == nullptr || nodes == nullptr || (dependencies == nullptr && count != 0)) return hipErrorInvalidValue;
  std::vector<graph_node*> before;
  for (std::size_t i = 0; i < count; ++i) {
    graph_node* const each = find_node(dependencies[i]);
    if (each == nullptr || each->owner != nodes) return hipErrorInvalidValue;
    if (std::find(before.begin(), before.end(), each) != before.end()) return hipErrorInvalidValue;
    before.push_back(each);
  }
  if (const hipError_t code = validate(task)) return code;
  const auto* const release = std::get_if<graph_release>(&task);
  if (release != nullptr && is_released_in(*nodes, release->memory)) return hipErrorInvalidValue;
  *added = handle_of(nodes->add(std::move(task), std::move(before)));
  return hipSuccess;
}

/// A node, or its copy in an instance.
graph_node* find_in(hipGraphExec_t executable, hipGraphNode_t node) {
  const auto nodes = find_executable(executable);
  const graph_node* const original = find_node(node);
  return nodes != nullptr && original != nullptr ? nodes->copy_of(original) : nullptr;
}

/// Only to work of the same kind.
hipError_t change(graph_node* node, stream_task task) {
  if (node == nullptr || node_type(node->task) != node_type(task)) return hipErrorInvalidValue;
  // It is an attribute, and no parameter.
  if (auto* const launch = std::get_if<kernel_launch>(&task))
    launch->set_cooperative(std::get<kernel_launch>(node->task).shape().cooperative);
  if (const hipError_t code = validate(task)) return code;
  node->task = std::move(task);
  return hipSuccess;
}

template <class Task>
Task* task_of(hipGraphNode_t handle) {
  graph_node* const node = find_node(handle);
  return node != nullptr ? std::get_if<Task>(&node->task) : nullptr;
}

template <class Task, class Parameters>
hipError_t get(hipGraphNode_t handle, Parameters Task::*member, Parameters* parameters) {
  const Task* const task = task_of<Task>(handle);
  if (task == nullptr || parameters == nullptr) return hipErrorInvalidValue;
  *parameters = task->*member;
  return hipSuccess;
}

/// Copies what the program has given the node.
template <class Parameters>
hipError_t get(hipGraphNode_t handle, Parameters* parameters) {
  const locked lock(lock_of_graphs());
  const auto* const task = task_of<Parameters>(handle);
  if (task == nullptr || parameters == nullptr) return hipErrorInvalidValue;
  *parameters = *task;
  return hipSuccess;
}

/// Work of what the program points to: nothing for null.
template <class Parameters>
std::optional<stream_task> task_from(const Parameters* parameters) {
  if (parameters == nullptr) return std::nullopt;
  return stream_task(*parameters);
}

std::optional<stream_task> task_from(const hipMemsetParams* parameters) {
  if (parameters == nullptr || parameters->dst == nullptr) return std::nullopt;
  return stream_task(fill{*parameters});
}

hipError_t launch_from(const hipKernelNodeParams* parameters, std::optional<stream_task>* task) {
  if (parameters == nullptr) return hipErrorInvalidValue;
  std::unique_ptr<kernel_launch> launch;
  if (const hipError_t code = make_launch(*parameters, &launch)) return code;
  *task = std::move(*launch);
  return hipSuccess;
}

/// For calls whose parameters were found to be right or not.
hipError_t add(hipGraphNode_t* added, hipGraph_t graph, const hipGraphNode_t* dependencies, std::size_t count,
               const std::optional<stream_task>& task) {
  const locked lock(lock_of_graphs());
  return finish(task ? add(added, graph, dependencies, count, *task) : hipErrorInvalidValue);
}

hipError_t set(hipGraphNode_t node, const std::optional<stream_task>& task) {
  const locked lock(lock_of_graphs());
  return finish(task ? change(find_node(node), *task) : hipErrorInvalidValue);
}

hipError_t set(hipGraphExec_t executable, hipGraphNode_t node, const std::optional<stream_task>& task) {
  const locked lock(lock_of_graphs());
  return finish(task ? change(find_in(executable, node), *task) : hipErrorInvalidValue);
}

std::optional<stream_task> line(void* target, const void* source, std::size_t bytes, hipMemcpyKind kind) {
  if (target == nullptr || source == nullptr || bytes == 0) return std::nullopt;
  return stream_task(line_copy{target, source, bytes, kind});
}

std::optional<stream_task> child(hipGraph_t handle) {
  const locked lock(lock_of_graphs());
  const graph* const nodes = find_graph(handle);
  if (nodes == nullptr) return std::nullopt;
  return stream_task(child_graph{std::make_shared<graph>(*nodes)});
}

}  // namespace

hipError_t add_symbol_node(hipGraphNode_t* added, hipGraph_t graph, const hipGraphNode_t* dependencies,
                           std::size_t count, const symbol_copy& copy) {
  return add(added, graph, dependencies, count, std::optional<stream_task>(copy));
}
hipError_t set_symbol_node(hipGraphNode_t node, const symbol_copy& copy) {
  return set(node, std::optional<stream_task>(copy));
}
hipError_t set_symbol_node(hipGraphExec_t executable, hipGraphNode_t node, const symbol_copy& copy) {
  return set(executable, node, std::optional<stream_task>(copy));
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::locked;
using simt::stream_task;

hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph_node* const node = simt::find_node(handle);
  if (node == nullptr || type == nullptr) return finish(hipErrorInvalidValue);
  *type = simt::node_type(node->task);
  return hipSuccess;
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                size_t count) {
  return simt::add(node, graph, dependencies, count, std::optional<stream_task>(simt::no_work{}));
}

// Kernels.

hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipKernelNodeParams* parameters) {
  std::optional<stream_task> task;
  if (const hipError_t code = simt::launch_from(parameters, &task)) return finish(code);
  return simt::add(node, graph, dependencies, count, task);
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t handle, hipKernelNodeParams* parameters) {
  const locked lock(simt::lock_of_graphs());
  const auto* const launch = simt::task_of<simt::kernel_launch>(handle);
  if (launch == nullptr || parameters == nullptr) return finish(hipErrorInvalidValue);
  simt::graph_node& node = *simt::find_node(handle);
  node.shown_arguments = launch->arguments();
  const simt::launch_shape& shape = launch->shape();
  *parameters = {shape.block,
                 nullptr,
                 const_cast<void*>(launch->function()),
                 shape.grid,
                 node.shown_arguments.data(),
                 static_cast<unsigned>(shape.shared_bytes)};
  return hipSuccess;
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* parameters) {
  std::optional<stream_task> task;
  if (const hipError_t code = simt::launch_from(parameters, &task)) return finish(code);
  return simt::set(node, task);
}

hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t handle, hipKernelNodeAttrID attribute,
                                          const hipKernelNodeAttrValue* value) {
  const locked lock(simt::lock_of_graphs());
  auto* const launch = simt::task_of<simt::kernel_launch>(handle);
  if (launch == nullptr || value == nullptr) return finish(hipErrorInvalidValue);
  simt::kernel_hints& hints = simt::find_node(handle)->hints;
  switch (attribute) {
    case hipKernelNodeAttributeAccessPolicyWindow: {
      if (!simt::is_right(value->accessPolicyWindow)) return finish(hipErrorInvalidValue);
      hints.window = value->accessPolicyWindow;
      return hipSuccess;
    }
    case hipKernelNodeAttributeCooperative:
      launch->set_cooperative(value->cooperative != 0);
      return hipSuccess;
    case hipKernelNodeAttributePriority:
      hints.priority = value->priority;
      return hipSuccess;
    case hipLaunchAttributeSynchronizationPolicy:
      break;
  }
  return finish(hipErrorInvalidValue);
}

hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t handle, hipKernelNodeAttrID attribute,
                                          hipKernelNodeAttrValue* value) {
  const locked lock(simt::lock_of_graphs());
  const auto* const launch = simt::task_of<simt::kernel_launch>(handle);
  if (launch == nullptr || value == nullptr) return finish(hipErrorInvalidValue);
  const simt::kernel_hints& hints = simt::find_node(handle)->hints;
  switch (attribute) {
    case hipKernelNodeAttributeAccessPolicyWindow:
      value->accessPolicyWindow = hints.window;
      return hipSuccess;
    case hipKernelNodeAttributeCooperative:
      value->cooperative = launch->shape().cooperative ? 1 : 0;
      return hipSuccess;
    case hipKernelNodeAttributePriority:
      value->priority = hints.priority;
      return hipSuccess;
    case hipLaunchAttributeSynchronizationPolicy:
      break;
  }
  return finish(hipErrorInvalidValue);
}

hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t source, hipGraphNode_t target) {
  const locked lock(simt::lock_of_graphs());
  const auto* const from = simt::task_of<simt::kernel_launch>(source);
  auto* const to = simt::task_of<simt::kernel_launch>(target);
  if (from == nullptr || to == nullptr) return finish(hipErrorInvalidValue);
  to->set_cooperative(from->shape().cooperative);
  simt::find_node(target)->hints = simt::find_node(source)->hints;
  return hipSuccess;
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                           const hipKernelNodeParams* parameters) {
  std::optional<stream_task> task;
  if (const hipError_t code = simt::launch_from(parameters, &task)) return finish(code);
  return simt::set(executable, node, task);
}

// Copies.

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipMemcpy3DParms* parameters) {
  return simt::add(node, graph, dependencies, count, simt::task_from(parameters));
}

hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* parameters) {
  return finish(simt::get(node, parameters));
}

hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* parameters) {
  return simt::set(node, simt::task_from(parameters));
}

hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                           hipMemcpy3DParms* parameters) {
  return simt::set(executable, node, simt::task_from(parameters));
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                   size_t count, void* target, const void* source, size_t bytes, hipMemcpyKind kind) {
  return simt::add(node, graph, dependencies, count, simt::line(target, source, bytes, kind));
}

hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* target, const void* source, size_t bytes,
                                         hipMemcpyKind kind) {
  return simt::set(node, simt::line(target, source, bytes, kind));
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t executable, hipGraphNode_t node, void* target,
                                             const void* source, size_t bytes, hipMemcpyKind kind) {
  return simt::set(executable, node, simt::line(target, source, bytes, kind));
}

// Fills.

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipMemsetParams* parameters) {
  return simt::add(node, graph, dependencies, count, simt::task_from(parameters));
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* parameters) {
  const locked lock(simt::lock_of_graphs());
  return finish(simt::get(node, &simt::fill::plane, parameters));
}

hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* parameters) {
  return simt::set(node, simt::task_from(parameters));
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                           const hipMemsetParams* parameters) {
  return simt::set(executable, node, simt::task_from(parameters));
}

// Host functions.

hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count,
                               const hipHostNodeParams* parameters) {
  return simt::add(node, graph, dependencies, count, simt::task_from(parameters));
}

hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* parameters) {
  return finish(simt::get(node, parameters));
}

hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* parameters) {
  return simt::set(node, simt::task_from(parameters));
}

hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                         const hipHostNodeParams* parameters) {
  return simt::set(executable, node, simt::task_from(parameters));
}

// Graphs in graphs.

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                     size_t count, hipGraph_t child) {
  return simt::add(node, graph, dependencies, count, simt::child(child));
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* child) {
  const locked lock(simt::lock_of_graphs());
  const auto* const task = simt::task_of<simt::child_graph>(node);
  if (task == nullptr || child == nullptr) return finish(hipErrorInvalidValue);
  *child = simt::handle_of(task->nodes.get());
  return hipSuccess;
}

hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, hipGraph_t child) {
  return simt::set(executable, node, simt::child(child));
}

// Events.

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                      size_t count, hipEvent_t event) {
  return simt::add(node, graph, dependencies, count, std::optional<stream_task>(simt::event_record{event}));
}

hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  const locked lock(simt::lock_of_graphs());
  return finish(simt::get(node, &simt::event_record::event, event));
}

hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return simt::set(node, std::optional<stream_task>(simt::event_record{event}));
}

hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t executable, hipGraphNode_t node, hipEvent_t event) {
  return simt::set(executable, node, std::optional<stream_task>(simt::event_record{event}));
}

hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                    size_t count, hipEvent_t event) {
  return simt::add(node, graph, dependencies, count, std::optional<stream_task>(simt::event_wait{event}));
}

hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  const locked lock(simt::lock_of_graphs());
  return finish(simt::get(node, &simt::event_wait::event, event));
}

hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return simt::set(node, std::optional<stream_task>(simt::event_wait{event}));
}

hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t executable, hipGraphNode_t node, hipEvent_t event) {
  return simt::set(executable, node, std::optional<stream_task>(simt::event_wait{event}));
}

// Memory.

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                   size_t count, hipMemAllocNodeParams* parameters) {
  if (parameters == nullptr) return finish(hipErrorInvalidValue);
  simt::graph_allocation allocation;
  if (const hipError_t code = simt::graph_memory::make(*parameters, &allocation.memory)) return finish(code);
  void* const address = allocation.memory->parameters().dptr;
  const hipError_t code =
      simt::add(node, graph, dependencies, count, std::optional<stream_task>(std::move(allocation)));
  if (code == hipSuccess) parameters->dptr = address;
  return code;
}

hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* parameters) {
  const locked lock(simt::lock_of_graphs());
  const auto* const allocation = simt::task_of<simt::graph_allocation>(node);
  if (allocation == nullptr || parameters == nullptr) return finish(hipErrorInvalidValue);
  *parameters = allocation->memory->parameters();
  return hipSuccess;
}

hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                  size_t count, void* memory) {
  return simt::add(node, graph, dependencies, count, std::optional<stream_task>(simt::graph_release{memory}));
}

hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* memory) {
  const locked lock(simt::lock_of_graphs());
  return finish(simt::get(node, &simt::graph_release::memory, static_cast<void**>(memory)));
}

// Nodes of an instance that do nothing for now.

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t executable, hipGraphNode_t handle, unsigned enabled) {
  const locked lock(simt::lock_of_graphs());
  simt::graph_node* const node = simt::find_in(executable, handle);
  if (node == nullptr) return finish(hipErrorInvalidValue);
  node->enabled = enabled != 0;
  return hipSuccess;
}

hipError_t hipGraphNodeGetEnabled(hipGraphExec_t executable, hipGraphNode_t handle, unsigned* enabled) {
  const locked lock(simt::lock_of_graphs());
  const simt::graph_node* const node = simt::find_in(executable, handle);
  if (node == nullptr || enabled == nullptr) return finish(hipErrorInvalidValue);
  *enabled = node->enabled ? 1 : 0;
  return hipSuccess;
}

}  // namespace hip_on_cpu
