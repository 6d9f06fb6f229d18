// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happened before what: the clocks of lanes, and what they learn of each other where they synchronize.
//
// A lane's accesses carry its instant. A barrier of the block begins a new epoch for all its lanes, so that most
// questions are answered by comparing epochs; only what was learnt since the last barrier is kept lane by lane.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simt/lane.hpp"

namespace simt::check {

/// An epoch, and in its lowest bits how often the lane has handed something on since the epoch began.
using instant = std::uint32_t;

inline constexpr unsigned count_bits = 6;
inline constexpr unsigned epoch_bits = 32 - count_bits;
inline constexpr instant count_mask = (1U << count_bits) - 1;

constexpr std::uint32_t epoch_of(instant when) { return when >> count_bits; }

/// Up to which instant the accesses of a thread are known.
struct known_thread {
  std::uint32_t thread;
  instant when;
};

/// By thread, ascending. Never changed, so that many lanes share one.
using known_threads = std::shared_ptr<const std::vector<known_thread>>;

/// What is known of another block: all before `all_before`, and of some threads more.
struct known_block {
  std::uint32_t block;
  instant all_before;
  known_threads threads;
};

/// By block, ascending; shared like known_threads.
using known_blocks = std::shared_ptr<const std::vector<known_block>>;

/// What somebody knows to have happened before.
struct view {
  std::uint32_t block = 0;  ///< whose own block this is
  instant all_before = 0;   ///< of that block
  known_threads threads;    ///< of that block
  known_blocks others;

  bool is_empty() const { return all_before == 0; }
};

struct lane_clock {
  instant now = 0;
  std::uint32_t thread = 0;  ///< within the block
  view knows;
  view fenced;  ///< what its last fence covered: whoever reads an atomic that it writes later learns it
  view seen;    ///< what its atomic reads have brought, which its next fence or barrier makes known
};

/// The clocks of a block's lanes. It is used by one thread of the system at a time.
class block_clocks {
 public:
  /// A new block of so many threads, in the grid number `block`.
  void begin(std::uint32_t block, unsigned threads);

  lane_clock& of(unsigned thread) { return lanes_[thread]; }

  /// All threads that are left have met; whoever is not left has nothing to do with later ones.
  void barrier();

  /// These threads have met.
  void meet(unsigned first_thread, lane_mask lanes);

  /// A fence of one lane.
  void fence(lane_clock& self);

  /// What others learn from `self` through a word that it releases.
  view released(lane_clock& self);

  /// `self` learns it.
  void learn(lane_clock& self, const view& what);

  /// `self` learns it with its next fence or barrier.
  void see(lane_clock& self, const view& what);

  /// Whether an access is known to have happened before what `self` does now.
  bool is_before(const lane_clock& self, instant when, std::uint32_t thread) const;

  /// The same of an access since the block began to memory that it alone has: most are answered without a call.
  bool is_before_in_block(const lane_clock& self, instant when, std::uint32_t thread) const {
    if (when < self.knows.all_before || thread == self.thread) return true;
    return (self.knows.threads != nullptr || is_used_up) && is_before(self, when, thread);
  }

  /// There are no more epochs in this launch: from then on nothing is found any more.
  static inline bool is_used_up = false;

  /// Shared memory holds nothing of what was accessed before this.
  instant first() const { return first_; }

 private:
  void tick(lane_clock& self);
  void gather(const known_threads& from);
  known_threads gathered();

  std::uint32_t block_ = 0;
  instant first_ = 0;       ///< of the block
  instant generation_ = 0;  ///< the first since the last barrier
  bool has_fences_ = false;
  bool has_others_ = false;
  std::vector<lane_clock> lanes_;
  std::vector<instant> scratch_;
};

/// The first instant of a new epoch of a block.
instant next_epoch(std::uint32_t block);

/// False where there is no address space for the clocks: then nothing can be told of races.
bool has_epochs();

/// The block whose epoch it is.
std::uint32_t block_of_instant(instant when);

/// Everything up to now has happened before everything from now on: a launch begins.
/// True where instants are counted from the beginning again: what carries older ones has to be forgotten.
bool begin_launch();

/// Adds to what `to` knows of other blocks; `to` belongs to a lane of block `own`, or is empty.
void join(view& to, const view& from, std::uint32_t own);

/// What was released through words of memory: semaphores, flags, counters.
class released_words {
 public:
  /// Null where nothing was.
  const view* find(const void* word) const;
  /// Forgets what was released before, unless `adds`.
  void put(const void* word, const view& what, bool adds);
  void clear() { words_.clear(); }

 private:
  std::unordered_map<const void*, view> words_;
};

}  // namespace simt::check
