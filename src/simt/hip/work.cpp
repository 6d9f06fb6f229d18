// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/work.hpp"

#include <cstring>

#include "simt/hip/graph.hpp"
#include "simt/hip/images.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/streams.hpp"

namespace simt {
namespace {

template <class... Functions>
struct overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
overloaded(Functions...) -> overloaded<Functions...>;

hipError_t validate(const hipHostNodeParams& call) { return call.fn != nullptr ? hipSuccess : hipErrorInvalidValue; }
hipError_t validate(const event_record& record) { return is_event(record.event) ? hipSuccess : hipErrorInvalidHandle; }
hipError_t validate(const event_wait& wait) { return is_event(wait.event) ? hipSuccess : hipErrorInvalidHandle; }

}  // namespace

kernel_launch::kernel_launch(const void* function, const launch_shape& shape, void** arguments)
    : function_(function), shape_(shape) {
  const warpz_kernel_code& code = *kernel_at(function);
  for (std::uint32_t i = 0; i < code.argument_count; ++i) {
    first_cells_.push_back(cells_.size());
    const std::size_t bytes = code.arguments[i].bytes;
    cells_.resize(cells_.size() + (bytes + sizeof(cell) - 1) / sizeof(cell));
    std::memcpy(cells_.data() + first_cells_.back(), arguments[i], bytes);
  }
}

std::vector<void*> kernel_launch::arguments() const {
  std::vector<void*> addresses;
  for (const std::size_t first : first_cells_) addresses.push_back(const_cast<cell*>(cells_.data() + first));
  return addresses;
}

hipGraphNodeType node_type(const stream_task& given) {
  constexpr hipGraphNodeType line = hipGraphNodeTypeMemcpy;
  return std::visit(
      overloaded{[](const kernel_launch&) { return hipGraphNodeTypeKernel; }, [](const line_copy&) { return line; },
                 [](const hipMemcpy3DParms&) { return hipGraphNodeTypeMemcpy; },
                 [](const fill&) { return hipGraphNodeTypeMemset; },
                 [](const hipHostNodeParams&) { return hipGraphNodeTypeHost; },
                 [](const child_graph&) { return hipGraphNodeTypeGraph; },
                 [](const no_work&) { return hipGraphNodeTypeEmpty; },
                 [](const event_wait&) { return hipGraphNodeTypeWaitEvent; },
                 [](const event_record&) { return hipGraphNodeTypeEventRecord; },
                 [](const graph_allocation&) { return hipGraphNodeTypeMemAlloc; },
                 [](const graph_release&) { return hipGraphNodeTypeMemFree; },
                 // Never nodes.
                 [](const value_write&) { return hipGraphNodeTypeCount; },
                 [](const value_wait&) { return hipGraphNodeTypeCount; },
                 [](const symbol_copy& copy) {
                   return copy.to_symbol ? hipGraphNodeTypeMemcpyToSymbol : hipGraphNodeTypeMemcpyFromSymbol;
                 }},
      given);
}

hipError_t validate(const stream_task& given) {
  const planned_memory_is_known all;
  return std::visit(
      overloaded{
          [](const kernel_launch&) { return hipSuccess; },
          [](const child_graph& child) { return has_memory_nodes(*child.nodes) ? hipErrorNotSupported : hipSuccess; },
          [](const no_work&) { return hipSuccess; }, [](const auto& other) { return validate(other); }},
      given);
}

hipError_t run(const stream_task& given, hipStream_t stream) {
  return std::visit(overloaded{[stream](const kernel_launch& launch) {
                                 launch_shape shape = launch.shape();
                                 shape.stream = stream;
                                 return launch_kernel(launch.function(), shape, launch.arguments().data());
                               },
                               [](const hipHostNodeParams& call) {
                                 const host_call order;
                                 call.fn(call.userData);
                                 return hipSuccess;
                               },
                               [stream](const child_graph& child) { return run(*child.nodes, stream); },
                               [](const no_work&) { return hipSuccess; },
                               // What an event waits for has ended.
                               [](const event_wait& wait) { return validate(wait); },
                               [stream](const event_record& record) { return record_event(record.event, stream); },
                               [](const auto& memory) { return run(memory); }},
                    given);
}

hipError_t make_launch(const hipKernelNodeParams& parameters, std::unique_ptr<kernel_launch>* launch) {
  const warpz_kernel_code* const code = kernel_at(parameters.func);
  if (code == nullptr) return hipErrorInvalidDeviceFunction;
  if (parameters.kernelParams == nullptr && code->argument_count != 0) return hipErrorInvalidValue;
  const launch_shape shape{code->name, parameters.gridDim, parameters.blockDim, parameters.sharedMemBytes, nullptr,
                           false};
  if (const hipError_t code_of_shape = check_shape(shape)) return code_of_shape;
  *launch = std::make_unique<kernel_launch>(parameters.func, shape, parameters.kernelParams);
  return hipSuccess;
}

}  // namespace simt
