// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace simt::check {
namespace {

/// Sorted by their beginning. Not locked: checked blocks run one at a time.
std::vector<std::unique_ptr<region>>& common() {
  static auto* const list = new std::vector<std::unique_ptr<region>>;
  return *list;
}

std::size_t words_in(const region& memory) { return (memory.bytes + memory.begin % 4 + 3) / 4; }

void* reserve(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void mark_gaps(region& memory) {
  if (memory.gaps == nullptr) return;
  const shadow_byte mark{access_stamp::no_variable(), {}};
  for (const gap& each : *memory.gaps) {
    for (std::uintptr_t at = memory.begin + each.begin; at < memory.begin + each.end; ++at) {
      shadow_word& word = memory.word_at(at);
      shadow_tail& tail = memory.tail_of(word);
      if (!word.is_split()) word.split({}, tail);
      word.set_byte(at % 4, mark, tail);
    }
  }
}

bool touches_page(const region& memory, std::uintptr_t first, std::uintptr_t last) {
  return memory.begin <= last && memory.begin + memory.bytes > first;
}

}  // namespace

std::uint32_t region_table::version_ = 1;

bool make_shadow(region& memory) {
  const std::size_t bytes = words_in(memory) * sizeof(shadow_word);
  memory.words = static_cast<shadow_word*>(reserve(bytes));
  memory.tails = static_cast<shadow_tail*>(reserve(bytes));
  if (memory.words == nullptr || memory.tails == nullptr) return false;
  mark_gaps(memory);
  return true;
}

void drop_shadow(region& memory) {
  const std::size_t bytes = words_in(memory) * sizeof(shadow_word);
  if (memory.words != nullptr) munmap(memory.words, bytes);
  if (memory.tails != nullptr) munmap(memory.tails, bytes);
  if (memory.host_written != nullptr) munmap(memory.host_written, memory.bytes / 8 + 1);
  memory.words = nullptr;
  memory.tails = nullptr;
  memory.host_written = nullptr;
}

void mark_host_write(region& memory, std::size_t offset, std::size_t bytes) {
  if (memory.initialised) return;
  if (offset == 0 && bytes == memory.bytes) {
    memory.initialised = true;
    return;
  }
  if (memory.host_written == nullptr) memory.host_written = static_cast<unsigned char*>(reserve(memory.bytes / 8 + 1));
  if (memory.host_written == nullptr) {
    // A missed finding is better than a wrong one.
    memory.initialised = true;
    return;
  }
  for (std::size_t i = offset; i < offset + bytes;) {
    if (i % 8 == 0 && offset + bytes - i >= 8) {
      memory.host_written[i / 8] = 0xff;
      i += 8;
    } else {
      memory.host_written[i / 8] = static_cast<unsigned char>(memory.host_written[i / 8] | 1U << i % 8);
      ++i;
    }
  }
}

bool has_host_write(const region& memory, std::size_t offset, std::size_t bytes) {
  if (memory.host_written == nullptr) return false;
  for (std::size_t i = offset; i < offset + bytes; ++i) {
    if ((memory.host_written[i / 8] >> i % 8 & 1) != 0) return true;
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
    const bool is_written = memory.last_write(at).exists() || has_host_write(memory, i, step);
    in_row = is_written ? 0 : in_row + step;
    if (in_row != 0) found.count += step;
    found.longest = std::max(found.longest, in_row);
    i += step;
  }
  return found;
}

void clear_shadow(region& memory) {
  const std::size_t bytes = words_in(memory) * sizeof(shadow_word);
  madvise(memory.words, bytes, MADV_DONTNEED);
  madvise(memory.tails, bytes, MADV_DONTNEED);
  mark_gaps(memory);
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

void region_table::forget_accesses() {
  for (const auto& each : common()) {
    clear_shadow(*each);
    // This forgets what was written, too.
    each->initialised = true;
  }
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
  target.is_unchecked = false;
  const std::uintptr_t first = target.page << page_bits, last = first + (std::uintptr_t{1} << page_bits) - 1;
  // A region that only shares the page is enough here: for an address outside of it find() searches again.
  for (const auto& each : block_regions_) {
    if (each != nullptr && touches_page(*each, first, last)) target.found = each.get();
  }
  for (const auto& each : common()) {
    if (touches_page(*each, first, last)) target.found = each.get();
  }
  if (target.found == nullptr) target.found = search(address);
}

region* region_table::search(std::uintptr_t address) const {
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
