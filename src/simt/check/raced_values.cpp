// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/raced_values.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simt/check/launch_digest.hpp"
#include "simt/machine/machine.hpp"

namespace simt::check {

void raced_values::begin_block() {
  is_watching_ = current_settings().perturbation.raced != WARPZ_RACED_NOTHING;
  is_copied_ = false;
}

void raced_values::note_race(const checked_access& event, access_stamp earlier, bool earlier_wrote) {
  if (!is_watching_) return;
  const warpz_perturbation& perturbation = current_settings().perturbation;
  const auto place_of = [](code_id code) { return address_of(code) - code_base; };
  const std::uint64_t one = place_of(event.self.code()), other = place_of(earlier.code());
  if (std::min(one, other) != perturbation.raced_places[0] || std::max(one, other) != perturbation.raced_places[1])
    return;
  warpz_digest& digest = launch_digest::current();
  const bool can_vary = event.kind == access_kind::read && earlier_wrote && !is_copied_ && event.size <= max_bytes;
  if (!can_vary) {
    ++digest.raced_others;
    return;
  }
  ++digest.raced_reads;
  if (perturbation.raced != WARPZ_RACED_POISON) return;
  restore();
  // Where values are spread, each read gets another one.
  const std::uint64_t value = perturbation.poison ^ digest.raced_reads * perturbation.spread;
  address_ = event.address;
  poisoned_bytes_ = event.size;
  auto* const memory = reinterpret_cast<unsigned char*>(address_);
  std::memcpy(kept_, memory, poisoned_bytes_);
  for (std::size_t i = 0; i < poisoned_bytes_; ++i)
    memory[i] = static_cast<unsigned char>(value >> i % sizeof value * 8);
}

void raced_values::put_back() {
  std::memcpy(reinterpret_cast<void*>(address_), kept_, std::exchange(poisoned_bytes_, 0));
}

}  // namespace simt::check
