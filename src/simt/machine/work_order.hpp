// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that the host gives to the device, and what has to have ended before it begins.
//
// The machine runs each piece of work at once. On a GPU it would run some time later, beside other work that nothing
// orders before or behind it: so each piece is a number on a timeline, and knows how far it has waited for each of
// the timelines (a vector clock).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

/// Numbers on a timeline count from 1; 0: no work.
struct work_id {
  std::uint32_t timeline = 0;
  std::uint32_t number = 0;

  friend bool operator==(work_id a, work_id b) { return a.timeline == b.timeline && a.number == b.number; }
};

/// For each timeline, up to which number its work has ended.
class work_clock {
 public:
  bool covers(work_id work) const {
    return work.number == 0 || (work.timeline < ends_.size() && ends_[work.timeline] >= work.number);
  }

  bool covers(const work_clock& other) const {
    for (std::uint32_t i = 0; i < other.ends_.size(); ++i) {
      if (!covers({i, other.ends_[i]})) return false;
    }
    return true;
  }

  void join(work_id work) {
    if (work.timeline >= ends_.size()) ends_.resize(work.timeline + std::size_t{1});
    ends_[work.timeline] = std::max(ends_[work.timeline], work.number);
  }

  void join(const work_clock& other) {
    if (other.ends_.size() > ends_.size()) ends_.resize(other.ends_.size());
    for (std::size_t i = 0; i < other.ends_.size(); ++i) ends_[i] = std::max(ends_[i], other.ends_[i]);
  }

 private:
  std::vector<std::uint32_t> ends_;
};

/// Memory is allocated in a stream's order, too: what comes before may find it in use.
enum class work_kind { kernel, copy, fill, allocation, release };

/// One piece of work, and what has ended before it begins.
struct ordered_work {
  work_id id;
  work_clock before;
  std::uint32_t graph = 0;     ///< the number of the launch of a graph that it belongs to; 0: to none
  bool is_sequential = false;  ///< all other work, also later work, comes before or behind it
};

/// Bytes that work accesses: rows of so many bytes, each `pitch` bytes behind the one before.
struct row_range {
  std::uintptr_t begin;
  std::size_t bytes;
  std::size_t pitch;
  std::size_t rows;

  std::uintptr_t end() const { return begin + pitch * (rows - 1) + bytes; }

  /// Whether any of these bytes is among them.
  bool touches(std::uintptr_t at, std::size_t size) const {
    if (at >= end() || at + size <= begin) return false;
    if (rows == 1 || at < begin) return true;
    const std::size_t in_row = (at - begin) % pitch;
    return in_row < bytes || in_row + size > pitch;
  }

  bool touches(const row_range& other) const {
    if (begin >= other.end() || other.begin >= end()) return false;
    for (std::size_t row = 0; row < rows; ++row) {
      if (other.touches(begin + row * pitch, bytes)) return true;
    }
    return false;
  }
};

/// The work that the running thread carries out now; null: none that has an order.
inline thread_local ordered_work* current_work = nullptr;

/// Counts the work that was given to devices.
inline std::atomic<std::uint64_t> work_given{1};

}  // namespace simt
