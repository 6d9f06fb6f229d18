// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace simt::check {
namespace {

/// Sorted by their beginning; the checks run on one thread at a time.
std::vector<std::unique_ptr<region>>& common() {
  static auto* const list = new std::vector<std::unique_ptr<region>>;
  return *list;
}

std::size_t words_in(const region& of) { return (of.bytes + of.begin % 4 + 3) / 4; }

void* reserve(std::size_t bytes) {
  void* const made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return made == MAP_FAILED ? nullptr : made;
}

void mark_gaps(region& of) {
  if (of.gaps == nullptr) return;
  for (const gap& each : *of.gaps) {
    for (std::size_t at = of.begin % 4 + each.begin; at < of.begin % 4 + each.end; ++at) {
      byte_cell* const here = reinterpret_cast<byte_cell*>(&of.words[at / 4]);
      byte_cell& cell = at % 4 < 2 ? here[at % 4] : of.bytes_beyond[at / 4 * 2 + at % 4 - 2];
      cell.written = nobodys;
      here[1].written |= in_parts;
    }
  }
}

bool touches_page(const region& of, std::uintptr_t first, std::uintptr_t last) {
  return of.begin <= last && of.begin + of.bytes > first;
}

}  // namespace

std::uint32_t region_table::version_ = 1;

bool make_cells(region& of) {
  const std::size_t bytes = words_in(of) * sizeof(word_cell);
  of.words = static_cast<word_cell*>(reserve(bytes));
  of.bytes_beyond = static_cast<byte_cell*>(reserve(bytes));
  if (of.words == nullptr || of.bytes_beyond == nullptr) return false;
  mark_gaps(of);
  return true;
}

void drop_cells(region& of) {
  const std::size_t bytes = words_in(of) * sizeof(word_cell);
  if (of.words != nullptr) munmap(of.words, bytes);
  if (of.bytes_beyond != nullptr) munmap(of.bytes_beyond, bytes);
  if (of.host_written != nullptr) munmap(of.host_written, of.bytes / 8 + 1);
  of.words = nullptr;
  of.bytes_beyond = nullptr;
  of.host_written = nullptr;
}

void mark_host_write(region& of, std::size_t offset, std::size_t bytes) {
  if (of.initialised) return;
  if (offset == 0 && bytes == of.bytes) {
    of.initialised = true;
    return;
  }
  if (of.host_written == nullptr) of.host_written = static_cast<unsigned char*>(reserve(of.bytes / 8 + 1));
  if (of.host_written == nullptr) {
    // Rather nothing found than something wrong.
    of.initialised = true;
    return;
  }
  for (std::size_t i = offset; i < offset + bytes;) {
    if (i % 8 == 0 && offset + bytes - i >= 8) {
      of.host_written[i / 8] = 0xff;
      i += 8;
    } else {
      of.host_written[i / 8] = static_cast<unsigned char>(of.host_written[i / 8] | 1U << i % 8);
      ++i;
    }
  }
}

bool has_host_write(const region& of, std::size_t offset, std::size_t bytes) {
  if (of.host_written == nullptr) return false;
  for (std::size_t i = offset; i < offset + bytes; ++i) {
    if ((of.host_written[i / 8] >> i % 8 & 1) != 0) return true;
  }
  return false;
}

void clear_cells(region& of) {
  const std::size_t bytes = words_in(of) * sizeof(word_cell);
  madvise(of.words, bytes, MADV_DONTNEED);
  madvise(of.bytes_beyond, bytes, MADV_DONTNEED);
  mark_gaps(of);
}

region* region_table::add_common(const region& made) {
  auto& list = common();
  const auto after = std::upper_bound(list.begin(), list.end(), made.begin,
                                      [](std::uintptr_t begin, const auto& each) { return begin < each->begin; });
  region* const added = list.insert(after, std::make_unique<region>(made))->get();
  ++version_;
  return added;
}

void region_table::remove_common(const region* which) {
  auto& list = common();
  const auto found = std::find_if(list.begin(), list.end(), [which](const auto& each) { return each.get() == which; });
  if (found == list.end()) return;
  drop_cells(**found);
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
    clear_cells(*each);
    // What was written is forgotten with it.
    each->initialised = true;
  }
}

void region_table::set_own(unsigned number, const region& made) {
  if (own_[number] != nullptr) drop_cells(*own_[number]);
  own_[number] = std::make_unique<region>(made);
  for (entry& each : entries_) each.version = 0;
}

void region_table::look_up(entry& into, std::uintptr_t address) {
  into.page = address >> page_bits;
  into.version = version_;
  into.found = nullptr;
  const std::uintptr_t first = into.page << page_bits, last = first + (std::uintptr_t{1} << page_bits) - 1;
  // One that only shares the page: whoever misses it there is looked for again.
  for (const auto& each : own_) {
    if (each != nullptr && touches_page(*each, first, last)) into.found = each.get();
  }
  for (const auto& each : common()) {
    if (touches_page(*each, first, last)) into.found = each.get();
  }
  if (into.found == nullptr) into.found = search(address);
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
