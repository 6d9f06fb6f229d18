// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes of a warp come to a place, by votes on the way there: in front of branches and of an early return, and in
// the heads of loops.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

/// In which words lanes vote: `__ballot_sync(~0ull, condition)`.
struct vote_words {
  std::string vote;
  std::string everyone;
};

/// A mask of all lanes as HIP or CUDA has it, whose masks have 32 bits.
std::string_view mask_of_all_lanes(bool is_cuda);

vote_words words_for_masks(bool is_cuda);

struct lane_votes {
  std::string lanes;  ///< who comes: a variable, or a vote of all
  std::vector<line_edit> edits;
  std::string places;  ///< of the votes, in words; empty: none is needed
};

/// Nothing where the text does not tell: the place has to be in a kernel, or in a function that is called once and by
/// all lanes. `names`: of variables that other votes declare.
std::optional<lane_votes> votes_before(const source_outline& outline, std::size_t number, const vote_words& words,
                                       std::vector<std::string>& names);

/// Whether all lanes go through a loop as often, by the words of its head; `open`: the parenthesis.
bool counts_alike(const source_outline& outline, std::size_t open);

}  // namespace warpz
