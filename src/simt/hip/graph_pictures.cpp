// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as text for Graphviz.
#include <fstream>
#include <map>
#include <string>

#include "simt/hip/errors.hpp"
#include "simt/hip/graph.hpp"
#include "simt/hip/images.hpp"

namespace simt {
namespace {

std::string label_of(const stream_task& task) {
  if (const auto* const launch = std::get_if<kernel_launch>(&task)) return launch->shape().name;
  if (const auto* const copy = std::get_if<line_copy>(&task)) return "MEMCPY " + std::to_string(copy->bytes) + " bytes";
  if (const auto* const memory = std::get_if<graph_allocation>(&task))
    return "MEM_ALLOC " + std::to_string(memory->memory->parameters().bytesize) + " bytes";
  switch (node_type(task)) {
    case hipGraphNodeTypeMemset:
      return "MEMSET";
    case hipGraphNodeTypeHost:
      return "HOST";
    case hipGraphNodeTypeGraph:
      return "GRAPH";
    case hipGraphNodeTypeEmpty:
      return "EMPTY";
    case hipGraphNodeTypeWaitEvent:
      return "EVENT_WAIT";
    case hipGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case hipGraphNodeTypeMemFree:
      return "MEM_FREE";
    default:
      return "MEMCPY";
  }
}

std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') all += '\\';
    all += each;
  }
  return all + '"';
}

/// Names each node by a number, which grows. A child's nodes are in a frame of their own.
void list_nodes(std::ostream& out, const graph& nodes, std::size_t& number, const std::string& indent) {
  std::map<const graph_node*, std::size_t> numbers;
  for (const auto& each : nodes.nodes()) numbers.emplace(each.get(), number++);
  for (const auto& each : nodes.nodes()) {
    out << indent << "node" << numbers.at(each.get()) << " [label=" << quoted(label_of(each->task)) << "];\n";
    if (const auto* const child = std::get_if<child_graph>(&each->task)) {
      out << indent << "subgraph cluster" << numbers.at(each.get()) << " {\n";
      list_nodes(out, *child->nodes, number, indent + "  ");
      out << indent << "}\n";
    }
    for (const graph_node* const before : each->dependencies)
      out << indent << "node" << numbers.at(before) << " -> node" << numbers.at(each.get()) << ";\n";
  }
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipGraphDebugDotPrint(hipGraph_t handle, const char* file, unsigned) {
  const std::lock_guard<std::mutex> lock(simt::lock_of_graphs());
  const simt::graph* const nodes = simt::find_graph(handle);
  if (nodes == nullptr || file == nullptr) return finish(hipErrorInvalidValue);
  std::ofstream out(file);
  std::size_t number = 0;
  out << "digraph graph_of_program {\n";
  simt::list_nodes(out, *nodes, number, "  ");
  out << "}\n";
  out.close();
  return finish(out ? hipSuccess : hipErrorOperatingSystem);
}

}  // namespace hip_on_cpu
