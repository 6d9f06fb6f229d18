// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of memory that nobody has written yet. If another lane writes it later and nothing orders the two, the read
// came too early: the race is the cause and is reported, the read is its effect.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/check/reports.hpp"

namespace simt::check::unwritten_reads {

/// The running lane uses what it has read there, which nobody has written.
void add(const block& current, const access_finding& found);

/// The running lane writes what other lanes have read, and nothing orders them.
void explain(const checked_block& block, std::uintptr_t address, std::size_t size);

// From here on nobody can write what was read too early: in the block's shared memory, or in any memory.
void end_block();
void begin_launch();

/// To be called when findings go to another sink.
void forget();

}  // namespace simt::check::unwritten_reads
