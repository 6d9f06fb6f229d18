// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask of the lanes that are in a branch, by a vote in front of it.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

inline constexpr std::string_view branch_mask = "in_branch";

struct branch_vote {
  source_scope branch;
  line_edit line;  ///< that declares `branch_mask`
};

/// For the branch around a token. Nothing where not all lanes of the warp may come to it: it has to be that of an `if`
/// in a function itself, before which nobody returns.
std::optional<branch_vote> vote_before_branch(const source_outline& outline, std::size_t number,
                                              std::string_view everyone);

}  // namespace warpz
