// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a block has before it runs: its warps, lanes, stacks and shared memory.
#include <pthread.h>

#include "simt/machine/block.hpp"

namespace simt {

block::block() = default;
block::~block() = default;

bool block::configure(const launch_request& request, unsigned warp_size, std::atomic<bool>& is_abandoned,
                      bool in_trial) {
  request_ = &request;
  is_abandoned_ = &is_abandoned;
  settings_ = current_settings();
  launch_observer* const observer = settings_.check == WARPZ_CHECK_ALL ? registered_launch_observer : nullptr;
  if (observer == nullptr) {
    observer_.reset();
  } else if (observer_ == nullptr) {
    observer_ = observer->observe_worker(in_trial);
  }
  in_trial_ = in_trial;
  takes_turns_ = observer_ != nullptr && !in_trial;
  block_dim_ = request.block;
  grid_dim_ = request.grid;
  alone_ = request.grid.x == 1 && request.grid.y == 1 && request.grid.z == 1;
  lane_count_ = request.block.x * request.block.y * request.block.z;
  warp_size_ = warp_size;
  stacks_prepared_ = false;
  warp_count_ = (lane_count_ + warp_size - 1) / warp_size;
  if (lane_capacity_ < lane_count_) {
    lane_capacity_ = lane_count_;
    fibers_ = std::make_unique<fiber[]>(lane_count_);
    // Enough for either warp size.
    warps_ = std::make_unique<warp[]>((lane_count_ + 31) / 32);
  }
  number_warps();
  number_lanes(allocate_shared(request.dynamic_shared_bytes));
  if (!choose_loops()) return false;
  if (loops_ == nullptr && stacks_.count() < lane_count_ && !stacks_.reserve(lane_count_)) return false;
#ifdef SIMT_ADDRESS_SANITIZER
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  void* low = nullptr;
  pthread_attr_getstack(&attributes, &low, &main_.stack_bytes);
  main_.stack_low = low;
  pthread_attr_destroy(&attributes);
#endif
  return true;
}

/// Returns the beginning of the dynamic shared memory, aligned to 256 bytes.
void* block::allocate_shared(std::size_t bytes) {
  const std::size_t guard = observer_ != nullptr ? observed_shared_guard : 0;
  if (dynamic_shared_bytes_ < bytes + 2 * guard) {
    dynamic_shared_bytes_ = bytes + 2 * guard;
    dynamic_shared_.reset(new char[dynamic_shared_bytes_ + 256]);
  }
  const auto unaligned = reinterpret_cast<std::uintptr_t>(dynamic_shared_.get());
  return reinterpret_cast<void*>((unaligned + 255) / 256 * 256 + guard);
}

void block::number_warps() {
  for (unsigned w = 0; w < warp_count_; ++w) {
    warps_[w].block = this;
    warps_[w].index = w;
    warps_[w].lanes = &fibers_[w * warp_size_];
    const unsigned lanes_left = lane_count_ - w * warp_size_;
    warps_[w].present = first_lanes(lanes_left < warp_size_ ? lanes_left : warp_size_);
    warps_[w].operands.warp_size = warp_size_;
    warps_[w].operands.present = warps_[w].present;
  }
}

void block::number_lanes(void* dynamic_shared) {
  index3 thread{0, 0, 0};
  for (unsigned i = 0; i < lane_count_; ++i) {
    fiber& each = fibers_[i];
    each.warp = &warps_[i / warp_size_];
    each.thread = i;
    each.thread_idx = thread;
    each.lane_id = i % warp_size_;
    each.value = &each.warp->operands.value[each.lane_id];
    each.block_idx = &block_idx_;
    each.block_dim = &block_dim_;
    each.grid_dim = &grid_dim_;
    each.block_serial = &serial_;
    each.dynamic_shared = dynamic_shared;
    each.unchecked_scopes = 0;
    each.dynamic_shared_bytes = static_cast<unsigned>(request_->dynamic_shared_bytes);
    if (++thread.x == block_dim_.x) {
      thread.x = 0;
      if (++thread.y == block_dim_.y) {
        thread.y = 0;
        ++thread.z;
      }
    }
  }
}

void block::release() {
  stacks_.reserve(0);
  lane_capacity_ = 0;
  fibers_.reset();
  warps_.reset();
  frames_.reset();
  frame_bytes_ = 0;
}

}  // namespace simt
