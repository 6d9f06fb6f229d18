// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/backends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "abi/text.h"
#include "findings/data_words.hpp"
#include "findings/finding_filter.hpp"
#include "run/hidden_cases.hpp"
#include "text/number.hpp"

namespace warpz {
namespace {

bool has_same_bits(float one, float other) {
  return std::bit_cast<std::uint32_t>(one) == std::bit_cast<std::uint32_t>(other) ||
         (std::isnan(one) && std::isnan(other));
}

std::string text_with_bits(float value) {
  return fmt::format("{} (0x{:08x})", number_text(value), std::bit_cast<std::uint32_t>(value));
}

/// Says where the outputs differ; the message is empty where they do not.
symbolized_finding difference_of(const puzzle_outcome& first, const puzzle_outcome& second) {
  symbolized_finding found{};
  warpz_finding& record = found.record;
  record.kind = WARPZ_BACKEND_DEPENDENCE;
  record.severity = WARPZ_WARNING;
  warpz_copy_beginning(record.kernel, sizeof record.kernel, second.kernel.c_str());
  const std::size_t size = std::min(first.output.size(), second.output.size());
  std::size_t count = 0, place = size;
  for (std::size_t i = size; i-- > 0;) {
    if (has_same_bits(first.output[i], second.output[i])) continue;
    ++count;
    place = i;
  }
  if (count == 0) return found;
  std::snprintf(record.message, sizeof record.message, "%s",
                fmt::format("output[{}] is {} on {} and {} on {}; {} of {} elements differ", place,
                            text_with_bits(first.output[place]), first.backend, text_with_bits(second.output[place]),
                            second.backend, count, size)
                    .c_str());
  return found;
}

}  // namespace

bool compare_backends(const puzzle_outcome& first, puzzle_outcome& second, suppressions* accepted) {
  symbolized_finding found = difference_of(first, second);
  if (found.record.message[0] == '\0') return false;
  if (accepted != nullptr) found.suppressed = accepted->match(found);
  add_in_order(second.findings, std::move(found));
  return true;
}

void compare_backends_on_hidden_cases(const puzzle& task, const backend_run& one, const backend_run& other,
                                      puzzle_outcome& second, const std::function<void()>& on_case) {
  for (const hidden_case& each : hidden_cases(task, second.warp_size)) {
    // Another order of the lanes is nothing that both can be asked for.
    if (each.is_reordered) continue;
    on_case();
    const puzzle_outcome first = run_puzzle(task, request_for(each, one.request), one.on).outcome;
    const puzzle_outcome again = run_puzzle(task, request_for(each, other.request), other.on).outcome;
    symbolized_finding found = difference_of(first, again);
    if (found.record.message[0] == '\0') continue;
    found.notes.push_back("with" + data_words(again));
    if (one.request.findings.accepted != nullptr) found.suppressed = one.request.findings.accepted->match(found);
    add_in_order(second.findings, std::move(found));
    return;
  }
}

}  // namespace warpz
