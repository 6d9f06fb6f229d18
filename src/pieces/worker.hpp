// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker's side of the work: it asks its rank's process for pieces, and for the results of others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pieces/messages.hpp"
#include "pieces/pieces.hpp"
#include "system/descriptor.hpp"

namespace warpz {

/// How far a job is. `notes`: what the user has to know of the workers.
struct piece_progress {
  std::size_t done = 0, count = 0, workers = 0;
  bool has_results = false;  ///< which are shown next
  std::vector<std::string> notes = {};
};

class asking_runner final : public piece_runner {
 public:
  /// The worker's number, of so many. The first one is the one that the user sees.
  asking_runner(os::descriptor socket, std::size_t number, std::size_t workers)
      : socket_(std::move(socket)), number_(number), workers_(workers) {}

  void run(const piece_job& job, const piece_work& work, const piece_result& take) override;
  std::size_t workers() const override { return workers_; }
  bool is_helper() const override { return number_ != 0; }

  /// Called each time that the first worker has an answer.
  std::function<void(const piece_progress&)> on_progress;

 private:
  piece_answer ask(const piece_request& request);
  void do_pieces(const piece_job& job, const piece_work& work, const piece_result& take);

  os::descriptor socket_;
  std::size_t number_;
  std::size_t workers_;
  std::uint64_t job_ = 0;
  std::uint64_t program_ = 0;  ///< a hash of the executable; 0: not yet known
};

}  // namespace warpz
