// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outcomes of puzzles on the way from a worker to the one that reports them.
#pragma once

#include <string>
#include <vector>

#include "findings/outcome_fields.hpp"

namespace warpz {

/// An outcome whose numbers, puzzle and path are part of it.
class sent_outcome {
 public:
  sent_outcome() = default;
  explicit sent_outcome(const puzzle_outcome& one);

  puzzle_outcome received() const;

  template <class Archive>
  friend void fields(Archive& archive, sent_outcome& one) {
    archive(one.outcome_, one.puzzle_, one.path_, one.inputs_, one.output_, one.expected_);
  }

 private:
  puzzle_outcome outcome_;
  std::string puzzle_, path_;
  std::vector<float> inputs_, output_, expected_;
};

/// How a piece has ended: with outcomes, and then perhaps an error.
struct piece_end {
  std::string messages = {};  ///< for standard error, before the outcomes
  std::vector<sent_outcome> outcomes = {};
  int code = 0;  ///< of the error; 0: there is none
  std::string what = {}, advice = {};
};

template <class Archive>
void fields(Archive& archive, piece_end& one) {
  archive(one.messages, one.outcomes, one.code, one.what, one.advice);
}

}  // namespace warpz
