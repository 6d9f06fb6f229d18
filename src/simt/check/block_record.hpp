// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of the lanes of one block, for comparison with a later run. The record lies in memory that the processes of
// both runs share. It is larger than most runs need: untouched pages cost nothing. Addresses may differ from process to
// process, and a hostile kernel may have overwritten all of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "abi/module.h"
#include "simt/check/access_kind.hpp"

namespace simt::check {

/// A lane met others in a collective, or accessed memory.
struct step {
  std::uint64_t hash;   ///< a hash of all that identifies the step, except its value
  std::uint64_t value;  ///< the collective's result, or what the lane wrote
  std::uint64_t code;   ///< where in the module, for an access; 0 for a collective
  std::uint32_t thread;
  std::uint32_t bytes;
  std::uint32_t place;  ///< its number in the record's list, for a collective
  access_kind access;
  bool has_value;  ///< the run lasted until the value existed
};

class block_record {
 public:
  static constexpr std::uint64_t max_steps = std::uint64_t{1} << 20;

  void clear() { step_count_ = place_count_ = is_whole_ = 0; }

  /// The block has ended.
  void end() { is_whole_ = !is_full(); }
  bool is_whole() const { return is_whole_ != 0; }

  /// There is no room for another step.
  bool is_full() const { return step_count_ >= max_steps; }

  std::uint64_t step_count() const { return std::min(step_count_, max_steps); }
  step& at(std::uint64_t number) { return steps_[number]; }
  void add(const step& done) { steps_[step_count_++] = done; }

  /// The number of the place in the list, which adds it if need be; the last number if the list is full.
  std::uint32_t number_of(const warpz_place& place) {
    const auto end = std::begin(places_) + place_count();
    const auto known = std::find_if(std::begin(places_), end,
                                    [&](const auto& each) { return std::memcmp(&each, &place, sizeof place) == 0; });
    if (known == end && end != std::end(places_)) places_[place_count_++] = place;
    return static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(known - std::begin(places_), max_places - 1));
  }
  const warpz_place& place(std::uint32_t number) const { return places_[std::min(number, max_places - 1)]; }

 private:
  static constexpr std::uint32_t max_places = 256;
  std::uint32_t place_count() const { return std::min(place_count_, max_places); }

  std::uint64_t step_count_;
  std::uint32_t place_count_;
  std::uint32_t is_whole_;
  warpz_place places_[max_places];
  step steps_[max_steps];
};
static_assert(sizeof(block_record) <= WARPZ_RECORD_BYTES);

}  // namespace simt::check
