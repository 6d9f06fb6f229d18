// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/counted_costs.hpp"

namespace simt::check {
namespace {

bool is_shared(const region& memory) {
  return memory.kind == WARPZ_MEMORY_SHARED || memory.kind == WARPZ_MEMORY_DYNAMIC_SHARED;
}

/// Where the memory would be on a GPU: the machine ends buffers at a page's end, a GPU begins them at a multiple of
/// 256.
std::uint64_t address_on_gpu(const region& memory, std::uintptr_t address) {
  constexpr std::uint64_t alignment = 256;
  const bool is_allocated = memory.kind == WARPZ_MEMORY_ARGUMENT || memory.kind == WARPZ_MEMORY_ALLOCATION;
  return is_allocated ? address - memory.begin % alignment : address;
}

static_assert(static_cast<int>(counters::access_form::atomic_change) == static_cast<int>(access_kind::atomic_change));

}  // namespace

void counted_costs::note_access(checked_access event) {
  const region& memory = *event.memory;
  counter_.note(checked_block::running(),
                {static_cast<counters::access_form>(event.kind), reinterpret_cast<std::uintptr_t>(event.code) - 1,
                 address_on_gpu(memory, event.address), event.size, is_shared(memory)});
}

void counted_costs::note_vector(checked_block& block, std::uintptr_t address, std::uint64_t alignment,
                                bool is_written) {
  const region* const memory = block.regions.find(address);
  if (memory == nullptr) return;
  counter_.begin_vector(checked_block::running(), address_on_gpu(*memory, address), alignment, is_written);
}

}  // namespace simt::check
