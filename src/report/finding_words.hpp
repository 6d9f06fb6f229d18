// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding's record in words. Records come from a process that may have written anything over them: every count is
// bounded here and every string made printable, so that the reports can print them as they are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/finding.h"
#include "findings/lane_groups.hpp"
#include "findings/outcome.hpp"
#include "report/source_quote.hpp"

namespace warpz {

/// "waiting", "exited", "running", "yielded", "ready"; "unknown" for a number that is no state.
std::string_view state_name(std::uint32_t state);

/// "SIGSEGV", or "signal 77" where there is no usual name.
std::string signal_name(std::uint32_t number);

/// The rule that was broken: its record's own message, or else the sentence of its kind.
std::string rule_text(const symbolized_finding& finding);

/// How the mistake is usually fixed; may be empty.
std::string fix_text(const symbolized_finding& finding);

/// What the lanes of a group do: "wait in shuffle_down (mask 0xffffffff: lanes 0-31) at neighbor.hip:15". An access
/// that came before another is in the past tense.
std::string group_text(const warpz_lane_group& group, bool came_before);

/// Whether the faulting address is known. It may be 0: a null pointer.
bool has_address(const warpz_finding& record);

/// The lanes' numbers, ascending.
std::vector<unsigned> lanes_in(std::uint64_t mask);

/// "lane 5", "lanes 0-15, 17", "no lanes".
std::string lanes_text(std::uint64_t mask);

/// "3", or "(3, 1, 0)" in a grid of more than one dimension.
std::string block_text(const std::uint32_t (&block)[3]);

/// The lines that follow those about lanes and memory: "allocated at heap.hip:9".
std::vector<std::string> note_lines(const symbolized_finding& finding);

/// The finding as lines of text, each ended. The first line says which rule was broken.
std::string finding_text(const symbolized_finding& finding, const text_style& style = {});

}  // namespace warpz
