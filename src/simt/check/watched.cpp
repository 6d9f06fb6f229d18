// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/watched.hpp"

#include <cstring>

#include "simt/check/watcher.hpp"

namespace simt {

using check::current_watcher;

namespace {

bool watched_code = false;

}  // namespace

void note_watched_code() { watched_code = true; }

bool has_watched_code() { return watched_code; }

std::uint64_t undefined_result(unsigned lane, unsigned source) {
  return current_watcher != nullptr ? current_watcher->trace().undefined_result(lane, source) : ~std::uint64_t{0};
}

void order_memory(lane_mask lanes) {
  if (current_watcher != nullptr) current_watcher->meet(lanes);
}

void hand_on(const void* word) {
  if (current_watcher != nullptr) current_watcher->release(word, true);
}

void learn(const void* word) {
  if (current_watcher != nullptr) current_watcher->acquire(word);
}

void allow_unwritten(const void* memory, std::size_t bytes) {
  if (current_watcher != nullptr) {
    current_watcher->mark_written(reinterpret_cast<std::uintptr_t>(memory), bytes);
  }
}

void note_copy(void* to, const void* from, std::size_t bytes) {
  if (current_watcher == nullptr) return;
  current_watcher->copy(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), bytes,
                        __builtin_return_address(0));
}

void copy_unwatched(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

}  // namespace simt
