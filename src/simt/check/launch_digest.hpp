// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch reports of itself, so that it can be compared with another run (warpz_digest): sums over its blocks,
// and what its program copies to the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "abi/module.h"

namespace simt::check::launch_digest {

/// The host program's; where it has asked for none, one that nobody reads.
warpz_digest& current();

/// In a trial, what the digest of this thread's blocks goes to until it is added to the launch's; else null.
inline thread_local warpz_digest* of_trial = nullptr;
/// Adds what blocks of a trial report.
void add(const warpz_digest& part);

void begin_launch();

/// The digest's number for a block of the current launch: where it has several launches, it counts all their blocks.
std::uint64_t block_number(std::uint64_t number_in_launch);

/// The host gets these bytes.
void note_copied(const void* begin, std::size_t bytes);
/// A launch has ended: what it has left in device memory counts.
void note_memory();

/// The program copies or fills these bytes. False where that is state, whose value has to be kept.
bool may_vary(const void* begin, std::size_t bytes);
/// A lane accesses this address by an atomic.
void note_atomic(std::uintptr_t address);

/// So many bytes of what the host gets were never written.
void note_unwritten(std::size_t bytes);

/// A hash of a hash and one more number.
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  // The finalizer of SplitMix64.
  std::uint64_t z = a * 0x9e3779b97f4a7c15 + b;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// A hash of a hash and more bytes.
inline std::uint64_t mixed(std::uint64_t hash, std::string_view bytes) {
  for (const char each : bytes) hash = mixed(hash, static_cast<unsigned char>(each));
  return hash;
}

}  // namespace simt::check::launch_digest
