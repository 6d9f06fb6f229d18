// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/launch_digest.hpp"

#include <algorithm>
#include <cstring>

#include "simt/check/shadow.hpp"
#include "simt/machine/machine.hpp"

namespace simt::check::launch_digest {
namespace {

std::uint64_t mixed_bytes(std::uint64_t hash, const void* begin, std::size_t bytes) {
  const char* at = static_cast<const char*>(begin);
  for (; bytes >= sizeof hash; at += sizeof hash, bytes -= sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    hash = mixed(hash, word);
  }
  return mixed(hash, std::string_view(at, bytes));
}

/// What a program copies or fills at once, where it is no more than this. Several may share a number.
constexpr std::size_t max_small_bytes = 64, max_small_parts = 64;
struct small_part {
  std::uintptr_t begin;
  std::size_t bytes;
};
small_part small_parts[max_small_parts];
std::size_t small_part_count = 0;

/// Blocks of earlier launches.
std::uint64_t blocks_before = 0;

}  // namespace

warpz_digest& current() {
  if (of_trial != nullptr) return *of_trial;
  static warpz_digest unread;
  warpz_digest* const digest = current_sink().digest;
  return digest != nullptr ? *digest : unread;
}

void add(const warpz_digest& part) {
  warpz_digest& all = current();
  all.blocks = std::max(all.blocks, part.blocks);
  all.events += part.events;
  all.max_events = std::max(all.max_events, part.max_events);
  all.max_compared = std::max(all.max_compared, part.max_compared);
  all.steps += part.steps;
  all.hash += part.hash;
  all.state |= part.state;
  // One event of a launch has these.
  if (part.mark == 0 && part.last.group_count == 0) return;
  all.mark = part.mark;
  all.last = part.last;
}

void begin_launch() {
  if (current_settings().perturbation.continue_block_numbers == 0) current() = {};
  blocks_before = current().blocks;
}

std::uint64_t block_number(std::uint64_t number_in_launch) { return blocks_before + number_in_launch; }

void note_copied(const void* begin, std::size_t bytes) {
  if (current_settings().perturbation.comparison == WARPZ_COMPARE_NOTHING) return;
  current().copied = mixed_bytes(current().copied, begin, bytes);
}

void note_memory() {
  region_table::for_each_common([](const region& each) {
    if (each.is_freed || !each.writable) return;
    const auto add = [](std::uintptr_t begin, std::size_t bytes) {
      current().memory = mixed_bytes(current().memory, reinterpret_cast<const void*>(begin), bytes);
    };
    if (each.kind != WARPZ_MEMORY_VARIABLE) return add(each.begin, each.bytes);
    // Among a module's variables are the machine's own, which differ from run to run.
    for (std::uintptr_t at = each.begin; at < each.begin + each.bytes; ++at) {
      const access_stamp written = each.last_write(at);
      if (written.exists() && !(written == access_stamp::no_variable())) add(at, 1);
    }
  });
}

bool may_vary(const void* begin, std::size_t bytes) {
  if (bytes > max_small_bytes) return true;
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::size_t kept = std::min(small_part_count, max_small_parts);
  std::size_t number = 0;
  while (number < kept && (small_parts[number].begin != address || small_parts[number].bytes != bytes)) ++number;
  if (number == kept) number = small_part_count++ % max_small_parts;
  small_parts[number] = {address, bytes};
  return (current_settings().perturbation.kept_inputs >> number & 1) == 0;
}

void note_atomic(std::uintptr_t address) {
  const std::size_t kept = std::min(small_part_count, max_small_parts);
  for (std::size_t i = 0; i < kept; ++i) {
    if (address - small_parts[i].begin < small_parts[i].bytes) current().state |= std::uint64_t{1} << i;
  }
}

void note_unwritten(std::size_t bytes) { current().unwritten += bytes; }

}  // namespace simt::check::launch_digest
