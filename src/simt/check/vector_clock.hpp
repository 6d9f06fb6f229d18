// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happened before what: the vector clocks of lanes, which they join where they synchronize.
//
// A lane's accesses carry its timestamp. A barrier of the block begins a new epoch for all its lanes, so that comparing
// epochs mostly decides; entries of single lanes exist only for what they have joined since the last barrier.
#pragma once

#include <boost/smart_ptr/local_shared_ptr.hpp>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/lane.hpp"

namespace simt::check {

/// An epoch, and in its lowest bits how often the lane has released something since the epoch began.
using timestamp = std::uint32_t;

inline constexpr unsigned count_bits = 6;
inline constexpr unsigned epoch_bits = 32 - count_bits;
inline constexpr timestamp count_mask = (1U << count_bits) - 1;

constexpr std::uint32_t epoch_of(timestamp time) { return time >> count_bits; }

/// Of neighboring threads, the time up to which each one's accesses have happened before; 0: none of them. It begins
/// and ends with a thread that has one. Mostly these are the lanes of a warp.
struct thread_times {
  std::uint32_t first;
  std::vector<timestamp> times;

  /// The thread behind the last one.
  std::size_t end() const { return first + times.size(); }
  timestamp of(std::uint32_t thread) const { return thread >= first && thread < end() ? times[thread - first] : 0; }
};

/// Never changed, so that many lanes share one. Null: none. Counted without atomics: the blocks that share one take
/// turns.
using shared_times = boost::local_shared_ptr<const thread_times>;

/// The part of a clock for another block: all accesses before `all_before`, and of some threads more.
struct other_block {
  std::uint32_t block;
  timestamp all_before;
  shared_times threads;
};

/// By block, ascending; shared like the times.
using other_blocks = boost::local_shared_ptr<const std::vector<other_block>>;

/// The accesses that have happened before.
struct vector_clock {
  std::uint32_t block = 0;   ///< the owner's block
  timestamp all_before = 0;  ///< all accesses of that block before this time
  shared_times threads;      ///< later accesses of single threads of that block
  other_blocks others;

  bool is_empty() const { return all_before == 0; }
};

struct lane_clock {
  timestamp now = 0;
  std::uint32_t thread = 0;  ///< within the block
  vector_clock joined;
  vector_clock fenced;    ///< what its atomic writes release: what had happened before its last fence
  vector_clock observed;  ///< what its relaxed atomic reads have observed; joined at its next fence or barrier
  vector_clock unfenced;  ///< what it has joined of that at barriers, with no fence since
  vector_clock acquired;  ///< of other blocks, what it has joined otherwise
};

/// The clocks of a block's lanes. Used by one system thread at a time.
class block_clocks {
 public:
  /// A new block of so many threads; `block` is its number in the grid.
  void begin(std::uint32_t block, unsigned threads);

  lane_clock& of(unsigned thread) { return lanes_[thread]; }

  /// From now on the blocks have epochs of their own, whose timestamps grow. Their accesses are compared with those of
  /// the same block alone.
  void begin_own_epochs() {
    has_own_epochs_ = true;
    next_own_epoch_ = 1;
  }
  std::uint32_t own_epochs() const { return next_own_epoch_; }

  /// All threads that have not returned synchronize; returned ones take no part in anything later.
  void barrier();

  /// These lanes of the warp that begins with `first_thread` synchronize.
  void synchronize(unsigned first_thread, lane_mask lanes);

  /// A fence of one lane.
  void fence(lane_clock& self);

  /// What a lane that acquires a word joins if `self` releases it now.
  vector_clock release(lane_clock& self);

  void acquire(lane_clock& self, const vector_clock& released);

  /// An acquire that takes effect at the next fence or barrier of `self`.
  void observe_relaxed(lane_clock& self, const vector_clock& released);

  /// Whether an access has happened before what `self` does now.
  bool happens_before(const lane_clock& self, timestamp time, std::uint32_t thread) const;

  /// Whether an access of another block that has happened before did so by a barrier in place of a fence.
  bool lacks_fence(const lane_clock& self, timestamp time, std::uint32_t thread) const {
    return !self.unfenced.is_empty() && !has_acquired(self, time, thread);
  }

  /// happens_before() for an access of this block to its own shared memory; mostly decided without a call.
  bool happens_before_in_block(const lane_clock& self, timestamp time, std::uint32_t thread) const {
    if (time < self.joined.all_before || thread == self.thread) return true;
    return (self.joined.threads != nullptr || is_used_up) && happens_before(self, time, thread);
  }

  /// This launch has used all epochs: from then on everything counts as ordered.
  static inline bool is_used_up = false;

  /// The block's first timestamp: what shared memory holds from before is meaningless.
  timestamp first() const { return first_; }

 private:
  timestamp new_epoch();
  bool has_acquired(const lane_clock& self, timestamp time, std::uint32_t thread) const;
  void join_fenced(lane_clock& self, const vector_clock& source);
  void tick(lane_clock& self);
  void gather(const shared_times& threads);
  shared_times gathered();
  vector_clock join_fences(unsigned first_thread, lane_mask lanes);

  std::uint32_t block_ = 0;
  timestamp first_ = 0;
  timestamp generation_ = 0;  ///< the first one since the last barrier
  bool has_own_epochs_ = false;
  std::uint32_t next_own_epoch_ = 1;
  bool has_fences_ = false;
  bool has_others_ = false;
  std::vector<lane_clock> lanes_;
  std::vector<timestamp> scratch_;
};

/// The first timestamp of a new epoch of a block.
timestamp next_epoch(std::uint32_t block);

/// As next_epoch() so many times, for epochs that nobody looks at any more. False where there are not as many left.
bool skip_epochs(std::uint64_t count);

/// False where there is no address space for the epochs: no races are found then.
bool has_epochs();

/// The block in whose epoch the time lies.
std::uint32_t block_of_timestamp(timestamp time);

/// A launch begins: everything up to now has happened before it. True where timestamps start from the beginning again:
/// shadow memory must forget older ones.
bool begin_epochs_of_launch();

/// No access of the launch comes before it, and all others do.
timestamp begin_of_launch();

/// `target` belongs to a lane of block `own`, or is empty.
void join(vector_clock& target, const vector_clock& source, std::uint32_t own);

/// What was released through words of memory: semaphores, flags, counters.
class released_clocks {
 public:
  /// Null where nothing was released.
  const vector_clock* find(const void* word) const;
  /// `adds`: joins what was released before, instead of replacing it.
  void release(const void* word, const vector_clock& clock, bool adds);
  void clear() { clocks_.clear(); }

 private:
  std::unordered_map<const void*, vector_clock> clocks_;
};

}  // namespace simt::check
