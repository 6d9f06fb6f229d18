// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that a program has given to the device, as far as the host may not have waited for it: what it has accessed.
//
// The accesses of launches are in the shadow memory, whose timestamps tell the launch. Copies and fills are a list.
// Not locked: used while no launch begins, or by the one launch that runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simt/check/shadow.hpp"
#include "simt/machine/machine.hpp"

namespace simt::check {

struct past_launch {
  timestamp begin;
  work_id id;
  std::string kernel;
  std::uint32_t number;
  index3 grid;
  unsigned threads;
  unsigned warp_size;
  std::uint32_t graph;  ///< as of ordered_work
  call_stack call;
};

struct past_access {
  row_range bytes;
  bool is_written;
  work_id id;
  work_kind kind;
  std::uint32_t graph;
  call_stack call;
};

/// An access that nothing orders before another one: of a launch, or else of other work.
struct unordered_access {
  const past_launch* launch = nullptr;
  access_stamp lane = {};  ///< of the launch
  const past_access* other = nullptr;
  bool wrote = false;
  std::uintptr_t address = 0;

  work_id id() const { return launch != nullptr ? launch->id : other->id; }
  std::uint32_t graph() const { return launch != nullptr ? launch->graph : other->graph; }
};

class past_work {
 public:
  static past_work& instance();

  void begin_launch(const launch_request& request, unsigned warp_size);
  void end_launch() { running_ = nullptr; }
  /// Timestamps start from the beginning again.
  void forget_launches() { launches_.clear(); }

  /// Notes an access of the work that runs now.
  void add(const row_range& bytes, bool is_written, work_kind kind);

  /// The memory is new: what was there before is gone, and with it its accesses.
  void forget_memory(std::uintptr_t begin, std::size_t bytes);

  /// The host has waited for so much: it can be forgotten.
  void forget(const work_clock& host);

  const work_clock& host() const { return host_; }

  /// Counts launches, also those that have no place in an order.
  std::uint32_t launch_count() const { return launch_count_; }

  /// The launch that runs; null: it has no place in an order.
  const past_launch* running() const { return running_; }
  /// What has ended before the running launch.
  work_clock& ended() { return ended_; }

  /// An access to these bytes that conflicts with a plain one that comes behind what has ended.
  std::optional<unordered_access> conflict(std::uintptr_t address, std::size_t size, bool is_written,
                                           const work_clock& ended) const;

  /// As above, of all bytes of some rows.
  std::optional<unordered_access> conflict(const row_range& bytes, bool is_written, const work_clock& ended) const;

  /// Of work that is no launch; of an allocation only where there is no other.
  std::optional<unordered_access> conflict_with_others(const row_range& bytes, bool is_written,
                                                       const work_clock& ended) const;

  /// Calls `look(access)` for what launches have done last to these bytes of the region, as far as it may not have
  /// ended; until it returns true.
  template <class Look>
  void each_access(const region& memory, std::uintptr_t address, std::size_t size, const work_clock& ended,
                   Look look) const;

  /// Whether launches that have not ended have accessed the region.
  static bool has_users(const region& memory, const work_clock& ended);

 private:
  const past_launch* launch_at(timestamp time) const;

  std::vector<past_launch> launches_;  ///< by their beginning
  std::vector<past_access> accesses_;
  const past_launch* running_ = nullptr;
  work_clock ended_;
  work_clock host_;
  std::uint32_t launch_count_ = 0;
};

template <class Look>
void past_work::each_access(const region& memory, std::uintptr_t address, std::size_t size, const work_clock& ended,
                            Look look) const {
  const auto is_done = [&](timestamp time, std::uint32_t thread, code_id code, bool wrote, std::uintptr_t at) {
    if (time == 0) return false;
    const past_launch* const launch = launch_at(time);
    if (launch == nullptr || launch == running_ || ended.covers(launch->id)) return false;
    return look(unordered_access{launch, access_stamp(time, thread, code), nullptr, wrote, at});
  };
  const auto is_done_with = [&](access_stamp stamp, bool wrote, std::uintptr_t at) {
    return is_done(stamp.time(), stamp.thread(), stamp.code(), wrote, at);
  };
  const std::uintptr_t end = std::min(address + size, memory.begin + memory.bytes);
  for (std::uintptr_t at = std::max(address, memory.begin); at < end;) {
    const shadow_word& word = memory.word_at(at);
    if (word.is_split()) {
      const shadow_byte byte = word.byte(at % 4, memory.tail_of(word));
      if (is_done_with(byte.write, true, at) || is_done_with(byte.read, false, at)) return;
      ++at;
      continue;
    }
    if (is_done_with(word.last_write(), true, at) || is_done_with(word.other(), word.other_is_write(), at)) return;
    if (word.readers() != 0) {
      const past_launch* const launch = launch_at(word.read_time());
      const unsigned lanes = launch != nullptr ? launch->warp_size : 32;
      const auto lane = static_cast<unsigned>(__builtin_ctzll(word.readers()));
      if (is_done(word.read_time(), word.reader_warp() * lanes + lane, word.read_code(), false, at)) return;
    }
    at = at / 4 * 4 + 4;
  }
}

}  // namespace simt::check
