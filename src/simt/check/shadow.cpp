// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "simt/check/fills.hpp"
#include "simt/check/trial_pages.hpp"
#include "simt/machine/trial.hpp"
#include "system/pages.hpp"

namespace simt::check {
namespace {

/// Sorted by their beginning. Not locked: checked blocks run one at a time.
std::vector<std::unique_ptr<region>>& common() {
  static auto* const list = new std::vector<std::unique_ptr<region>>;
  return *list;
}

std::size_t words_in(const region& memory) { return (memory.bytes + memory.begin % 4 + 3) / 4; }

/// So much comes from the heap. A kernel that runs again and again on small arrays would spend most of its time with
/// mappings, and the page faults behind them.
constexpr std::size_t max_heap_bytes = std::size_t{1} << 16;

/// Zeroed memory. Of much of it, pages that are never touched cost nothing.
void* reserve(std::size_t bytes) {
  if (bytes <= max_heap_bytes) return std::calloc(1, bytes);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

/// For what many cores fill at the same time: they wait for each other in each page fault.
void* reserve_large(std::size_t bytes) {
  void* const memory = reserve(bytes);
  if (memory != nullptr && bytes > max_heap_bytes) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

/// Memory from reserve(), of so many bytes, becomes null.
template <class Value>
void release(Value*& memory, std::size_t bytes) {
  if (bytes <= max_heap_bytes) {
    std::free(memory);
  } else if (memory != nullptr) {
    munmap(memory, bytes);
  }
  memory = nullptr;
}

void clear(void* memory, std::size_t bytes) {
  if (bytes <= max_heap_bytes) {
    std::memset(memory, 0, bytes);
  } else {
    madvise(memory, bytes, MADV_DONTNEED);
  }
}

/// How many pages a region is on.
std::size_t pages_of(const region& memory) {
  return ((memory.begin + memory.bytes - 1) >> page_bits) - (memory.begin >> page_bits) + 1;
}

/// Sets a bit for each of these bytes. False where there is no address space for the bits of the region.
bool set_bits(unsigned char*& bits, const region& memory, std::size_t offset, std::size_t bytes) {
  if (bits == nullptr) bits = static_cast<unsigned char*>(reserve(memory.bytes / 8 + 1));
  if (bits == nullptr) return false;
  for (std::size_t i = offset; i < offset + bytes;) {
    if (const std::size_t whole = (offset + bytes - i) / 8; i % 8 == 0 && whole != 0) {
      std::memset(bits + i / 8, 0xff, whole);
      i += 8 * whole;
    } else {
      bits[i / 8] = static_cast<unsigned char>(bits[i / 8] | 1U << i % 8);
      ++i;
    }
  }
  return true;
}

bool has_bit(const unsigned char* bits, std::size_t offset, std::size_t bytes) {
  if (bits == nullptr) return false;
  for (std::size_t i = offset; i < offset + bytes; ++i) {
    if ((bits[i / 8] >> i % 8 & 1) != 0) return true;
  }
  return false;
}

bool has_all_bits(const unsigned char* bits, const unsigned char* others, std::size_t offset, std::size_t bytes) {
  const auto at = [&](std::size_t byte) {
    return (bits != nullptr ? bits[byte] : 0U) | (others != nullptr ? others[byte] : 0U);
  };
  for (std::size_t i = offset; i < offset + bytes;) {
    const bool is_whole = i % 8 == 0 && offset + bytes - i >= 8;
    if ((at(i / 8) | ~(is_whole ? 0xffU : 1U << i % 8)) != ~0U) return false;
    i += is_whole ? 8 : 1;
  }
  return true;
}

/// Calls use(from, to) with addresses: for each gap its part on the page.
template <class Use>
void for_each_gap(const region& memory, std::uintptr_t page, const Use& use) {
  const std::uintptr_t page_end = page + page_bytes;
  auto each = std::partition_point(memory.gaps->begin(), memory.gaps->end(),
                                   [&](const gap& before) { return memory.begin + before.end <= page; });
  for (; each != memory.gaps->end() && memory.begin + each->begin < page_end; ++each)
    use(std::max(memory.begin + each->begin, page), std::min(memory.begin + each->end, page_end));
}

void mark_words(region& memory, std::uintptr_t page) {
  const shadow_byte mark{access_stamp::no_variable(), {}};
  for_each_gap(memory, page, [&](std::uintptr_t at, std::uintptr_t end) {
    for (; at < end; ++at) {
      shadow_word& word = memory.word_at(at);
      shadow_tail& tail = memory.tail_of(word);
      if (!word.is_split()) word.split({}, tail);
      word.set_byte(at % 4, mark, tail);
      memory.has_splits = true;
    }
  });
}

void mark_tags(region& memory, std::uintptr_t page) {
  for_each_gap(memory, page, [&](std::uintptr_t at, std::uintptr_t end) {
    for (; at < end; at = at / 4 * 4 + 4) memory.tag_at(at) = lane_tag::no_variable();
  });
}

void fill_page(const region& memory, std::uintptr_t page) {
  const std::uintptr_t begin = std::max(page, memory.begin + memory.fill_begin);
  const std::uintptr_t end = std::min(page + page_bytes, memory.begin + memory.bytes);
  if (begin < end)
    fill_unwritten(reinterpret_cast<void*>(begin), end - begin, memory.fill, memory.offset_in_words(begin) / 4);
}

/// Again, for the pages that have begun.
void mark_again(region& memory, void (*mark)(region&, std::uintptr_t)) {
  if (memory.gaps == nullptr) return;
  for (std::size_t i = 0; i < memory.has_begun.size(); ++i) {
    if (memory.has_begun[i]) mark(memory, ((memory.begin >> page_bits) + i) << page_bits);
  }
}

bool touches_page(const region& memory, std::uintptr_t first, std::uintptr_t last) {
  return memory.begin <= last && memory.begin + memory.bytes > first;
}

}  // namespace

std::uint32_t region_table::version_ = 1;

bool make_shadow(region& memory) {
  memory.words = static_cast<shadow_word*>(reserve(words_in(memory) * sizeof *memory.words));
  memory.tails = static_cast<shadow_tail*>(reserve(words_in(memory) * sizeof *memory.tails));
  return memory.words != nullptr && memory.tails != nullptr;
}

void make_tags(region& memory) {
  memory.tags = static_cast<lane_tag*>(reserve(words_in(memory) * sizeof(lane_tag)));
  if (memory.tags != nullptr) mark_again(memory, mark_tags);
}

void begin_page(region& memory, std::uintptr_t page) {
  if (!memory.begins_by_page()) return;
  memory.has_begun.resize(pages_of(memory));
  const std::size_t number = (page >> page_bits) - (memory.begin >> page_bits);
  if (memory.has_begun[number]) return;
  memory.has_begun[number] = true;
  fill_page(memory, page);
  if (memory.gaps == nullptr) return;
  mark_words(memory, page);
  if (memory.tags != nullptr) mark_tags(memory, page);
}

void fill_pages(region& memory, std::size_t begin, std::uint32_t fill) {
  memory.fill_begin = begin;
  memory.fill = fill;
  for (std::size_t i = 0; i < memory.has_begun.size(); ++i) {
    if (memory.has_begun[i]) fill_page(memory, ((memory.begin >> page_bits) + i) << page_bits);
  }
}

void find_memory(region& memory, std::uintptr_t page) {
  constexpr std::size_t few_pages = 64;
  const std::size_t pages = pages_of(memory), number = (page >> page_bits) - (memory.begin >> page_bits);
  memory.has_memory.resize(pages);
  if (memory.has_memory[number]) return;
  memory.has_memory[number] = true;
  const bool is_in_row =
      (number > 0 && memory.has_memory[number - 1]) || (number + 1 < pages && memory.has_memory[number + 1]);
  if ((pages > few_pages && !is_in_row) || words_in(memory) * sizeof *memory.words <= max_heap_bytes) return;
  const std::uintptr_t begin = std::max(page, memory.begin),
                       end = std::min(page + page_bytes, memory.begin + memory.bytes);
  os::find_pages(&memory.word_at(begin), (end - begin) / 4 * sizeof(shadow_word));
}

void drop_shadow(region& memory) {
  const std::size_t words = words_in(memory);
  release(memory.words, words * sizeof *memory.words);
  release(memory.tails, words * sizeof *memory.tails);
  release(memory.tags, words * sizeof *memory.tags);
  release(memory.host_written, memory.bytes / 8 + 1);
  release(memory.trial_written, memory.bytes / 8 + 1);
  release(memory.shared_pages, pages_of(memory) * sizeof *memory.shared_pages);
  release(memory.kept, memory.bytes);
}

void mark_host_write(region& memory, std::size_t offset, std::size_t bytes) {
  if (memory.initialised) return;
  if (offset == 0 && bytes == memory.bytes) {
    memory.initialised = true;
    return;
  }
  // A missed finding is better than a wrong one.
  if (!set_bits(memory.host_written, memory, offset, bytes)) memory.initialised = true;
}

void mark_trial_write(region& memory, std::uintptr_t address, std::size_t bytes) {
  if (memory.initialised) return;
  if (!set_bits(memory.trial_written, memory, address - memory.begin, bytes)) memory.initialised = true;
  // Of a word that is written in part it is not known whether all of it was.
  for (const std::uintptr_t at : {address, address + bytes - 1}) {
    const std::uintptr_t begin = at / 4 * 4;
    if (begin >= address && begin + 4 <= address + bytes) continue;
    shadow_word& word = memory.word_at(at);
    if (!word.is_split()) word.split({word.last_write(), {}}, memory.tail_of(word));
  }
}

bool has_noted_write(const region& memory, std::size_t offset, std::size_t bytes) {
  return has_bit(memory.host_written, offset, bytes) || has_bit(memory.trial_written, offset, bytes);
}

bool is_noted_as_written(const region& memory, std::size_t offset, std::size_t bytes) {
  return has_all_bits(memory.host_written, memory.trial_written, offset, bytes);
}

bool has_earlier_write(const region& memory, std::uintptr_t address, std::size_t bytes) {
  for (std::uintptr_t at = address; at < address + bytes;) {
    if (memory.last_write(at).exists()) return true;
    at = memory.word_at(at).is_split() ? at + 1 : at / 4 * 4 + 4;
  }
  return false;
}

unwritten_bytes find_unwritten(const region& memory, std::size_t offset, std::size_t bytes) {
  unwritten_bytes found{};
  if (memory.initialised) return found;
  std::size_t in_row = 0;
  for (std::size_t i = offset; i < offset + bytes;) {
    const std::uintptr_t at = memory.begin + i;
    const std::size_t step = memory.word_at(at).is_split() ? 1 : std::min<std::size_t>(4 - at % 4, offset + bytes - i);
    const bool is_written = memory.last_write(at).exists() || has_noted_write(memory, i, step);
    in_row = is_written ? 0 : in_row + step;
    if (in_row != 0) found.count += step;
    found.longest = std::max(found.longest, in_row);
    i += step;
  }
  return found;
}

void clear_shadow(region& memory) {
  if (memory.words == nullptr || memory.tails == nullptr) return;
  clear(memory.words, words_in(memory) * sizeof *memory.words);
  clear(memory.tails, words_in(memory) * sizeof *memory.tails);
  memory.has_memory.clear();
  mark_again(memory, mark_words);
}

region* region_table::add_common(const region& memory) {
  auto& list = common();
  const auto after = std::upper_bound(list.begin(), list.end(), memory.begin,
                                      [](std::uintptr_t begin, const auto& each) { return begin < each->begin; });
  region* const added = list.insert(after, std::make_unique<region>(memory))->get();
  ++version_;
  return added;
}

void region_table::remove_common(const region* memory) {
  auto& list = common();
  const auto found =
      std::find_if(list.begin(), list.end(), [memory](const auto& each) { return each.get() == memory; });
  if (found == list.end()) return;
  drop_shadow(**found);
  list.erase(found);
  ++version_;
}

region* region_table::common_at(std::uintptr_t begin) {
  for (const auto& each : common()) {
    if (each->begin == begin) return each.get();
  }
  return nullptr;
}

region* region_table::common_around(std::uintptr_t address) {
  for (const auto& each : common()) {
    if (each->holds(address, 1)) return each.get();
  }
  return nullptr;
}

void region_table::forget_accesses() {
  for (const auto& each : common()) {
    clear_shadow(*each);
    // This forgets what was written, too.
    each->initialised = true;
  }
}

bool region_table::share_pages() {
  for (const auto& each : common()) {
    if (each->bytes == 0) continue;
    if (each->shared_pages == nullptr)
      each->shared_pages = static_cast<shared_page*>(reserve_large(pages_of(*each) * sizeof *each->shared_pages));
    if (each->kept == nullptr) each->kept = static_cast<std::byte*>(reserve_large(each->bytes));
    if (each->shared_pages == nullptr || each->kept == nullptr) return false;
  }
  return true;
}

void region_table::forget_block_accesses() {
  for (const auto& each : block_regions_) {
    if (each != nullptr && each->words != nullptr) clear_shadow(*each);
  }
}

void region_table::forget_tags() {
  for (const auto& each : block_regions_) {
    if (each == nullptr || each->tags == nullptr) continue;
    clear(each->tags, words_in(*each) * sizeof *each->tags);
    mark_again(*each, mark_tags);
  }
}

void region_table::for_each_common(const std::function<void(const region&)>& use) {
  for (const auto& each : common()) use(*each);
}

void region_table::set_block_region(unsigned number, const region& memory) {
  if (block_regions_[number] != nullptr) drop_shadow(*block_regions_[number]);
  block_regions_[number] = std::make_unique<region>(memory);
  for (entry& each : entries_) each.version = 0;
}

void region_table::look_up(entry& target, std::uintptr_t address) {
  target.page = address >> page_bits;
  target.version = version_;
  target.found = nullptr;
  target.without_stamps = nullptr;
  target.is_unchecked = false;
  const std::uintptr_t first = target.page << page_bits, last = first + (std::uintptr_t{1} << page_bits) - 1;
  // A region that only shares the page is enough here: for an address outside of it find() searches again.
  for (const auto& each : block_regions_) {
    if (each == nullptr || !touches_page(*each, first, last)) continue;
    target.found = each.get();
    begin_page(*each, first);
  }
  for (const auto& each : common()) {
    if (!touches_page(*each, first, last)) continue;
    target.found = trial_ != nullptr ? &trial_->view_of(*each, first) : each.get();
    if (trial_ != nullptr) continue;
    find_memory(*each, first);
    begin_page(*each, first);
  }
  if (target.found == nullptr) target.found = search(address);
  if (target.found == nullptr || target.found->of_page == nullptr || target.found->is_freed) return;
  if (!target.found->of_page->has_stamps) target.without_stamps = target.found->of_page;
}

region* region_table::search(std::uintptr_t address) const {
  region* const found = search_all(address);
  if (found == nullptr || trial_ == nullptr || found->of_block) return found;
  // It is beside the region; or the page has parts of several, which a trial cannot tell from each other.
  leave_trial();
  return found;
}

region* region_table::search_all(std::uintptr_t address) const {
  for (const auto& each : block_regions_) {
    if (each != nullptr && address - each->begin < each->bytes) return each.get();
  }
  region* near = nullptr;
  for (const auto& each : block_regions_) {
    if (each != nullptr && address >= each->span_begin && address < each->span_end) near = each.get();
  }
  for (const auto& each : common()) {
    if (address - each->begin < each->bytes) return each.get();
    if (address >= each->span_begin && address < each->span_end) near = each.get();
  }
  return near;
}

}  // namespace simt::check
