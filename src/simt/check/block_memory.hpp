// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a running block that is checked beside buffers: shared memory, and the variables of its module.
#pragma once

#include <cstdint>

#include "simt/check/module_memory.hpp"
#include "simt/check/shadow.hpp"
#include "simt/machine/block.hpp"

namespace simt::check {

/// From now on shared memory is what it is in a new process.
void renew_shared_memory();

/// Before a trial: adds the regions that all blocks of this kernel share.
void add_module(std::uintptr_t kernel);

class block_memory {
 public:
  /// Adds the block's regions that the table lacks, and tags to them if asked. The module's thread-local memory stays
  /// where it is as long as one thread runs its blocks.
  void add_regions(const block& current, region_table& regions, bool has_tags);

 private:
  void fill_shared_memory(region_table& regions, std::uint32_t fill) const;

  std::uint64_t renewals_ = 0;  ///< that this worker's shared memory has seen
  std::uintptr_t kernel_ = 0;   ///< whose module is known
  module_memory module_;
  std::uintptr_t shared_variables_ = 0;
};

}  // namespace simt::check
