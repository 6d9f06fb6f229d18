// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces/pieces.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "abi/finding_identity.hpp"
#include "error.hpp"
#include "pieces/bytes.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

/// At the end of a job a worker waits for at most one piece of another, which is so small a part of its own.
constexpr std::size_t pieces_of_worker = 32;

}  // namespace

std::size_t piece_runner::pieces_for(std::size_t count) const { return std::min(count, workers() * pieces_of_worker); }

std::uint64_t hash_of_files(std::span<const std::string> files, std::uint64_t hash) {
  for (const std::string& each : files) hash = hash_of(os::content_of(each).value_or(""), hash_of(each, hash));
  return hash;
}

std::string done_piece(const piece_runner::piece_work& work, std::size_t piece) {
  try {
    return bytes_of(true, work(piece));
  } catch (const error& reason) {
    return bytes_of(false, static_cast<int>(reason.code()), std::string(reason.what()), reason.advice());
  }
}

std::string result_of_piece(const std::string& done) {
  bool is_result = false;
  int code = 0;
  std::string text, advice;
  byte_reader reader(done);
  reader(is_result);
  if (is_result) {
    reader(text);
    return text;
  }
  reader(code, text, advice);
  throw error(static_cast<exit_code>(code), text, advice);
}

void threads_runner::run(const piece_job& job, const piece_work& work, const piece_result& take) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t next = 0;
  std::vector<std::optional<std::string>> done(job.count);
  const auto work_on = [&] {
    std::unique_lock<std::mutex> lock(mutex);
    while (next < job.count) {
      const std::size_t piece = next++;
      lock.unlock();
      std::string result = done_piece(work, piece);
      lock.lock();
      done[piece] = std::move(result);
      changed.notify_all();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < std::min(threads_, job.count); ++i) threads.emplace_back(work_on);
  try {
    for (std::size_t i = 0; i < job.count; ++i) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return done[i].has_value(); });
      const std::string result = std::move(*done[i]);
      lock.unlock();
      take(i, result_of_piece(result));
    }
  } catch (...) {
    // Those that are being done end; no other one begins.
    const std::lock_guard<std::mutex> lock(mutex);
    next = job.count;
    throw;
  }
}

}  // namespace warpz
