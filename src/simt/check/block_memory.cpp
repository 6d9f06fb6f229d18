// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/block_memory.hpp"

#include <atomic>
#include <cstring>
#include <utility>

#include "simt/check/code_ids.hpp"
#include "simt/machine/observer.hpp"

namespace simt::check {
namespace {

constexpr unsigned shared_memory = 0;
constexpr unsigned dynamic_shared_memory = 1;

std::atomic<std::uint64_t> renewals{0};

/// Replaces the region of this number unless it is the same memory.
void set_shared(region_table& regions, bool has_tags, unsigned number, warpz_memory kind, std::uintptr_t begin,
                std::size_t bytes, std::size_t guard, const std::vector<gap>* gaps) {
  region* const known = regions.block_region(number);
  if (known != nullptr && known->begin == begin && known->bytes == bytes) {
    if (has_tags && known->tags == nullptr && bytes != 0) make_tags(*known);
    return;
  }
  region memory{};
  memory.begin = begin;
  memory.bytes = bytes;
  memory.span_begin = begin - guard;
  memory.span_end = begin + bytes + guard;
  memory.kind = kind;
  memory.writable = memory.of_block = memory.per_block = true;
  memory.gaps = gaps;
  if (bytes != 0 && has_tags) make_tags(memory);
  if (bytes == 0 || make_shadow(memory)) regions.set_block_region(number, memory);
}

void add_variables(const module_memory& module) {
  if (module.variables_bytes == 0 || region_table::common_at(module.variables_begin) != nullptr) return;
  region memory{};
  memory.begin = memory.span_begin = module.variables_begin;
  memory.bytes = module.variables_bytes;
  memory.span_end = memory.begin + memory.bytes;
  memory.kind = WARPZ_MEMORY_VARIABLE;
  memory.initialised = memory.writable = true;
  memory.gaps = module.variable_gaps;
  if (make_shadow(memory)) region_table::add_common(memory);
}

}  // namespace

void renew_shared_memory() { renewals.fetch_add(1, std::memory_order_relaxed); }

void add_module(std::uintptr_t kernel) {
  const module_memory module = memory_of_module(kernel);
  code_base = module.code_begin;
  if (module.is_loaded) add_variables(module);
}

/// Gives the block's shared memory these values, or zeros. `fill`: as warpz_perturbation has it.
void block_memory::fill_shared_memory(region_table& regions, std::uint32_t fill) const {
  const std::uint32_t filled = fill != 0 ? fill : std::uint32_t{WARPZ_FILL_BYTE};
  if (shared_variables_ != 0) {
    std::memcpy(reinterpret_cast<char*>(shared_variables_), reinterpret_cast<const void*>(module_.thread_local_image),
                module_.thread_local_image_bytes);
  }
  if (region* const variables = regions.block_region(shared_memory); variables != nullptr && module_.is_loaded)
    fill_pages(*variables, module_.thread_local_image_bytes, filled);
  if (region* const dynamic = regions.block_region(dynamic_shared_memory); dynamic != nullptr)
    fill_pages(*dynamic, 0, filled);
}

void block_memory::add_regions(const block& current, region_table& regions, bool has_tags) {
  const auto kernel = reinterpret_cast<std::uintptr_t>(current.request().entry);
  if (std::exchange(kernel_, kernel) != kernel) {
    module_ = memory_of_module(kernel);
    shared_variables_ = shared_variables_of(module_);
  }
  if (module_.is_loaded) {
    set_shared(regions, has_tags, shared_memory, WARPZ_MEMORY_SHARED, shared_variables_, module_.thread_local_bytes, 0,
               module_.thread_local_gaps);
  }
  set_shared(regions, has_tags, dynamic_shared_memory, WARPZ_MEMORY_DYNAMIC_SHARED,
             reinterpret_cast<std::uintptr_t>(current.dynamic_shared()), current.request().dynamic_shared_bytes,
             observed_shared_guard, nullptr);
  const std::uint64_t wanted = renewals.load(std::memory_order_relaxed);
  const std::uint32_t unset = current_settings().perturbation.unset;
  const bool is_renewed = std::exchange(renewals_, wanted) != wanted;
  if (is_renewed || unset != 0) fill_shared_memory(regions, unset);
  // In a trial others read it.
  if (code_base != module_.code_begin) code_base = module_.code_begin;
  if (module_.is_loaded) add_variables(module_);
}

}  // namespace simt::check
