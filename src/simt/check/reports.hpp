// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the watcher found, as records for the host program: the first time in full, then counted.
//
// The run goes on after a finding, except where the access itself could not be carried out.
#pragma once

#include <cstdint>

#include "simt/check/watcher.hpp"

namespace simt::check {

struct party {
  access who;
  doing what;
};

struct report {
  warpz_finding_kind kind;
  warpz_severity severity;
  warpz_relation relation;
  const region* in;  ///< null: at a null pointer
  std::uintptr_t address;
  std::size_t size;
  party here;
  party there;  ///< whoever was there before, if has_other
  bool has_other;
  bool can_go_on;
  const char* rule = nullptr;  ///< in place of the kind's own words
};

/// Who did it, where.
void describe(warpz_lane_group& group, const party& of, std::size_t size, index3 grid, unsigned lanes_per_warp);

inline constexpr std::uint32_t no_record = ~0U;

/// Hands it on, or counts it where the same was told. A number for make_error(); no_record where there was no room.
std::uint32_t tell(const report& what, const block& where);

/// The same of memory that the program's host side has used wrongly; without a text, the kind says it.
void tell_of_host(warpz_finding_kind kind, const region& of, const char* text);

/// What was taken for a warning is none.
void make_error(std::uint32_t record);

/// Forgets what was told: another sink has taken over.
void begin_reports();

/// Where the code of the kernels lies.
inline std::uintptr_t code_base = 0;

/// Of a place only the upper bits are kept; a call is longer than what is lost.
inline constexpr unsigned lost_bits = 2;

void note_atomic_place(std::uint32_t place);
bool is_atomic_place(std::uint32_t place);

/// The place in the code that a call returns to, in the bits of an access. Whether it is an atomic's is remembered.
inline std::uint32_t place_from(const void* code, bool atomic) {
  const std::uintptr_t offset = (reinterpret_cast<std::uintptr_t>(code) - code_base) >> lost_bits;
  if (offset > place_mask) return 0;
  const auto place = static_cast<std::uint32_t>(offset);
  if (atomic) note_atomic_place(place);
  return place;
}

/// Lets an access to memory beside a buffer happen. False where it cannot.
bool make_accessible(const region& beside, std::uintptr_t address, std::size_t size, bool writes);

}  // namespace simt::check
