// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces/hub.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpz {
namespace {

/// A piece is given out again once it takes so many times as long as the longest one that is done, and no sooner than
/// after that time.
constexpr int times_longest = 3;
constexpr std::chrono::seconds least_wait{2};

/// The worker that is shown does no piece again that another may still do, unless it takes so many times as long again:
/// until it is through, nothing is shown.
constexpr int times_shown = 3;

/// Of the results in one answer; the next one has more.
constexpr std::size_t max_answer_bytes = std::size_t{1} << 24;

}  // namespace

void piece_hub::keep(job& one, std::size_t piece, std::string result, clock::time_point now) {
  if (piece >= one.count || one.results[piece]) return;
  one.results[piece] = std::move(result);
  ++one.done;
  one.left.erase(piece);
  if (const auto given = one.given.find(piece); given != one.given.end()) {
    one.longest = std::max(one.longest, now - given->second.since);
    one.given.erase(given);
  }
}

void piece_hub::ask(std::size_t worker, piece_request request, clock::time_point now) {
  if (is_shown(worker) && request.job == jobs_.size()) {
    job& added = jobs_.emplace_back(job{request.program, request.identity, request.count, {}, {}, {}, 0, {}});
    added.results.resize(request.count);
    for (std::size_t i = 0; i < request.count; ++i) added.left.insert(added.left.end(), i);
  }
  if (request.done && request.job < jobs_.size()) {
    keep(jobs_[request.job], request.done->first, std::move(request.done->second), now);
    workers_.insert(worker);
  }
  request.done.reset();
  waiting_.insert_or_assign(worker, std::move(request));
}

void piece_hub::lose(std::size_t worker, const std::string& words) {
  waiting_.erase(worker);
  notes_.push_back(words);
  for (job& each : jobs_) {
    for (auto given = each.given.begin(); given != each.given.end();) {
      given->second.to.erase(worker);
      if (given->second.to.empty()) {
        each.left.insert(given->first);
        given = each.given.erase(given);
      } else {
        ++given;
      }
    }
  }
}

std::optional<std::size_t> piece_hub::next_piece(job& one, std::size_t worker, clock::time_point now) const {
  if (!one.left.empty()) {
    const std::size_t piece = *one.left.begin();
    one.left.erase(one.left.begin());
    one.given[piece] = {{worker}, now};
    return piece;
  }
  const auto oldest = std::min_element(one.given.begin(), one.given.end(),
                                       [](const auto& a, const auto& b) { return a.second.since < b.second.since; });
  if (oldest == one.given.end()) return {};
  clock::duration wait = std::max<clock::duration>(least_wait, times_longest * one.longest);
  if (is_shown(worker)) wait *= times_shown;
  if (now - oldest->second.since < wait) return {};
  oldest->second.to.insert(worker);
  oldest->second.since = now;
  return oldest->first;
}

std::optional<piece_answer> piece_hub::answer(std::size_t worker, const piece_request& asked, clock::time_point now) {
  piece_answer given;
  if (asked.job >= jobs_.size()) return {};
  job& one = jobs_[asked.job];
  if (asked.program != one.program || asked.identity != one.identity || asked.count != one.count) {
    given.is_refused = true;
    return given;
  }
  given.is_over = one.done == one.count;
  if (asked.wants_results && (is_shown(worker) || given.is_over)) {
    std::size_t bytes = 0;
    for (std::size_t i = asked.taken; i < one.count && one.results[i] && bytes < max_answer_bytes; ++i) {
      given.results.push_back(*one.results[i]);
      bytes += one.results[i]->size();
    }
  }
  if (!given.is_over) given.piece = next_piece(one, worker, now);
  if (is_shown(worker)) given.notes.swap(notes_);
  given.done = one.done;
  given.workers = workers_.size();
  if (!given.is_over && !given.piece && given.results.empty() && given.notes.empty()) return {};
  return given;
}

std::vector<std::pair<std::size_t, piece_answer>> piece_hub::answers(clock::time_point now) {
  std::vector<std::pair<std::size_t, piece_answer>> all;
  for (auto asked = waiting_.begin(); asked != waiting_.end();) {
    if (std::optional<piece_answer> given = answer(asked->first, asked->second, now)) {
      if (given->is_refused)
        notes_.push_back(
            fmt::format("worker {} is not used: its warpz or its files are not the first one's", asked->first));
      all.emplace_back(asked->first, std::move(*given));
      asked = waiting_.erase(asked);
    } else {
      ++asked;
    }
  }
  return all;
}

}  // namespace warpz
