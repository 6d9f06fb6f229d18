// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in numbered pieces, which several threads, processes or machines divide among themselves. The results come in
// the order of the numbers, whoever did which piece.
//
// A piece has to give the same result wherever it is done, however often: a worker that dies loses its piece, which
// another repeats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace warpz {

/// All who divide a job have to mean the same one.
struct piece_job {
  std::size_t count = 0;       ///< of pieces
  std::uint64_t identity = 0;  ///< a hash of what the pieces are
  bool is_last = false;        ///< helpers end with it; else they get all results, and go on as the caller does
};

class piece_runner {
 public:
  using piece_work = std::function<std::string(std::size_t piece)>;
  using piece_result = std::function<void(std::size_t piece, std::string result)>;

  virtual ~piece_runner() = default;

  /// Does all pieces and hands over their results, one after the other. Where a piece throws an error, it is thrown
  /// here when the turn of its result has come. Elsewhere `work` may be called by several threads at once.
  virtual void run(const piece_job& job, const piece_work& work, const piece_result& take) = 0;

  /// How many do pieces at the same time.
  virtual std::size_t workers() const = 0;

  /// Whether this process only helps another one, which has the same command and does all that can be seen.
  virtual bool is_helper() const { return false; }

  /// How many pieces of so many there should be, such that no worker waits long for the last one.
  std::size_t pieces_for(std::size_t count) const;
};

/// Pieces by threads of this process.
class threads_runner final : public piece_runner {
 public:
  /// 0 threads count as one.
  explicit threads_runner(std::size_t threads) : threads_(threads == 0 ? 1 : threads) {}

  void run(const piece_job& job, const piece_work& work, const piece_result& take) override;
  std::size_t workers() const override { return threads_; }

 private:
  std::size_t threads_;
};

/// For a job's identity: a hash of what is in the files.
std::uint64_t hash_of_files(std::span<const std::string> files, std::uint64_t hash = 0);

/// The result of a piece, or the error that it has thrown, as bytes.
std::string done_piece(const piece_runner::piece_work& work, std::size_t piece);

/// Throws the error, if it is one.
std::string result_of_piece(const std::string& done);

/// A helper has nothing more to do: main ends. It is none of the errors, which reports would show.
struct help_is_over {};

}  // namespace warpz
