// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/vector_clock.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <boost/smart_ptr/make_local_shared.hpp>
#include <utility>

#include "simt/machine/trial.hpp"

namespace simt::check {
namespace {

/// Which block each epoch belongs to, and where the current launch began.
struct epoch_table {
  std::uint32_t next = 1;
  timestamp launch_begin = 0;
  std::uint32_t* block_of = nullptr;

  epoch_table() {
    // Reserves address space; memory is taken as epochs are used.
    void* const memory = mmap(nullptr, sizeof(std::uint32_t) << epoch_bits, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) block_of = static_cast<std::uint32_t*>(memory);
  }
};

epoch_table& epochs() {
  static epoch_table* const only = new epoch_table;
  return *only;
}

/// Whether the first says all that the second does.
bool covers(const shared_times& all, const shared_times& part) {
  if (part == nullptr || all == part) return true;
  if (all == nullptr || part->first < all->first || part->end() > all->end()) return false;
  const timestamp* const own = &all->times[part->first - all->first];
  unsigned missing = 0;
  // Without a branch, so that several are compared at once.
  for (std::size_t i = 0; i < part->times.size(); ++i) missing |= own[i] < part->times[i] ? 1U : 0U;
  return missing == 0;
}

bool covers(const shared_times& all, std::uint32_t thread, timestamp time) {
  return all != nullptr && all->of(thread) >= time;
}

/// Both as one. What says all is kept: times that many clocks share need not be compared.
shared_times merged(const shared_times& a, const shared_times& b) {
  if (covers(a, b)) return a;
  if (covers(b, a)) return b;
  const std::uint32_t first = std::min(a->first, b->first);
  auto result = boost::make_local_shared<thread_times>(
      thread_times{first, std::vector<timestamp>(std::max(a->end(), b->end()) - first)});
  for (const shared_times& each : {a, b}) {
    timestamp* const at = &result->times[each->first - first];
    for (std::size_t i = 0; i < each->times.size(); ++i) at[i] = std::max(at[i], each->times[i]);
  }
  return result;
}

bool covers(const other_blocks& all, const other_blocks& part) {
  if (part == nullptr || all == part) return true;
  if (all == nullptr || all->size() < part->size()) return false;
  auto at = all->begin();
  for (const other_block& each : *part) {
    while (at != all->end() && at->block < each.block) ++at;
    if (at == all->end() || at->block != each.block || at->all_before < each.all_before ||
        !covers(at->threads, each.threads))
      return false;
  }
  return true;
}

other_blocks merged(const other_blocks& a, const other_blocks& b) {
  if (covers(a, b)) return a;
  if (covers(b, a)) return b;
  auto result = boost::make_local_shared<std::vector<other_block>>();
  result->reserve(a->size() + b->size());
  auto left = a->begin(), right = b->begin();
  while (left != a->end() || right != b->end()) {
    if (right == b->end() || (left != a->end() && left->block < right->block)) {
      result->push_back(*left++);
    } else if (left == a->end() || right->block < left->block) {
      result->push_back(*right++);
    } else {
      // Times of single threads that lie before the other clock's `all_before` do no harm.
      result->push_back(
          {left->block, std::max(left->all_before, right->all_before), merged(left->threads, right->threads)});
      ++left, ++right;
    }
  }
  return result;
}

const other_block* find(const other_blocks& blocks, std::uint32_t block) {
  if (blocks == nullptr) return nullptr;
  const auto found = std::lower_bound(blocks->begin(), blocks->end(), block,
                                      [](const other_block& each, std::uint32_t key) { return each.block < key; });
  return found != blocks->end() && found->block == block ? &*found : nullptr;
}

}  // namespace

timestamp next_epoch(std::uint32_t block) {
  epoch_table& all = epochs();
  if (all.next + 1 == 1U << epoch_bits || all.block_of == nullptr) {
    block_clocks::is_used_up = true;
    return all.next << count_bits;
  }
  all.block_of[all.next] = block;
  return all.next++ << count_bits;
}

bool skip_epochs(std::uint64_t count) {
  epoch_table& all = epochs();
  if (all.next + count + 1 >= 1U << epoch_bits) return false;
  all.next += static_cast<std::uint32_t>(count);
  return true;
}

bool has_epochs() { return epochs().block_of != nullptr; }

std::uint32_t block_of_timestamp(timestamp time) { return epochs().block_of[epoch_of(time)]; }

bool begin_epochs_of_launch() {
  epoch_table& all = epochs();
  // Each launch has at least half of the epochs.
  const bool restarts = all.next > (1U << epoch_bits) / 2;
  if (restarts) all.next = 1;
  block_clocks::is_used_up = false;
  all.launch_begin = all.next << count_bits;
  return restarts;
}

timestamp begin_of_launch() { return epochs().launch_begin; }

void join(vector_clock& target, const vector_clock& source, std::uint32_t own) {
  if (source.is_empty()) return;
  target.block = own;
  if (source.block == own) {
    target.all_before = std::max(target.all_before, source.all_before);
    target.threads = merged(target.threads, source.threads);
  } else {
    const other_block one{source.block, source.all_before, source.threads};
    target.others = merged(target.others, boost::make_local_shared<const std::vector<other_block>>(1, one));
  }
  target.others = merged(target.others, source.others);
  // Accesses of this block may come back through another block's clock.
  if (const other_block* const back = find(target.others, own)) {
    target.all_before = std::max(target.all_before, back->all_before);
    target.threads = merged(target.threads, back->threads);
  }
  // Not empty, even if it covers nothing of its own block.
  target.all_before = std::max(target.all_before, timestamp{1});
}

timestamp block_clocks::new_epoch() {
  if (!has_own_epochs_) return next_epoch(block_);
  if (next_own_epoch_ + 1 < 1U << epoch_bits) return next_own_epoch_++ << count_bits;
  trial_has_failed = true;
  leave_trial();
  return next_own_epoch_ << count_bits;
}

void block_clocks::begin(std::uint32_t block, unsigned threads) {
  block_ = block;
  first_ = new_epoch();
  // The first timestamp itself lies before the clocks of all lanes.
  generation_ = first_ + 1;
  // Without fences and other blocks the rest of a clock, with a cache line of its own, is as new.
  const bool keeps_rest = !has_fences_ && !has_others_;
  has_fences_ = has_others_ = false;
  lanes_.resize(threads);
  scratch_.assign(threads, 0);
  for (unsigned i = 0; i < threads; ++i) {
    lane_clock& each = lanes_[i];
    each.now = generation_;
    each.thread = i;
    each.joined.block = block;
    each.joined.all_before = generation_;
    each.joined.threads.reset();
    if (keeps_rest) continue;
    each.joined.others.reset();
    each.fenced = each.observed = each.unfenced = each.acquired = vector_clock{};
  }
}

void block_clocks::tick(lane_clock& self) {
  if ((self.now & count_mask) != count_mask) {
    ++self.now;
  } else {
    self.now = new_epoch();
  }
}

void block_clocks::gather(const shared_times& threads) {
  if (threads == nullptr) return;
  timestamp* const at = &scratch_[threads->first];
  for (std::size_t i = 0; i < threads->times.size(); ++i) at[i] = std::max(at[i], threads->times[i]);
}

shared_times block_clocks::gathered() {
  const auto is_set = [](timestamp each) { return each != 0; };
  const auto begin = std::find_if(scratch_.begin(), scratch_.end(), is_set);
  if (begin == scratch_.end()) return nullptr;
  const auto end = std::find_if(scratch_.rbegin(), scratch_.rend(), is_set).base();
  auto result = boost::make_local_shared<thread_times>(
      thread_times{static_cast<std::uint32_t>(begin - scratch_.begin()), {begin, end}});
  std::fill(begin, end, 0);
  return result;
}

void block_clocks::barrier() {
  generation_ = new_epoch();
  vector_clock all_fenced, all_unfenced, all_acquired;
  other_blocks all_others;
  if (has_fences_ || has_others_) {
    shared_times last;
    for (lane_clock& each : lanes_) {
      join(each.joined, each.observed, block_);
      join(all_unfenced, each.observed, block_);
      join(all_unfenced, each.unfenced, block_);
      join(all_acquired, each.acquired, block_);
      all_others = merged(all_others, each.joined.others);
      if (each.fenced.is_empty()) continue;
      if (each.fenced.threads != last) gather(last = each.fenced.threads);
      all_fenced.block = block_;
      all_fenced.all_before = std::max(all_fenced.all_before, each.fenced.all_before);
      all_fenced.others = merged(all_fenced.others, each.fenced.others);
    }
    if (!all_fenced.is_empty()) all_fenced.threads = gathered();
  }
  for (lane_clock& each : lanes_) {
    each.now = generation_;
    each.joined.all_before = generation_;
    each.joined.threads.reset();
    if (!has_fences_ && !has_others_) continue;
    each.joined.others = all_others;
    each.fenced = all_fenced;
    each.unfenced = all_unfenced;
    each.acquired = all_acquired;
    each.observed = vector_clock{};
  }
}

/// What these lanes have fenced, together.
vector_clock block_clocks::join_fences(unsigned first_thread, lane_mask lanes) {
  vector_clock result;
  shared_times last;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const lane_clock& each = lanes_[first_thread + static_cast<unsigned>(__builtin_ctzll(rest))];
    if (each.fenced.is_empty()) continue;
    if (each.fenced.threads != last) gather(last = each.fenced.threads);
    result.block = block_;
    result.all_before = std::max(result.all_before, each.fenced.all_before);
    result.others = merged(result.others, each.fenced.others);
  }
  result.threads = gathered();
  return result;
}

void block_clocks::synchronize(unsigned first_thread, lane_mask lanes) {
  // Without fences and other blocks the rest of the clocks is empty.
  const bool is_whole = has_fences_ || has_others_;
  shared_times last;
  other_blocks all_others;
  vector_clock all_unfenced, all_acquired;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    lane_clock& each = lanes_[first_thread + static_cast<unsigned>(__builtin_ctzll(rest))];
    if (each.joined.threads != last) gather(last = each.joined.threads);
    scratch_[each.thread] = std::max(scratch_[each.thread], each.now);
    if (!is_whole) continue;
    join(all_unfenced, each.unfenced, block_);
    join(all_acquired, each.acquired, block_);
    if (!each.observed.is_empty()) {
      join(each.joined, each.observed, block_);
      join(all_unfenced, each.observed, block_);
      // It may have grown by what was observed.
      if (each.joined.threads != last) gather(last = each.joined.threads);
      each.observed = vector_clock{};
    }
    all_others = merged(all_others, each.joined.others);
  }
  const shared_times all_threads = gathered();
  vector_clock all_fenced;
  if (has_fences_) all_fenced = join_fences(first_thread, lanes);
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    lane_clock& each = lanes_[first_thread + static_cast<unsigned>(__builtin_ctzll(rest))];
    each.joined.threads = all_threads;
    tick(each);
    if (!is_whole) continue;
    each.joined.others = all_others;
    each.unfenced = all_unfenced;
    each.acquired = all_acquired;
    if (has_fences_) each.fenced = all_fenced;
  }
}

/// Joins what a fence or an acquire of the lane has ordered before.
void block_clocks::join_fenced(lane_clock& self, const vector_clock& source) {
  join(self.joined, source, block_);
  join(self.acquired, source, block_);
}

void block_clocks::fence(lane_clock& self) {
  for (vector_clock* const each : {&self.observed, &self.unfenced}) {
    if (each->is_empty()) continue;
    join_fenced(self, *each);
    *each = vector_clock{};
  }
  self.fenced = release(self);
  has_fences_ = true;
}

vector_clock block_clocks::release(lane_clock& self) {
  vector_clock released = self.joined;
  released.threads =
      merged(released.threads, boost::make_local_shared<const thread_times>(thread_times{self.thread, {self.now}}));
  tick(self);
  return released;
}

void block_clocks::acquire(lane_clock& self, const vector_clock& released) {
  join_fenced(self, released);
  has_others_ = true;
}

void block_clocks::observe_relaxed(lane_clock& self, const vector_clock& released) {
  join(self.observed, released, block_);
  has_others_ = true;
}

bool block_clocks::happens_before(const lane_clock& self, timestamp time, std::uint32_t thread) const {
  if (has_own_epochs_)
    return time < first_ || thread == self.thread || time < self.joined.all_before ||
           covers(self.joined.threads, thread, time);
  const epoch_table& all = epochs();
  if (time < all.launch_begin || is_used_up) return true;
  const std::uint32_t block = all.block_of[epoch_of(time)];
  if (time >= first_ && block == block_) {
    if (thread == self.thread || time < self.joined.all_before) return true;
    return covers(self.joined.threads, thread, time);
  }
  const other_block* const known = find(self.joined.others, block);
  return known != nullptr && (time < known->all_before || covers(known->threads, thread, time));
}

bool block_clocks::has_acquired(const lane_clock& self, timestamp time, std::uint32_t thread) const {
  if (has_own_epochs_) return true;
  const std::uint32_t block = block_of_timestamp(time);
  if (time < epochs().launch_begin || is_used_up || block == block_) return true;
  const other_block* const known = find(self.acquired.others, block);
  return known != nullptr && (time < known->all_before || covers(known->threads, thread, time));
}

const vector_clock* released_clocks::find(const void* word) const {
  const auto found = clocks_.find(word);
  return found != clocks_.end() ? &found->second : nullptr;
}

void released_clocks::release(const void* word, const vector_clock& clock, bool adds) {
  if (!adds) {
    if (clock.is_empty()) {
      clocks_.erase(word);
    } else {
      clocks_[word] = clock;
    }
  } else if (!clock.is_empty()) {
    vector_clock& kept = clocks_[word];
    join(kept, clock, kept.is_empty() ? clock.block : kept.block);
  }
}

}  // namespace simt::check
