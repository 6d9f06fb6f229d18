// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When two findings are the same one. The process that makes findings counts one that it makes again; the process that
// reports them leaves out what a run in another order has found again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>

#include "abi/finding.h"

namespace warpz {

struct finding_identity {
  std::uint32_t kind = 0;          ///< enum warpz_finding_kind
  std::uint32_t memory = 0;        ///< enum warpz_memory
  std::uint32_t argument = 0;      ///< which of the kernel's arguments
  std::uint32_t parties = 0;       ///< accesses or calls that it is about: at most two
  std::uint64_t places[2] = {};    ///< where the parties are in the code: in ascending order, as either may come first
  std::uint64_t origin = 0;        ///< where a finding without parties has its memory from, or its launch
  bool is_forwarded_read = false;  ///< a race has WARPZ_RACE_FORWARDED_READ

  void add_party(std::uint64_t place) {
    if (parties == 2) return;
    places[parties++] = place;
    if (parties == 2 && places[1] < places[0]) std::swap(places[0], places[1]);
  }

  friend bool operator==(const finding_identity& a, const finding_identity& b) {
    const auto parts = [](const finding_identity& one) {
      return std::tie(one.kind, one.memory, one.argument, one.parties, one.places[0], one.places[1], one.origin,
                      one.is_forwarded_read);
    };
    return parts(a) == parts(b);
  }
};

/// A hash of a hash and a text.
inline std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325) {
  // FNV-1a, and one more round, which tells "ab", "c" from "a", "bc".
  constexpr std::uint64_t prime = 0x100000001b3;
  for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * prime;
  return hash * prime;
}

/// Where an operation is called, as the place of a party.
inline std::uint64_t place_of_call(std::string_view operation, std::string_view file, std::uint32_t line) {
  return hash_of(operation, hash_of(file)) + line;
}

/// `module_base` is where the code lay in the process that made the record.
inline finding_identity identity_of(const warpz_finding& record, std::uint64_t module_base) {
  finding_identity identity;
  identity.kind = record.kind;
  identity.memory = record.memory;
  identity.argument = record.argument;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(record.group_count, 2); ++i) {
    const warpz_lane_group& group = record.groups[i];
    const warpz_place& at = group.place;
    // A hostile kernel may have overwritten the zeros behind the texts.
    const std::string_view operation(at.operation, strnlen(at.operation, sizeof at.operation));
    const std::string_view file(at.file, strnlen(at.file, sizeof at.file));
    identity.add_party(group.code != 0 ? group.code - module_base : place_of_call(operation, file, at.line));
  }
  const auto add_to_origin = [&](std::uint64_t frame) {
    // Below the module lies warpz itself, which may have reached the two runs in different ways.
    identity.origin = identity.origin * 31 + (frame < module_base ? 0 : frame - module_base);
  };
  const auto add_calls = [&] {
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(record.frame_count, WARPZ_FINDING_FRAMES); ++i)
      add_to_origin(record.frames[i]);
  };
  if (record.kind == WARPZ_ASYNC_RACE) {
    for (const std::uint64_t frame : record.given_at) add_to_origin(frame);
    add_calls();
    return identity;
  }
  if (identity.parties != 0) return identity;
  for (const std::uint64_t frame : record.allocated_at) add_to_origin(frame);
  if (record.kind != WARPZ_UNCHECKED_ERROR) return identity;
  // A program may fail to look at several errors of one buffer.
  add_calls();
  return identity;
}

}  // namespace warpz
