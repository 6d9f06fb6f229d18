// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/clocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace simt::check {
namespace {

/// Which block each epoch belongs to, and where the current launch began.
struct all_epochs {
  std::uint32_t next = 1;
  instant launch_begin = 0;
  std::uint32_t* block_of = nullptr;

  all_epochs() {
    // Address space alone; memory comes with the epochs.
    void* const memory = mmap(nullptr, sizeof(std::uint32_t) << epoch_bits, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) block_of = static_cast<std::uint32_t*>(memory);
  }
};

all_epochs& epochs() {
  static all_epochs* const only = new all_epochs;
  return *only;
}

bool knows(const known_threads& threads, std::uint32_t thread, instant when) {
  if (threads == nullptr) return false;
  const auto found = std::lower_bound(threads->begin(), threads->end(), thread,
                                      [](const known_thread& each, std::uint32_t key) { return each.thread < key; });
  return found != threads->end() && found->thread == thread && found->when >= when;
}

known_threads merged(const known_threads& a, const known_threads& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  auto made = std::make_shared<std::vector<known_thread>>();
  made->reserve(a->size() + b->size());
  auto left = a->begin(), right = b->begin();
  while (left != a->end() || right != b->end()) {
    if (right == b->end() || (left != a->end() && left->thread < right->thread)) {
      made->push_back(*left++);
    } else if (left == a->end() || right->thread < left->thread) {
      made->push_back(*right++);
    } else {
      made->push_back({left->thread, std::max(left->when, right->when)});
      ++left;
      ++right;
    }
  }
  return made;
}

/// What is known of one block from two sources; threads that one of them knows less of than the other knows of all are
/// no harm.
known_block merged(const known_block& a, const known_block& b) {
  return {a.block, std::max(a.all_before, b.all_before), merged(a.threads, b.threads)};
}

known_blocks merged(const known_blocks& a, const known_blocks& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  auto made = std::make_shared<std::vector<known_block>>();
  made->reserve(a->size() + b->size());
  auto left = a->begin(), right = b->begin();
  while (left != a->end() || right != b->end()) {
    if (right == b->end() || (left != a->end() && left->block < right->block)) {
      made->push_back(*left++);
    } else if (left == a->end() || right->block < left->block) {
      made->push_back(*right++);
    } else {
      made->push_back(merged(*left++, *right++));
    }
  }
  return made;
}

const known_block* find(const known_blocks& blocks, std::uint32_t block) {
  if (blocks == nullptr) return nullptr;
  const auto found = std::lower_bound(blocks->begin(), blocks->end(), block,
                                      [](const known_block& each, std::uint32_t key) { return each.block < key; });
  return found != blocks->end() && found->block == block ? &*found : nullptr;
}

/// The threads with one more.
known_threads with(const known_threads& threads, std::uint32_t thread, instant when) {
  return merged(threads, std::make_shared<const std::vector<known_thread>>(1, known_thread{thread, when}));
}

}  // namespace

instant next_epoch(std::uint32_t block) {
  all_epochs& all = epochs();
  if (all.next + 1 == 1U << epoch_bits || all.block_of == nullptr) {
    block_clocks::is_used_up = true;
    return all.next << count_bits;
  }
  all.block_of[all.next] = block;
  return all.next++ << count_bits;
}

bool has_epochs() { return epochs().block_of != nullptr; }

std::uint32_t block_of_instant(instant when) { return epochs().block_of[epoch_of(when)]; }

bool begin_launch() {
  all_epochs& all = epochs();
  // A launch has at most so many epochs left as the instants can tell; the caller forgets what was before.
  const bool starts_anew = all.next > (1U << epoch_bits) / 2;
  if (starts_anew) all.next = 1;
  block_clocks::is_used_up = false;
  all.launch_begin = all.next << count_bits;
  return starts_anew;
}

void join(view& to, const view& from, std::uint32_t own) {
  if (from.is_empty()) return;
  to.block = own;
  if (from.block == own) {
    to.all_before = std::max(to.all_before, from.all_before);
    to.threads = merged(to.threads, from.threads);
  } else {
    const known_block one{from.block, from.all_before, from.threads};
    to.others = merged(to.others, std::make_shared<const std::vector<known_block>>(1, one));
  }
  to.others = merged(to.others, from.others);
  // It may have come back through another block.
  if (const known_block* const back = find(to.others, own)) {
    to.all_before = std::max(to.all_before, back->all_before);
    to.threads = merged(to.threads, back->threads);
  }
  // Whoever knows of nothing else knows what lies before any epoch.
  to.all_before = std::max(to.all_before, instant{1});
}

void block_clocks::begin(std::uint32_t block, unsigned threads) {
  block_ = block;
  first_ = next_epoch(block);
  // What is marked with the first instant, everybody knows.
  generation_ = first_ + 1;
  has_fences_ = has_others_ = false;
  lanes_.resize(threads);
  scratch_.assign(threads, 0);
  for (unsigned i = 0; i < threads; ++i) {
    lane_clock& each = lanes_[i];
    each.now = generation_;
    each.thread = i;
    each.knows = view{block, generation_, nullptr, nullptr};
    each.fenced = each.seen = view{};
  }
}

void block_clocks::tick(lane_clock& self) {
  if ((self.now & count_mask) != count_mask) {
    ++self.now;
  } else {
    self.now = next_epoch(block_);
  }
}

void block_clocks::gather(const known_threads& from) {
  if (from == nullptr) return;
  for (const known_thread& each : *from) scratch_[each.thread] = std::max(scratch_[each.thread], each.when);
}

known_threads block_clocks::gathered() {
  auto made = std::make_shared<std::vector<known_thread>>();
  for (std::uint32_t i = 0; i < scratch_.size(); ++i) {
    if (scratch_[i] != 0) made->push_back({i, std::exchange(scratch_[i], 0)});
  }
  return made;
}

void block_clocks::barrier() {
  generation_ = next_epoch(block_);
  view all_fenced;
  known_blocks all_others;
  if (has_fences_ || has_others_) {
    known_threads last;
    for (lane_clock& each : lanes_) {
      join(each.knows, each.seen, block_);
      all_others = merged(all_others, each.knows.others);
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
    each.knows.all_before = generation_;
    each.knows.threads.reset();
    if (!has_fences_ && !has_others_) continue;
    each.knows.others = all_others;
    each.fenced = all_fenced;
    each.seen = view{};
  }
}

void block_clocks::meet(unsigned first_thread, lane_mask lanes) {
  view met;
  known_threads last, last_fenced;
  view all_fenced;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    lane_clock& each = lanes_[first_thread + static_cast<unsigned>(__builtin_ctzll(rest))];
    if (!each.seen.is_empty()) {
      join(each.knows, each.seen, block_);
      each.seen = view{};
    }
    if (each.knows.threads != last) gather(last = each.knows.threads);
    scratch_[each.thread] = std::max(scratch_[each.thread], each.now);
    met.others = merged(met.others, each.knows.others);
  }
  met.threads = gathered();
  if (has_fences_) {
    for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
      lane_clock& each = lanes_[first_thread + static_cast<unsigned>(__builtin_ctzll(rest))];
      if (each.fenced.is_empty()) continue;
      if (each.fenced.threads != last_fenced) gather(last_fenced = each.fenced.threads);
      all_fenced.block = block_;
      all_fenced.all_before = std::max(all_fenced.all_before, each.fenced.all_before);
      all_fenced.others = merged(all_fenced.others, each.fenced.others);
    }
    all_fenced.threads = gathered();
  }
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    lane_clock& each = lanes_[first_thread + static_cast<unsigned>(__builtin_ctzll(rest))];
    each.knows.threads = met.threads;
    each.knows.others = met.others;
    if (has_fences_) each.fenced = all_fenced;
    tick(each);
  }
}

void block_clocks::fence(lane_clock& self) {
  if (!self.seen.is_empty()) {
    join(self.knows, self.seen, block_);
    self.seen = view{};
  }
  self.fenced = released(self);
  has_fences_ = true;
}

view block_clocks::released(lane_clock& self) {
  view made = self.knows;
  made.threads = with(self.knows.threads, self.thread, self.now);
  tick(self);
  return made;
}

void block_clocks::learn(lane_clock& self, const view& what) {
  join(self.knows, what, block_);
  has_others_ = true;
}

void block_clocks::see(lane_clock& self, const view& what) {
  join(self.seen, what, block_);
  has_others_ = true;
}

bool block_clocks::is_before(const lane_clock& self, instant when, std::uint32_t thread) const {
  const all_epochs& all = epochs();
  if (when < all.launch_begin || is_used_up) return true;
  const bool own = when >= first_ && all.block_of[epoch_of(when)] == block_;
  if (own) {
    if (thread == self.thread || when < self.knows.all_before) return true;
    return knows(self.knows.threads, thread, when);
  }
  const known_block* const known = find(self.knows.others, all.block_of[epoch_of(when)]);
  return known != nullptr && (when < known->all_before || knows(known->threads, thread, when));
}

const view* released_words::find(const void* word) const {
  const auto found = words_.find(word);
  return found != words_.end() ? &found->second : nullptr;
}

void released_words::put(const void* word, const view& what, bool adds) {
  if (!adds) {
    if (what.is_empty()) {
      words_.erase(word);
    } else {
      words_[word] = what;
    }
  } else if (!what.is_empty()) {
    view& kept = words_[word];
    join(kept, what, kept.is_empty() ? what.block : kept.block);
  }
}

}  // namespace simt::check
