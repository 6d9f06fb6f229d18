// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/graph_memory.hpp"

#include <algorithm>

#include "simt/hip/capture.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/graph.hpp"
#include "simt/hip/memory.hpp"
#include "simt/hip/memory_pools.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/streams.hpp"

namespace simt {
namespace {

bool is_possible(const hipMemAllocNodeParams& asked) {
  const hipMemPoolProps& pool = asked.poolProps;
  if (asked.bytesize == 0 || pool.allocType != hipMemAllocationTypePinned) return false;
  if (pool.handleTypes != hipMemHandleTypeNone || pool.location.type != hipMemLocationTypeDevice) return false;
  if (!is_device(pool.location.id) || asked.accessDescCount > static_cast<std::size_t>(device_count())) return false;
  if (asked.accessDescs == nullptr) return asked.accessDescCount == 0;
  return std::all_of(asked.accessDescs, asked.accessDescs + asked.accessDescCount, [](const hipMemAccessDesc& each) {
    return each.location.type == hipMemLocationTypeDevice && is_device(each.location.id);
  });
}

/// Calls the function for the memory of each node that allocates.
template <class Function>
void for_each_memory(const graph& nodes, Function use) {
  for (const auto& each : nodes.nodes()) {
    if (const auto* const allocated = std::get_if<graph_allocation>(&each->task)) use(*allocated->memory);
  }
}

bool is_there(const graph_memory& memory) { return allocations::instance().find(memory.parameters().dptr).has_value(); }

}  // namespace

graph_memory::graph_memory(const hipMemAllocNodeParams& parameters)
    : parameters_(parameters), accesses_(parameters.accessDescs, parameters.accessDescs + parameters.accessDescCount) {
  parameters_.accessDescs = accesses_.data();
}

graph_memory::~graph_memory() { allocations::instance().give_up(parameters_.dptr); }

hipError_t graph_memory::make(const hipMemAllocNodeParams& parameters, std::shared_ptr<graph_memory>* made) {
  if (!is_possible(parameters)) return hipErrorInvalidValue;
  hipMemAllocNodeParams given = parameters;
  const std::size_t bytes = given.bytesize;
  if (allocations::instance().plan(&given.dptr, bytes, given.poolProps.location.id) != hipSuccess) {
    return refuse(hipErrorOutOfMemory, nullptr, "an allocation of %zu bytes", bytes);
  }
  made->reset(new graph_memory(given));
  return hipSuccess;
}

hipError_t validate(const graph_allocation&) { return hipSuccess; }

hipError_t validate(const graph_release& release) {
  const planned_memory_is_known all;
  const auto found = allocations::instance().find(release.memory);
  return found && found->is_planned && found->begin == release.memory ? hipSuccess : hipErrorInvalidValue;
}

bool is_released_in(const graph& nodes, const void* memory) {
  return std::any_of(nodes.nodes().begin(), nodes.nodes().end(), [memory](const auto& each) {
    const auto* const released = std::get_if<graph_release>(&each->task);
    return released != nullptr && released->memory == memory;
  });
}

hipError_t run(const graph_allocation& allocation) {
  const hipMemAllocNodeParams& parameters = allocation.memory->parameters();
  if (!allocations::instance().allocate_planned(parameters.dptr)) return hipErrorOutOfMemory;
  memory_pools& pools = memory_pools::instance();
  pools.note_allocated(pools.graphs_of(parameters.poolProps.location.id), parameters.dptr, parameters.bytesize);
  note_work(bytes_of(*allocations::instance().find(parameters.dptr)), true, work_kind::allocation);
  return hipSuccess;
}

hipError_t run(const graph_release& release) {
  note_release(release.memory);
  return release_device(release.memory);
}

hipError_t capture_allocation(void** pointer, std::size_t bytes, hipStream_t stream) {
  if (pointer == nullptr) return hipErrorInvalidValue;
  hipMemAllocNodeParams asked{};
  asked.poolProps.allocType = hipMemAllocationTypePinned;
  asked.poolProps.location = {hipMemLocationTypeDevice, device_of(stream)};
  asked.bytesize = bytes;
  graph_allocation allocation;
  if (const hipError_t code = graph_memory::make(asked, &allocation.memory)) return code;
  void* const address = allocation.memory->parameters().dptr;
  const hipError_t code = submit(stream, std::move(allocation));
  if (code == hipSuccess) *pointer = address;
  return code;
}

bool has_memory_nodes(const graph& nodes) {
  return std::any_of(nodes.nodes().begin(), nodes.nodes().end(), [](const auto& each) {
    return std::holds_alternative<graph_allocation>(each->task) || std::holds_alternative<graph_release>(each->task);
  });
}

hipError_t free_left_memory(const graph& nodes, hipStream_t stream) {
  hipError_t code = hipSuccess;
  for_each_memory(nodes, [&](const graph_memory& memory) {
    if (code != hipSuccess || !is_there(memory)) return;
    if ((nodes.flags() & hipGraphInstantiateFlagAutoFreeOnLaunch) != 0) {
      const stream_work order(stream);
      code = run(graph_release{memory.parameters().dptr});
    } else {
      code = refuse(hipErrorInvalidValue, nullptr,
                    "a launch of a graph whose memory, %zu bytes from an earlier launch, is not freed,",
                    memory.parameters().bytesize);
    }
  });
  return code;
}

void note_release(const void* memory) {
  if (const auto found = allocations::instance().find(memory)) {
    note_work(bytes_of(*found), true, work_kind::release);
  }
}

row_range bytes_of(const allocation& memory) {
  return {reinterpret_cast<std::uintptr_t>(memory.begin), memory.bytes, memory.bytes, 1};
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::memory_pools;

namespace {

/// What a graph's attribute is among those of pools.
hipMemPoolAttr as_attribute_of_pool(hipGraphMemAttributeType attribute) {
  switch (attribute) {
    case hipGraphMemAttrUsedMemCurrent:
      return hipMemPoolAttrUsedMemCurrent;
    case hipGraphMemAttrUsedMemHigh:
      return hipMemPoolAttrUsedMemHigh;
    case hipGraphMemAttrReservedMemCurrent:
      return hipMemPoolAttrReservedMemCurrent;
    case hipGraphMemAttrReservedMemHigh:
      return hipMemPoolAttrReservedMemHigh;
  }
  return hipMemPoolAttr{};
}

}  // namespace

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  return hipMemPoolGetAttribute(memory_pools::instance().graphs_of(device), as_attribute_of_pool(attribute), value);
}

hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  return hipMemPoolSetAttribute(memory_pools::instance().graphs_of(device), as_attribute_of_pool(attribute), value);
}

hipError_t hipDeviceGraphMemTrim(int device) {
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  return hipMemPoolTrimTo(memory_pools::instance().graphs_of(device), 0);
}

}  // namespace hip_on_cpu
