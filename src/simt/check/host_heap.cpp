// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/host_heap.hpp"

#include <atomic>
#include <cstddef>
#include <cstring>

#include "abi/device_image.h"
#include "simt/check/bounds.hpp"
#include "simt/check/shadow.hpp"
#include "simt/detail/suspend.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/observer.hpp"

namespace simt::check {
namespace {

#ifdef SIMT_ADDRESS_SANITIZER
constexpr bool knows_heap = false;  // it has a heap of its own
#else
constexpr bool knows_heap = true;
#endif

std::atomic<bool> lanes_allocate{false};

std::uintptr_t word_at(std::uintptr_t address) {
  std::uintptr_t word = 0;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

/// Whether it points to memory that malloc has given and that has not been freed, and which holds the address: by the
/// sizes that the GNU C library keeps in front of each piece.
bool is_allocation_around(std::uintptr_t pointer, std::uintptr_t address) {
  constexpr std::uintptr_t alignment = 16, word = sizeof(std::uintptr_t);
  constexpr std::uintptr_t flags = 7, is_mapped = 2, is_previous_used = 1;
  if (pointer % alignment != 0 || address < pointer || pointer < alignment || is_unreadable(pointer - word))
    return false;
  const std::uintptr_t size = word_at(pointer - word);
  const std::uintptr_t piece = pointer - 2 * word, bytes = size & ~flags;
  if (bytes < 2 * alignment || bytes % alignment != 0 || address - piece >= bytes) return false;
  if ((size & is_mapped) != 0) return piece % (std::uintptr_t{1} << page_bits) == 0;
  const std::uintptr_t next = piece + bytes + word;
  return address < next && !is_unreadable(next) && (word_at(next) & is_previous_used) != 0;
}

}  // namespace

void note_lane_allocation() { lanes_allocate.store(true, std::memory_order_relaxed); }

bool is_of_host_heap(const launch_request& request, std::uintptr_t address) {
  if (request.number == 0 || host_memory_is_shared || !knows_heap || lanes_allocate.load(std::memory_order_relaxed))
    return false;
  if (request.code == nullptr || request.arguments == nullptr) return false;
  for (std::uint32_t i = 0; i < request.code->argument_count; ++i) {
    const auto* const argument = static_cast<const char*>(static_cast<const void* const*>(request.arguments)[i]);
    for (std::size_t at = 0; at + sizeof address <= request.code->arguments[i].bytes; at += sizeof address) {
      const std::uintptr_t pointer = word_at(reinterpret_cast<std::uintptr_t>(argument) + at);
      const region* const memory = region_table::common_around(pointer);
      if ((memory == nullptr || !memory->holds(pointer, 1)) && is_allocation_around(pointer, address)) return true;
    }
  }
  return false;
}

}  // namespace simt::check
