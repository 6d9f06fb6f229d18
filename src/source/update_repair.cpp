// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/update_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "source/lane_votes.hpp"

namespace warpz {
namespace {

/// `sums[t] += sums[t + 4];`, alone in its line.
struct update {
  source_statement statement;
  std::size_t sign;  ///< the token `+=`
};

std::optional<update> update_in(const source_outline& outline, const source_statement& statement) {
  const std::vector<token>& all = outline.tokens();
  if (outline.line_of(statement.first) != outline.line_of(statement.last)) return {};
  for (std::size_t i = statement.first + 1; i < statement.last; ++i) {
    for (const char* const each : {"+=", "-=", "*=", "&=", "|=", "^="}) {
      if (all[i].is(each)) return update{statement, i};
    }
    if (all[i].is("=") || all[i].is("(")) return {};
  }
  return {};
}

}  // namespace

std::optional<source_repair> update_repair(const symbolized_finding& race, std::string_view text) {
  const source_outline outline(text);
  const auto at = outline.token_at(race.places.front().line, race.places.front().column);
  const std::vector<source_scope> scopes = at ? outline.around(*at) : std::vector<source_scope>();
  if (scopes.size() != 2 || scopes.back().kind != scope_kind::branch) return {};
  std::vector<std::string> names;
  const std::optional<lane_votes> votes = votes_before(outline, *at, words_for_masks(race.is_of_cuda), names);
  if (!votes) return {};
  std::vector<update> updates;
  for (const source_statement& each : outline.statements_in(scopes.back())) {
    if (const auto found = update_in(outline, each)) updates.push_back(*found);
  }
  const auto is_update = [&](const source_line& place) {
    return place.file == race.places.front().file && std::any_of(updates.begin(), updates.end(), [&](const auto& each) {
             return outline.line_of(each.sign) == place.line;
           });
  };
  const bool are_all = std::all_of(race.pairs.begin(), race.pairs.end(),
                                   [&](const auto& pair) { return is_update(pair.first) && is_update(pair.second); });
  if (!are_all || updates.empty()) return {};
  source_repair repair{race.places.front().file, votes->edits, ""};
  for (const update& each : updates) {
    const unsigned line = outline.line_of(each.sign);
    const std::string_view target = outline.text(each.statement.first, each.sign - 1);
    const std::string_view sign = outline.text(each.sign, each.sign);
    repair.edits.push_back(
        {line, true,
         fmt::format("{0}{{\n{0}  const auto next = {1} {2} ({3});\n{0}  __syncwarp({4});\n{0}  {1} = next;\n"
                     "{0}  __syncwarp({4});\n{0}}}",
                     outline.indent_of(line), target, sign.substr(0, sign.size() - 1),
                     outline.text(each.sign + 1, each.statement.last - 1), votes->lanes)});
  }
  repair.advice =
      "Lanes of a warp need not go in step. In each line read into a variable, __syncwarp(), write, and\n"
      "  __syncwarp() again, with the mask of the lanes that are in the branch.";
  return repair;
}

}  // namespace warpz
