// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of memory that nobody has written yet. Where another lane writes it later and nothing orders the two, the read
// came too early: the missing order is the cause, which the race tells, and the read an effect.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/check/checked_access.hpp"

namespace simt::check::unwritten_reads {

/// The running lane reads what nobody has written.
void add(const checked_block& block, checked_access event);

/// The running lane writes what other lanes have read, and nothing orders them.
void explain(const checked_block& block, std::uintptr_t address, std::size_t size);

/// What is left of the block's own memory, or of all, is written by nobody.
void end_block();
void begin_launch();

/// Findings go to another sink.
void forget();

}  // namespace simt::check::unwritten_reads
