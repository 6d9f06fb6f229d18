// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/copies.hpp"

#include <algorithm>
#include <vector>

namespace simt {
namespace {

struct grouped_copy {
  pending_copy copy;
  unsigned group;
};

struct copies_of_thread {
  std::vector<grouped_copy> list;  ///< oldest first
  unsigned group = 0;              ///< the one that is being made
};

struct copy_on_barrier {
  const void* barrier;
  pending_copy copy;
  unsigned looks;  ///< at the barrier since the copy began
};

/// All that is under way in a block.
struct copies_of_block {
  std::uint64_t block_serial = 0;
  std::vector<copies_of_thread> queues;  ///< two for each thread
  std::vector<copy_on_barrier> on_barriers;
};

copies_of_block& copies_under_way() {
  static thread_local copies_of_block all;
  if (all.block_serial != *this_lane->block_serial) {
    const index3 block = *this_lane->block_dim;
    all.block_serial = *this_lane->block_serial;
    all.queues.assign(std::size_t{2} * block.x * block.y * block.z, {});
    all.on_barriers.clear();
  }
  return all;
}

copies_of_thread& copies_of(copy_queue queue) {
  const index3 block = *this_lane->block_dim, thread = this_lane->thread_idx;
  const std::size_t number = (std::size_t{thread.z} * block.y + thread.y) * block.x + thread.x;
  return copies_under_way().queues[2 * number + static_cast<unsigned>(queue)];
}

}  // namespace

void begin_copy(copy_queue queue, const pending_copy& copy) {
  copies_of_thread& mine = copies_of(queue);
  mine.list.push_back({copy, mine.group});
}

void commit_copies(copy_queue queue) { ++copies_of(queue).group; }

bool take_copy(copy_queue queue, unsigned max_left, pending_copy& copy) {
  copies_of_thread& mine = copies_of(queue);
  if (mine.list.empty() || mine.group - mine.list.front().group <= max_left) return false;
  copy = mine.list.front().copy;
  mine.list.erase(mine.list.begin());
  return true;
}

void begin_copy_on(const void* barrier, const pending_copy& copy) {
  copies_under_way().on_barriers.push_back({barrier, copy, 0});
}

void look_for_copies(const void* barrier) {
  for (copy_on_barrier& each : copies_under_way().on_barriers) {
    if (each.barrier == barrier) ++each.looks;
  }
}

bool take_due_copy(const void* barrier, pending_copy& copy) {
  std::vector<copy_on_barrier>& all = copies_under_way().on_barriers;
  const auto is_due = [barrier](const copy_on_barrier& each) { return each.barrier == barrier && each.looks > 1; };
  const auto found = std::find_if(all.begin(), all.end(), is_due);
  if (found == all.end()) return false;
  copy = found->copy;
  all.erase(found);
  return true;
}

}  // namespace simt
