// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/trial_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "simt/check/past_work.hpp"
#include "system/memory_limit.hpp"

namespace simt::check {
namespace {

/// The most shadow memory of all workers of a trial together: a part of what there is. A trial that needs more fails.
std::size_t find_max_bytes() {
  constexpr std::uint64_t least = std::uint64_t{1} << 28, most = std::uint64_t{1} << 33;
  return std::clamp(os::read_memory_limit().available / 4, least, most);
}

std::size_t max_bytes() {
  static const std::size_t bytes = find_max_bytes();
  return bytes;
}

/// Of each worker's shadow memory, what is kept from launch to launch.
constexpr std::size_t kept_slots = 256;

/// Where the region begins on the page, and how much of it is there.
struct part {
  std::uintptr_t begin;
  std::size_t bytes;

  part(const region& memory, std::uintptr_t page)
      : begin(std::max(page, memory.begin)), bytes(std::min(page + page_bytes, memory.begin + memory.bytes) - begin) {}
};

void restore(const region& memory, std::uintptr_t page, const shared_page& shared) {
  // What only counts as written (initialisation.hpp) is not kept.
  if (!shared.is_kept()) return;
  shared.written().for_each_row([&](std::size_t offset, std::size_t size) {
    std::memcpy(reinterpret_cast<void*>(page + offset), memory.kept + (page + offset - memory.begin), size);
  });
}

/// Whether the host, or lanes in trials, have written all of the page.
bool is_noted_as_written(const region& memory, std::uintptr_t page) {
  const part own(memory, page);
  return is_noted_as_written(memory, own.begin - memory.begin, own.bytes);
}

}  // namespace

void page_view::allow_write() {
  // The host may look at its own memory at any time.
  if (view.of_host || view.is_freed) leave_trial();
  // The write ends the kernel, and only outside of a trial a lane is to blame.
  if (!view.writable) leave_trial();
  const part own(*memory, page);
  shared->keep(memory->kept + (own.begin - memory->begin), reinterpret_cast<const std::byte*>(own.begin), own.bytes);
  may_write = true;
}

void page_view::note_change(std::size_t offset, std::size_t size) {
  // Of a wider one than before the rest is added when the block ends.
  if (changed.has_any(offset, size)) return;
  changed.add(offset, size);
  has_met = !shared->add_changed(offset, size);
  if (has_met) leave_trial();
}

void page_view::ask_for_stamps() {
  needs_stamps = true;
  leave_trial();
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
  // What the host might do to it until then is known of launches in the fixed order alone.
  if (is_host_apart_ && memory.of_host) return false;
  const std::size_t number = used_.size(), most = max_bytes() / sizeof(slot) / workers_;
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
  view.view.looked_at_by = past_work::instance().launch_count();
  view.view.of_page = &view;
  const auto words_before = static_cast<std::ptrdiff_t>(view.page - (memory.begin & ~std::uintptr_t{3})) / 4;
  view.view.words = own.words - words_before;
  view.view.tails = own.tails - words_before;
  view.shared = &memory.shared_pages[(view.page >> page_bits) - (memory.begin >> page_bits)];
  if (view.shared->is_first()) touched_.push_back({&memory, view.page});
  view.may_write = view.needs_stamps = view.has_met = false;
  view.has_stamps = has_stamps_ || memory.has_stamps || memory.gaps != nullptr;
  view.view.initialised = memory.initialised || is_noted_as_written(memory, view.page);
  view.read.clear();
  view.written.clear();
  view.changed.clear();
  view.view.has_begun.clear();
  begin_page(view.view, view.page);
  return true;
}

bool trial_pages::add_accesses() {
  bool have_met = false;
  for (page_view* const each : used_) {
    have_met = !each->shared->add(each->read, each->written, each->changed) || each->has_met || have_met;
    if (each->needs_stamps) without_stamps_.push_back(each->memory);
  }
  used_.clear();
  ++block_;
  return !have_met;
}

bool trial_pages::provide_stamps() {
  const bool are_asked_for = !without_stamps_.empty();
  for (region* const each : without_stamps_) each->has_stamps = true;
  without_stamps_.clear();
  return are_asked_for;
}

void trial_pages::forget() {
  if (slots_ == nullptr) return;
  madvise(slots_, slot_count_ * sizeof(slot), MADV_DONTNEED);
  for (page_view& each : views_) each.view.has_splits = false;
}

void trial_pages::unlock() const {
  for (const touched& each : touched_) each.shared().unlock();
}

void trial_pages::accept() const {
  for (const touched& each : touched_) {
    if (each.memory->initialised) continue;
    each.shared().written().for_each_row(
        [&](std::size_t offset, std::size_t size) { mark_trial_write(*each.memory, each.page + offset, size); });
  }
}

void trial_pages::undo() const {
  for (const touched& each : touched_) restore(*each.memory, each.page, each.shared());
}

void trial_pages::end_launch() {
  for (const touched& each : touched_) each.shared().clear();
  touched_.clear();
  if (views_.size() <= kept_slots) return;
  madvise(slots_ + kept_slots, (slot_count_ - kept_slots) * sizeof(slot), MADV_DONTNEED);
  views_.resize(kept_slots);
  places_.clear();
}

}  // namespace simt::check
