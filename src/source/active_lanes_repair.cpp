// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/active_lanes_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "source/lane_votes.hpp"
#include "source/source_outline.hpp"

namespace warpz {
namespace {

/// A call without arguments, by the numbers of its first and last token.
std::optional<source_statement> call_in(const source_outline& outline, unsigned line, std::string_view operation) {
  const std::vector<token>& all = outline.tokens();
  std::optional<source_statement> found;
  for (std::size_t i = 0; i + 2 < all.size(); ++i) {
    if (all[i].line != line || !all[i].is(operation) || !all[i + 1].is("(") || !all[i + 2].is(")")) continue;
    if (found) return {};
    std::size_t name = i;
    while (name >= 2 && all[name - 1].is("::")) name -= 2;
    found = {name, i + 2};
  }
  return found;
}

class votes_in_file {
 public:
  votes_in_file(const std::string& file, std::string_view text, unsigned warp_size, bool is_of_cuda)
      : outline_(text), warp_size_(warp_size), is_of_cuda_(is_of_cuda), repair_{file, {}, ""} {}

  bool replace(unsigned line) {
    const auto mask = call_in(outline_, line, "__activemask"), group = call_in(outline_, line, "coalesced_threads");
    if (mask.has_value() == group.has_value()) return false;
    return mask ? replace(*mask, words_for_masks(is_of_cuda_)) : replace(*group, words_for_groups(*group));
  }

  /// Nothing where two changes are for one line.
  std::optional<source_repair> repair() && {
    std::map<unsigned, unsigned> changes;
    for (const line_edit& each : repair_.edits) {
      if (each.replaces && ++changes[each.line] == 2) return {};
    }
    return std::move(repair_);
  }

 private:
  bool replace(const source_statement& call, const vote_words& words) {
    const std::optional<lane_votes> votes = votes_before(outline_, call.first, words, names_);
    if (!votes) return false;
    const unsigned line = outline_.line_of(call.first);
    repair_.edits.insert(repair_.edits.end(), votes->edits.begin(), votes->edits.end());
    repair_.edits.push_back({line, true, outline_.replaced(call.first, call.last, votes->lanes)});
    if (repair_.advice.empty()) repair_.advice = "Lanes of one branch or loop need not be together.";
    repair_.advice +=
        fmt::format("\n  {} {}{}{}, and use that in line {}.", votes->places.empty() ? "Call" : "Vote with", words.vote,
                    votes->places.empty() ? "" : " ", votes->places, line);
    return true;
  }

  vote_words words_for_groups(const source_statement& call) const {
    const bool is_qualified = call.last - call.first > 2;
    const std::string_view space = is_qualified ? outline_.text(call.first, call.last - 3) : "";
    return {fmt::format("{}binary_partition", space),
            fmt::format("{0}tiled_partition<{1}>({0}this_thread_block())", space, warp_size_)};
  }

  const source_outline outline_;
  const unsigned warp_size_;
  const bool is_of_cuda_;
  std::vector<std::string> names_;
  source_repair repair_;
};

}  // namespace

std::optional<source_repair> active_lanes_repair(const symbolized_finding& finding, const code_location& code,
                                                 unsigned warp_size) {
  std::optional<votes_in_file> votes;
  const std::string* file = nullptr;
  for (const related_line& each : finding.related) {
    if (each.event != active_lanes_event || (file != nullptr && each.file != *file)) return {};
    if (file == nullptr) votes.emplace(each.file, file_text(code, each.file), warp_size, finding.is_of_cuda);
    file = &each.file;
    if (!votes->replace(each.line)) return {};
  }
  return votes ? std::move(*votes).repair() : std::nullopt;
}

}  // namespace warpz
