// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the workers and the hub say to each other. A worker asks, and gets one answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpz {

/// "I am at this job, have so many of its results, and have done this piece."
struct piece_request {
  std::uint64_t program = 0;  ///< a hash of the worker's executable
  std::uint64_t job = 0;      ///< its number, from 0
  std::uint64_t identity = 0;
  std::uint64_t count = 0;  ///< of pieces
  std::uint64_t taken = 0;  ///< results that the worker has
  bool wants_results = false;
  std::optional<std::pair<std::uint64_t, std::string>> done = {};
};

template <class Archive>
void fields(Archive& archive, piece_request& one) {
  archive(one.program, one.job, one.identity, one.count, one.taken, one.wants_results, one.done);
}

struct piece_answer {
  std::vector<std::string> results = {};    ///< from the `taken`th on
  std::optional<std::uint64_t> piece = {};  ///< to do now
  bool is_over = false;                     ///< all pieces are done
  bool is_refused = false;                  ///< the worker has another program, or another job
  std::uint64_t done = 0, workers = 0;      ///< pieces that are done, and who did them
  std::vector<std::string> notes = {};      ///< for the user
};

template <class Archive>
void fields(Archive& archive, piece_answer& one) {
  archive(one.results, one.piece, one.is_over, one.is_refused, one.done, one.workers, one.notes);
}

}  // namespace warpz
