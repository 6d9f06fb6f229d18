// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/repairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "findings/source_text.hpp"
#include "source/active_lanes_repair.hpp"
#include "source/collective_repair.hpp"
#include "source/divergence_repair.hpp"
#include "source/lock_repair.hpp"
#include "source/race_repair.hpp"
#include "source/update_repair.hpp"
#include "source/volatile_repair.hpp"
#include "source/wait_repair.hpp"
#include "source/warp_wait_repair.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using memory_name = std::pair<std::string, std::string>;  ///< of the kernel and of the memory

memory_name memory_of(const symbolized_finding& race) {
  return {std::string(bounded(race.record.kernel)), race.memory ? race.memory->name : ""};
}

/// The first line of source that it is about.
unsigned first_line(const symbolized_finding& race) {
  return std::min(race.places.front().line, race.places.back().line);
}

bool is_one_fault(const symbolized_finding& a, const symbolized_finding& b) {
  if (a.record.kind != WARPZ_DATA_RACE || b.record.kind != WARPZ_DATA_RACE) return false;
  return a.repair && b.repair && a.repair->file == b.repair->file && a.repair->edits == b.repair->edits &&
         a.suppressed.has_value() == b.suppressed.has_value() && bounded(a.record.kernel) == bounded(b.record.kernel);
}

/// The second one follows from the first one.
void join(symbolized_finding& cause, const symbolized_finding& other) {
  cause.record.repeats += 1 + other.record.repeats;
  cause.record.relation = std::max(cause.record.relation, other.record.relation);
  cause.likewise.push_back(fmt::format("likewise for {}, between lines {} and {}",
                                       other.memory ? printable(other.memory->name) : "other memory", first_line(other),
                                       std::max(other.places.front().line, other.places.back().line)));
}

}  // namespace

void add_repairs(std::vector<symbolized_finding>& findings, const code_location& code, unsigned warp_size) {
  const auto is_race = [](const symbolized_finding& each) {
    return each.record.kind == WARPZ_DATA_RACE && each.places.size() == 2 && each.places.front().line != 0;
  };
  std::map<memory_name, std::uint32_t> relations;
  for (const symbolized_finding& each : findings) {
    if (!is_race(each)) continue;
    std::uint32_t& relation = relations[memory_of(each)];
    relation = std::max(relation, each.record.relation);
  }
  for (symbolized_finding& each : findings) {
    if (each.record.kind == WARPZ_ASYNC_RACE) each.repair = wait_repair(each, code);
    if (each.record.kind == WARPZ_NO_PROGRESS) each.repair = lock_repair(each, code);
    if (!each.places.empty() && !each.repair && each.record.kind != WARPZ_DATA_RACE &&
        each.record.kind != WARPZ_ASYNC_RACE) {
      const std::string_view text = file_text(code, each.places.front().file);
      each.repair = divergence_repair(each, text);
      if (!each.repair) each.repair = collective_repair(each, text);
      if (!each.repair) each.repair = warp_wait_repair(each, text);
    }
    if (!each.repair) each.repair = active_lanes_repair(each, code, warp_size);
    if (!is_race(each)) continue;
    const std::string_view text = file_text(code, each.places.front().file);
    if (text.empty()) continue;
    if (each.record.pattern == WARPZ_RACE_VOLATILE_FLAG) {
      each.repair = volatile_repair(each, text);
      continue;
    }
    const std::uint32_t relation = relations[memory_of(each)];
    each.repair = repair_of_race(each, text, relation, warp_size);
    // Of the pairs of a tree in one branch only some are told, and each of its steps needs the same.
    std::optional<source_repair> steps = relation == WARPZ_ONE_WARP ? update_repair(each, text) : std::nullopt;
    if (steps) each.repair = std::move(steps);
  }
  std::vector<symbolized_finding> kept;
  for (symbolized_finding& each : findings) {
    const auto known = std::find_if(kept.begin(), kept.end(), [&](const auto& one) { return is_one_fault(one, each); });
    if (known == kept.end()) {
      kept.push_back(std::move(each));
      continue;
    }
    // What fails the run stands for what would not.
    if (std::pair(each.record.severity != WARPZ_ERROR, first_line(each)) <
        std::pair(known->record.severity != WARPZ_ERROR, first_line(*known)))
      std::swap(each, *known);
    join(*known, each);
  }
  findings = std::move(kept);
}

}  // namespace warpz
