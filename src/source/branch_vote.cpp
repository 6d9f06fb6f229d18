// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/branch_vote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "source/early_exit.hpp"

namespace warpz {

std::optional<branch_vote> vote_before_branch(const source_outline& outline, std::size_t number,
                                              std::string_view everyone) {
  const std::vector<source_scope> scopes = outline.around(number);
  if (scopes.size() != 2) return {};
  const source_scope& branch = scopes.back();
  const std::vector<token>& all = outline.tokens();
  const bool is_taken = std::any_of(all.begin(), all.end(), [](const token& each) { return each.is(branch_mask); });
  const std::optional<std::string_view> condition = outline.condition_of(branch);
  const unsigned head = outline.line_of(branch.header);
  if (!condition || is_taken || head < 2 || early_exit_before(outline, branch.header)) return {};
  return branch_vote{branch,
                     {head - 1, false,
                      fmt::format("{}const auto {} = __ballot_sync({}, {});", outline.indent_of(head), branch_mask,
                                  everyone, *condition)}};
}

}  // namespace warpz
