// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/launch_digest.hpp"

#include <cstring>

#include "simt/machine/machine.hpp"

namespace simt::check::launch_digest {
namespace {

/// Blocks of earlier launches.
std::uint64_t blocks_before = 0;

}  // namespace

warpz_digest& current() {
  static warpz_digest unread;
  warpz_digest* const digest = current_sink().digest;
  return digest != nullptr ? *digest : unread;
}

void begin_launch() {
  if (current_settings().perturbation.continue_block_numbers == 0) current() = {};
  blocks_before = current().blocks;
}

std::uint64_t block_number(std::uint64_t number_in_launch) { return blocks_before + number_in_launch; }

void note_copied(const void* begin, std::size_t bytes) {
  if (current_settings().perturbation.comparison == WARPZ_COMPARE_NOTHING) return;
  std::uint64_t hash = current().copied;
  const char* at = static_cast<const char*>(begin);
  for (; bytes >= sizeof hash; at += sizeof hash, bytes -= sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    hash = mixed(hash, word);
  }
  current().copied = mixed(hash, std::string_view(at, bytes));
}

void note_unwritten(std::size_t bytes) { current().unwritten += bytes; }

}  // namespace simt::check::launch_digest
