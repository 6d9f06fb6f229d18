// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who does which piece. It knows the pieces by their numbers, and workers by theirs; the first one is the one whose
// results the user sees.
//
// A piece that takes far longer than others is given out once more, to a worker that has nothing else to do: whoever
// does it may have died without a word. The first result counts.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pieces/messages.hpp"

namespace warpz {

class piece_hub {
 public:
  using clock = std::chrono::steady_clock;

  void ask(std::size_t worker, piece_request request, clock::time_point now);

  /// The worker has died. `words`: why, for the user.
  void lose(std::size_t worker, const std::string& words);

  /// The answers that can be given now.
  std::vector<std::pair<std::size_t, piece_answer>> answers(clock::time_point now);

 private:
  struct given_piece {
    std::set<std::size_t> to;  ///< workers
    clock::time_point since;   ///< when it was last given to one
  };

  struct job {
    std::uint64_t program, identity, count;
    std::vector<std::optional<std::string>> results;
    std::set<std::size_t> left;                ///< pieces that nobody does
    std::map<std::size_t, given_piece> given;  ///< pieces that somebody does
    std::size_t done = 0;
    clock::duration longest = {};  ///< that a piece has taken
  };

  static bool is_shown(std::size_t worker) { return worker == 0; }
  void keep(job& one, std::size_t piece, std::string result, clock::time_point now);
  std::optional<std::size_t> next_piece(job& one, std::size_t worker, clock::time_point now) const;
  std::optional<piece_answer> answer(std::size_t worker, const piece_request& asked, clock::time_point now);

  std::vector<job> jobs_;
  std::map<std::size_t, piece_request> waiting_;  ///< by worker
  std::set<std::size_t> workers_;                 ///< those that have done a piece
  std::vector<std::string> notes_;
};

}  // namespace warpz
