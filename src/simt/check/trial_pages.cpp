// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/trial_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace simt::check {
namespace {

/// For the shadow memory of all workers of a trial together. A trial that needs more fails.
constexpr std::size_t max_bytes = std::size_t{1} << 30;
/// Pages that are kept from launch to launch, of each worker's shadow memory and of those that blocks share.
constexpr std::size_t kept_slots = 256, kept_pages = 4096;

/// Pages that blocks of the launch have touched. Locked where a page is added.
struct touched_pages {
  struct touched {
    region* memory;
    std::size_t number;
  };

  std::mutex adding;
  std::deque<shared_page> pages;
  std::vector<touched> list;  ///< of the first of these pages, in their order
  std::size_t slots_of_worker = 0;
};

touched_pages& all_touched() {
  static auto* const only = new touched_pages;
  return *only;
}

std::uintptr_t first_page(const region& memory) { return memory.begin >> page_bits; }

std::byte* address_of(const touched_pages::touched& each) {
  return reinterpret_cast<std::byte*>((first_page(*each.memory) + each.number) << page_bits);
}

shared_page& shared_page_at(region& memory, std::uintptr_t page) {
  const std::size_t number = (page >> page_bits) - first_page(memory);
  std::atomic<shared_page*>& known = memory.shared_pages[number];
  if (shared_page* const found = known.load(std::memory_order_acquire)) return *found;
  touched_pages& all = all_touched();
  const std::lock_guard<std::mutex> lock(all.adding);
  if (shared_page* const found = known.load(std::memory_order_acquire)) return *found;
  if (all.list.size() == all.pages.size()) all.pages.emplace_back();
  shared_page& added = all.pages[all.list.size()];
  all.list.push_back({&memory, number});
  known.store(&added, std::memory_order_release);
  return added;
}

/// The part of the page that the region has, from and to which offset.
std::pair<std::size_t, std::size_t> part_of(const region& memory, std::uintptr_t page) {
  const std::uintptr_t begin = std::max(page, memory.begin);
  const std::uintptr_t end = std::min(page + page_bytes, memory.begin + memory.bytes);
  return {begin - page, end - page};
}

}  // namespace

void page_view::allow_write() {
  // The host may look at its own memory at any time.
  if (view.of_host || view.is_freed) leave_trial();
  const auto [first, last] = part_of(*memory, page);
  shared->keep(reinterpret_cast<const std::byte*>(page), first, last);
  may_write = true;
}

trial_pages::~trial_pages() {
  if (slots_ != nullptr) munmap(slots_, slot_count_ * sizeof(slot));
}

trial_pages::place& trial_pages::place_of(std::uintptr_t page) {
  constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
  std::size_t at = (page >> page_bits) * golden_ratio >> 32;
  for (;; ++at) {
    place& each = places_[at & (places_.size() - 1)];
    if (each.block != block_ || each.view->page == page) return each;
  }
}

void trial_pages::enlarge() {
  places_.assign(std::max<std::size_t>(2 * places_.size(), 64), {});
  for (page_view* const each : used_) place_of(each->page) = {block_, each};
}

region& trial_pages::view_of(region& memory, std::uintptr_t page) {
  if (places_.size() <= 2 * used_.size()) enlarge();
  place& known = place_of(page);
  if (known.block == block_) {
    // Another region on the same page.
    if (known.view->memory != &memory) leave_trial();
    return known.view->view;
  }
  const std::size_t number = used_.size();
  if (number == views_.size()) views_.emplace_back();
  page_view& added = views_[number];
  added.page = page;
  if (!claim(memory, added)) leave_trial();
  used_.push_back(&added);
  known = {block_, &added};
  return added.view;
}

/// Gives the view the shadow memory that belongs to its number. What it holds of earlier blocks does not count, but
/// for words that are split.
bool trial_pages::claim(region& memory, page_view& view) {
  const std::size_t number = used_.size(), most = all_touched().slots_of_worker;
  if (slots_ == nullptr) {
    void* const reserved =
        mmap(nullptr, most * sizeof(slot), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return false;
    slots_ = static_cast<slot*>(reserved);
    slot_count_ = most;
  }
  if (number >= std::min(most, slot_count_)) return false;
  slot& own = slots_[number];
  // On a page that is read first, the system would provide zeros, and another page when it is written.
  if (view.view.has_splits) std::memset(own.words, 0, sizeof own.words);
  view.memory = &memory;
  view.view = memory;
  view.view.per_block = true;
  view.view.has_splits = false;
  view.view.of_page = &view;
  const auto words_before = static_cast<std::ptrdiff_t>(view.page - (memory.begin & ~std::uintptr_t{3})) / 4;
  view.view.words = own.words - words_before;
  view.view.tails = own.tails - words_before;
  view.shared = &shared_page_at(memory, view.page);
  view.may_write = false;
  view.read.clear();
  view.written.clear();
  if (memory.gaps != nullptr) mark_gaps(view.view, view.page, view.page + page_bytes);
  return true;
}

bool trial_pages::add_accesses() {
  bool have_met = false;
  for (page_view* const each : used_) have_met = !each->shared->add(each->read, each->written) || have_met;
  used_.clear();
  ++block_;
  return !have_met;
}

void trial_pages::forget() {
  if (slots_ == nullptr) return;
  madvise(slots_, slot_count_ * sizeof(slot), MADV_DONTNEED);
  for (page_view& each : views_) each.view.has_splits = false;
}

void trial_pages::trim() {
  if (views_.size() <= kept_slots) return;
  madvise(slots_ + kept_slots, (slot_count_ - kept_slots) * sizeof(slot), MADV_DONTNEED);
  views_.resize(kept_slots);
  places_.clear();
}

namespace trial_memory {

bool begin(std::size_t workers) {
  all_touched().slots_of_worker = max_bytes / (page_bytes / 4 * (sizeof(shadow_word) + sizeof(shadow_tail))) / workers;
  return region_table::share_pages();
}

void accept() {
  touched_pages& all = all_touched();
  for (std::size_t i = 0; i < all.list.size(); ++i) {
    region& memory = *all.list[i].memory;
    if (memory.initialised) continue;
    const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(address_of(all.list[i]));
    all.pages[i].written().for_each_row(
        [&](std::size_t offset, std::size_t size) { mark_trial_write(memory, page + offset, size); });
  }
}

void undo() {
  touched_pages& all = all_touched();
  for (std::size_t i = 0; i < all.list.size(); ++i) all.pages[i].restore(address_of(all.list[i]));
}

void end() {
  touched_pages& all = all_touched();
  for (std::size_t i = 0; i < all.list.size(); ++i) {
    all.pages[i].clear();
    all.list[i].memory->shared_pages[all.list[i].number].store(nullptr, std::memory_order_relaxed);
  }
  all.list.clear();
  if (all.pages.size() > kept_pages) all.pages.clear();
}

}  // namespace trial_memory

}  // namespace simt::check
