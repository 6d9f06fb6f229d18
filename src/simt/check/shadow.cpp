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
  for (const gap& each : *memory.gaps) {
    for (std::size_t at = memory.begin % 4 + each.begin; at < memory.begin % 4 + each.end; ++at) {
      shadow_byte* const first_bytes = reinterpret_cast<shadow_byte*>(&memory.words[at / 4]);
      shadow_byte& byte = at % 4 < 2 ? first_bytes[at % 4] : memory.last_bytes[at / 4 * 2 + at % 4 - 2];
      byte.written = no_variable;
      first_bytes[1].written |= in_parts;
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
  memory.last_bytes = static_cast<shadow_byte*>(reserve(bytes));
  if (memory.words == nullptr || memory.last_bytes == nullptr) return false;
  mark_gaps(memory);
  return true;
}

void drop_shadow(region& memory) {
  const std::size_t bytes = words_in(memory) * sizeof(shadow_word);
  if (memory.words != nullptr) munmap(memory.words, bytes);
  if (memory.last_bytes != nullptr) munmap(memory.last_bytes, bytes);
  if (memory.host_written != nullptr) munmap(memory.host_written, memory.bytes / 8 + 1);
  memory.words = nullptr;
  memory.last_bytes = nullptr;
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
    const std::size_t at = memory.begin % 4 + i;
    const shadow_word& word = memory.words[at / 4];
    const bool is_whole = (word.readers & in_parts) == 0;
    const std::size_t step = is_whole ? std::min(4 - at % 4, offset + bytes - i) : 1;
    const auto* const first_bytes = reinterpret_cast<const shadow_byte*>(&word);
    const shadow_byte& byte = at % 4 < 2 ? first_bytes[at % 4] : memory.last_bytes[at / 4 * 2 + at % 4 - 2];
    const bool is_written = is_whole ? (word.readers & initialised_bits) != 0 : (byte.written & ~in_parts) != 0;
    in_row = is_written || has_host_write(memory, i, step) ? 0 : in_row + step;
    if (in_row != 0) found.count += step;
    found.longest = std::max(found.longest, in_row);
    i += step;
  }
  return found;
}

void clear_shadow(region& memory) {
  const std::size_t bytes = words_in(memory) * sizeof(shadow_word);
  madvise(memory.words, bytes, MADV_DONTNEED);
  madvise(memory.last_bytes, bytes, MADV_DONTNEED);
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

void region_table::set_own(unsigned number, const region& memory) {
  if (own_[number] != nullptr) drop_shadow(*own_[number]);
  own_[number] = std::make_unique<region>(memory);
  for (entry& each : entries_) each.version = 0;
}

void region_table::look_up(entry& target, std::uintptr_t address) {
  target.page = address >> page_bits;
  target.version = version_;
  target.found = nullptr;
  target.is_unchecked = false;
  const std::uintptr_t first = target.page << page_bits, last = first + (std::uintptr_t{1} << page_bits) - 1;
  // A region that only shares the page is enough here: for an address outside of it find() searches again.
  for (const auto& each : own_) {
    if (each != nullptr && touches_page(*each, first, last)) target.found = each.get();
  }
  for (const auto& each : common()) {
    if (touches_page(*each, first, last)) target.found = each.get();
  }
  if (target.found == nullptr) target.found = search(address);
}

region* region_table::search(std::uintptr_t address) const {
  for (const auto& each : own_) {
    if (each != nullptr && address - each->begin < each->bytes) return each.get();
  }
  region* near = nullptr;
  for (const auto& each : own_) {
    if (each != nullptr && address >= each->span_begin && address < each->span_end) near = each.get();
  }
  for (const auto& each : common()) {
    if (address - each->begin < each->bytes) return each.get();
    if (address >= each->span_begin && address < each->span_end) near = each.get();
  }
  return near;
}

}  // namespace simt::check
