// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/update_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "source/early_exit.hpp"
#include "source/source_outline.hpp"

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

/// The branch around the place, which stands in a function itself.
std::optional<source_scope> branch_around(const source_outline& outline, const source_line& place) {
  const auto at = outline.token_at(place.line, place.column);
  const std::vector<source_scope> scopes = at ? outline.around(*at) : std::vector<source_scope>();
  if (scopes.size() != 2 || scopes.back().kind != scope_kind::branch) return {};
  const std::size_t header = scopes.back().header;
  const bool is_alone = outline.tokens()[header].is("if") && !outline.tokens()[header - 1].is("else");
  return is_alone && !early_exit_before(outline, header) ? std::optional(scopes.back()) : std::nullopt;
}

}  // namespace

std::optional<source_repair> update_repair(const symbolized_finding& race, std::string_view text) {
  const source_outline outline(text);
  const std::optional<source_scope> branch = branch_around(outline, race.places.front());
  if (!branch || race.record.relation != WARPZ_ONE_WARP) return {};
  std::vector<update> updates;
  for (const source_statement& each : outline.statements_in(*branch)) {
    if (const auto found = update_in(outline, each)) updates.push_back(*found);
  }
  const auto is_update = [&](const source_line& place) {
    return place.file == race.places.front().file && std::any_of(updates.begin(), updates.end(), [&](const auto& each) {
             return outline.line_of(each.sign) == place.line;
           });
  };
  const bool are_all = std::all_of(race.pairs.begin(), race.pairs.end(),
                                   [&](const auto& pair) { return is_update(pair.first) && is_update(pair.second); });
  const unsigned head = outline.line_of(branch->header);
  if (!are_all || updates.empty() || head < 2) return {};
  source_repair repair{race.places.front().file, {}, ""};
  repair.edits.push_back({head - 1, false,
                          fmt::format("{}const auto in_branch = __ballot_sync(~0ull, {});", outline.indent_of(head),
                                      outline.text(branch->header + 2, branch->open - 2))});
  for (const update& each : updates) {
    const unsigned line = outline.line_of(each.sign);
    const std::string_view target = outline.text(each.statement.first, each.sign - 1);
    const std::string_view sign = outline.text(each.sign, each.sign);
    repair.edits.push_back(
        {line, true,
         fmt::format("{0}{{\n{0}  const auto next = {1} {2} ({3});\n{0}  __syncwarp(in_branch);\n{0}  {1} = next;\n"
                     "{0}  __syncwarp(in_branch);\n{0}}}",
                     outline.indent_of(line), target, sign.substr(0, sign.size() - 1),
                     outline.text(each.sign + 1, each.statement.last - 1))});
  }
  repair.advice =
      "Lanes of a warp need not go in step. In each line read into a variable, __syncwarp(), write, and\n"
      "  __syncwarp() again, with the mask of the lanes that are in the branch.";
  return repair;
}

}  // namespace warpz
