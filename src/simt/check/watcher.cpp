// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/watcher.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "simt/check/reports.hpp"

namespace simt::check {
namespace {

constexpr unsigned shared_memory = 0;
constexpr unsigned dynamic_memory = 1;

released_words& words_of_all() {
  static auto* const only = new released_words;
  return *only;
}

constexpr lane_mask bit(unsigned lane) { return lane_mask{1} << lane; }

unsigned highest(lane_mask lanes) { return 63 - static_cast<unsigned>(__builtin_clzll(lanes)); }

/// By the same lane, between the same hand-overs.
bool is_same(access a, access b) { return (a ^ b) >> thread_shift == 0; }

report report_of(warpz_finding_kind kind, const region* in, std::uintptr_t address, std::size_t size, party here) {
  report made{};
  made.kind = kind;
  made.in = in;
  made.address = address;
  made.size = size;
  made.here = here;
  return made;
}

report miss_of(const lane_clock& me, const region* in, std::uintptr_t address, std::size_t size, doing what,
               const void* code) {
  const access mine = access_of(me.now, me.thread, place_from(code, is_atomic(what)));
  return report_of(WARPZ_OUT_OF_BOUNDS, in, address, size, {mine, what});
}

bool is_far(const region& from, std::uintptr_t address) {
  constexpr std::uintptr_t far = std::uintptr_t{1} << 31;
  return (address < from.begin ? from.begin - address : address - from.begin) >= far;
}

/// Whether nothing can be read there. The system call is one that does nothing, as no operation has this number, but it
/// looks at its argument first.
bool is_out_of_reach(std::uintptr_t address) {
  constexpr int no_operation = -1;
  constexpr std::size_t mask_bytes = 8;
  return syscall(SYS_rt_sigprocmask, no_operation, address / mask_bytes * mask_bytes, nullptr, mask_bytes) != 0 &&
         errno == EFAULT;
}

std::uint32_t warp_of(std::uint64_t readers) { return static_cast<std::uint32_t>(readers >> warp_shift) & 31; }

}  // namespace

__thread watcher* current_watcher = nullptr;

void watcher::begin_launch() {
  if (check::begin_launch()) {
    region_table::forget_accesses();
  }
  words_of_all().clear();
  block_trace::begin_launch();
}

void watcher::find_block_memory(const block& of) {
  // It stays where it is for the thread, which is always the same one.
  const auto kernel = reinterpret_cast<std::uintptr_t>(of.request().entry);
  if (std::exchange(kernel_, kernel) != kernel) module_ = memory_of_module(kernel);
  const module_memory& found = module_;
  const auto differs = [](const region* known, std::uintptr_t begin, std::size_t bytes) {
    return known == nullptr || known->begin != begin || known->bytes != bytes;
  };
  const auto watch = [&](unsigned number, std::uintptr_t begin, std::size_t bytes, warpz_memory kind,
                         std::size_t around, const std::vector<gap>* gaps) {
    if (!differs(regions_.own(number), begin, bytes)) return;
    region made{};
    made.begin = begin;
    made.bytes = bytes;
    made.span_begin = begin - around;
    made.span_end = begin + bytes + around;
    made.kind = kind;
    made.writable = made.of_block = true;
    made.gaps = gaps;
    if (bytes == 0 || make_cells(made)) regions_.set_own(number, made);
  };
  if (found.is_loaded) {
    watch(shared_memory, found.thread_local_begin, found.thread_local_bytes, WARPZ_MEMORY_SHARED, 0,
          found.thread_local_gaps);
  }
  const auto dynamic = reinterpret_cast<std::uintptr_t>(of.dynamic_shared());
  watch(dynamic_memory, dynamic, of.request().dynamic_shared_bytes, WARPZ_MEMORY_DYNAMIC_SHARED, space_around_shared,
        nullptr);
  code_base = found.code_begin;
  if (found.is_loaded && found.variables_bytes != 0 && region_table::common_at(found.variables_begin) == nullptr) {
    region made{};
    made.begin = made.span_begin = found.variables_begin;
    made.bytes = found.variables_bytes;
    made.span_end = made.begin + made.bytes;
    made.kind = WARPZ_MEMORY_VARIABLE;
    made.initialised = made.writable = true;
    made.gaps = found.variable_gaps;
    if (make_cells(made)) region_table::add_common(made);
  }
}

void watcher::begin_block(const block& of, std::uint32_t number) {
  block_ = &of;
  lanes_per_warp_ = of.lanes_per_warp();
  find_block_memory(of);
  block_words_.clear();
  clocks_.begin(number, of.lane_count());
  trace_.begin_block(of, number);
  permutes = of.permutes();
  current_watcher = this;
}

void watcher::end_block() {
  settle();
  trace_.end_block();
  current_watcher = nullptr;
  block_ = nullptr;
}

void watcher::barrier() {
  settle();
  clocks_.barrier();
}

void watcher::meet(lane_mask lanes) {
  settle();
  clocks_.meet(running().home->index * lanes_per_warp_, lanes);
}

inline bool watcher::is_before(const region& in, const lane_clock& me, access other) const {
  return in.of_block ? clocks_.is_before_in_block(me, instant_of(other), thread_of(other))
                     : clocks_.is_before(me, instant_of(other), thread_of(other));
}

// Of all that a watched kernel does, most is in this and the next function: without a call a fifth less.
[[gnu::always_inline]] inline void watcher::touch_word(region& in, word_cell& cell, access mine, doing what,
                                                       bool& holds_something) {
  const lane_clock& me = self();
  if (in.of_block && instant_of(cell.written) < clocks_.first()) {
    cell.written = 0;
    cell.readers &= ~initialised_bits;
    if (instant_of(cell.readers) < clocks_.first()) cell.lanes = 0;
    if (instant_of(cell.other_reader) < clocks_.first()) cell.other_reader = 0;
  }
  const access written = cell.written;
  if (written != 0 && !is_same(written, mine) && !is_before(in, me, written) &&
      !(is_atomic(what) && is_atomic_place(place_of(written)))) {
    found_race({written, true}, mine, what);
  }
  holds_something |= (cell.readers & initialised_bits) != 0;
  if (!writes(what)) {
    add_reader(in, cell, mine, what);
    return;
  }
  const unsigned first_thread = warp_of(cell.readers) * lanes_per_warp_;
  const bool atomics_alone = is_atomic(what) && is_atomic_place(place_of(cell.readers));
  lane_mask readers = atomics_alone ? 0 : cell.lanes;
  for (; readers != 0; readers &= ~bit(highest(readers))) {
    const access reader = access_of(instant_of(cell.readers), first_thread + highest(readers), place_of(cell.readers));
    if (is_same(reader, mine) || is_before(in, me, reader)) continue;
    found_race({reader, false}, mine, what);
    break;
  }
  const access other = cell.other_reader;
  if (other != 0 && !is_before(in, me, other) && !(is_atomic(what) && is_atomic_place(place_of(other)))) {
    found_race({other, false}, mine, what);
  }
  cell.written = mine;
  cell.lanes = 0;
  cell.other_reader = 0;
  cell.readers = initialised_bits;
}

[[gnu::always_inline]] inline void watcher::add_reader(const region& in, word_cell& cell, access mine, doing what) {
  const unsigned warp = running().home->index;
  if (cell.lanes != 0 && instant_of(cell.readers) == instant_of(mine) && warp_of(cell.readers) == warp) {
    const lane_mask me = bit(thread_of(mine) - warp * lanes_per_warp_);
    // Most often the lanes of a warp are at one place.
    if (place_of(cell.readers) == place_of(mine)) {
      cell.lanes |= me;
      return;
    }
    const bool group_atomic = is_atomic_place(place_of(cell.readers));
    // Plain readers count for more: atomic ones race with fewer writes.
    if (is_atomic(what) && !group_atomic) return;
    if (!is_atomic(what) && group_atomic) cell.lanes = 0;
    cell.lanes |= me;
    cell.readers = (cell.readers & ~std::uint64_t{place_mask}) | place_of(mine);
    return;
  }
  begin_readers(in, cell, mine);
}

void watcher::begin_readers(const region& in, word_cell& cell, access mine) {
  const lane_clock& me = self();
  const unsigned warp = running().home->index;
  const access other = cell.other_reader;
  // Whoever is not known to have read before stays, as far as there is room.
  if (cell.lanes != 0 && (other == 0 || is_before(in, me, other))) {
    const unsigned first_thread = warp_of(cell.readers) * lanes_per_warp_;
    const access before =
        access_of(instant_of(cell.readers), first_thread + highest(cell.lanes), place_of(cell.readers));
    if (!is_before(in, me, before)) cell.other_reader = before;
  }
  cell.lanes = bit(thread_of(mine) - warp * lanes_per_warp_);
  cell.readers = (cell.readers & initialised_bits) | access{instant_of(mine)} << 32 |
                 std::uint64_t{warp} << warp_shift | place_of(mine);
}

/// From now on each of its bytes has a cell.
void watcher::split(region& in, word_cell& cell, byte_cell* beyond, unsigned lanes_per_warp, instant first) {
  const word_cell whole = cell;
  const bool stale = in.of_block && instant_of(whole.written) < first;
  const bool written = !stale && (whole.readers & initialised_bits) != 0;
  byte_cell each{};
  if (written) each.written = whole.written;
  if (whole.lanes != 0) {
    each.read = access_of(instant_of(whole.readers), warp_of(whole.readers) * lanes_per_warp + highest(whole.lanes),
                          place_of(whole.readers));
  }
  byte_cell* const here = reinterpret_cast<byte_cell*>(&cell);
  here[0] = here[1] = beyond[0] = beyond[1] = each;
  here[1].written |= in_parts;
}

void watcher::touch_byte(region& in, byte_cell& cell, access mine, doing what, bool& holds_something) {
  const lane_clock& me = self();
  const auto unordered = [&](access other) {
    return other != 0 && !(in.of_block && instant_of(other) < clocks_.first()) && !is_same(other, mine) &&
           !clocks_.is_before(me, instant_of(other), thread_of(other)) &&
           !(is_atomic(what) && is_atomic_place(place_of(other)));
  };
  const access written = cell.written & ~in_parts;
  const access mark = cell.written & in_parts;
  if (written == nobodys) {
    current_.is_missed = true;
    return;
  }
  if (unordered(written)) found_race({written, true}, mine, what);
  holds_something |= written != 0 && !(in.of_block && instant_of(written) < clocks_.first());
  if (!writes(what)) {
    if (!unordered(cell.read)) cell.read = mine;
    return;
  }
  if (unordered(cell.read)) found_race({cell.read, false}, mine, what);
  cell.written = mine | mark;
  cell.read = 0;
}

void watcher::touch_bytes(region& in, std::size_t word, unsigned first, unsigned count, access mine, doing what,
                          bool& holds_something) {
  word_cell& cell = in.words[word];
  byte_cell* const beyond = in.bytes_beyond + 2 * word;
  if ((cell.readers & in_parts) == 0) split(in, cell, beyond, lanes_per_warp_, clocks_.first());
  byte_cell* const here = reinterpret_cast<byte_cell*>(&cell);
  for (unsigned i = first; i < first + count; ++i) {
    touch_byte(in, i < 2 ? here[i] : beyond[i - 2], mine, what, holds_something);
  }
}

/// Words, where they are accessed whole, and bytes. Whether any of them held something.
bool watcher::touch_parts(region& in, std::uintptr_t address, std::size_t size, access mine, doing what) {
  bool holds_something = false;
  std::uintptr_t at = address - (in.begin & ~std::uintptr_t{3});
  const std::uintptr_t end = at + size;
  while (at < end) {
    const std::size_t word = at / 4;
    word_cell& cell = in.words[word];
    if (at % 4 == 0 && end - at >= 4 && (cell.readers & in_parts) == 0) {
      touch_word(in, cell, mine, what, holds_something);
      at += 4;
    } else {
      const unsigned first = at % 4;
      const unsigned count = static_cast<unsigned>(std::min<std::uintptr_t>(4 - first, end - at));
      touch_bytes(in, word, first, count, mine, what, holds_something);
      at += count;
    }
  }
  return holds_something;
}

void watcher::touch(std::uintptr_t address, std::size_t size, doing what, const void* code, std::size_t alignment) {
  if (open_.waits) settle();
  if (size == 0) return;
  region* const in = regions_.find(address);
  if (in == nullptr) {
    constexpr std::uintptr_t null_pages = 65536;
    if (address < null_pages) found_miss(nullptr, address, size, what, code);
    // Asked for once a page.
    if (is_reached(address)) return;
    if (is_out_of_reach(address)) {
      find_wrapped(address, size, what, code);
    } else {
      reached_page(address) = address >> page_bits;
    }
    return;
  }
  const lane_clock& me = self();
  trace_.touch(me.thread, *in, address, size, what, code);
  if (!in->holds(address, size)) {
    if (is_far(*in, address) && find_wrapped(address, size, what, code)) return;
    found_miss(in, address, size, what, code);
    return;
  }
  const std::uint32_t place = place_from(code, is_atomic(what));
  const access mine = access_of(me.now, me.thread, place);
  if (in->is_released) {
    found(WARPZ_USE_AFTER_FREE, *in, address, size, what, mine);
    return;
  }
  if ((address & (alignment - 1)) != 0) found(WARPZ_MISALIGNED, *in, address, size, what, mine);
  current_ = {in, address, size, false, false};
  bool holds_something = in->initialised;
  word_cell& first = in->words[(address - (in->begin & ~std::uintptr_t{3})) / 4];
  claim(first);
  if (size == 4 && address % 4 == 0 && (first.readers & in_parts) == 0) {
    touch_word(*in, first, mine, what, holds_something);
  } else {
    holds_something |= touch_parts(*in, address, size, mine, what);
    if (current_.is_missed) {
      found_miss(in, address, size, what, code);
      return;
    }
  }
  if (reads(what) && !holds_something && !has_host_write(*in, address - in->begin, size))
    found(WARPZ_UNINITIALISED_READ, *in, address, size, what, mine);
}

void watcher::mark_written(std::uintptr_t address, std::size_t size) {
  region* const in = regions_.find(address);
  if (in == nullptr || !in->holds(address, size)) return;
  // At an instant before anybody began.
  for (std::size_t word = (address - (in->begin & ~std::uintptr_t{3})) / 4; size >= 4; ++word, size -= 4) {
    word_cell& cell = in->words[word];
    if ((cell.readers & (initialised_bits | in_parts)) != 0 && instant_of(cell.written) >= clocks_.first()) continue;
    if ((cell.readers & in_parts) != 0) continue;
    cell = {access_of(clocks_.first(), self().thread, 0), 0, initialised_bits, 0};
  }
}

void watcher::copy(std::uintptr_t to, std::uintptr_t from, std::size_t size, const void* code) {
  touch(from, size, doing::read, code);
  touch(to, size, doing::write, code);
}

released_words& watcher::words_of(const void* word) {
  const region* const in = regions_.find(reinterpret_cast<std::uintptr_t>(word));
  return in != nullptr && in->of_block ? block_words_ : words_of_all();
}

void watcher::fence() { clocks_.fence(self()); }

void watcher::acquire(const void* word) {
  if (const view* const what = words_of(word).find(word)) clocks_.learn(self(), *what);
}

void watcher::see(const void* word) {
  if (const view* const what = words_of(word).find(word)) clocks_.see(self(), *what);
}

void watcher::release(const void* word, bool adds) { words_of(word).put(word, clocks_.released(self()), adds); }

void watcher::relaxed_write(const void* word, bool adds) { words_of(word).put(word, self().fenced, adds); }

void watcher::found_miss(const region* in, std::uintptr_t address, std::size_t size, doing what, const void* code) {
  report made = miss_of(self(), in, address, size, what, code);
  made.can_go_on = in != nullptr && make_accessible(*in, address, size, writes(what));
  tell(made, *block_);
}

/// `tile[threadIdx.x - 1]` is 2^32 elements beyond tile[-1]. Whether it is such an access.
bool watcher::find_wrapped(std::uintptr_t address, std::size_t size, doing what, const void* code) {
  constexpr std::size_t farthest_below = std::size_t{1} << 20;
  const std::uintptr_t meant = address - (std::uintptr_t{size} << 32);
  const region* const in = regions_.find(meant);
  if (in == nullptr || (meant < in->begin && in->begin - meant > farthest_below) || meant >= in->begin + in->bytes)
    return false;
  report made = miss_of(self(), in, meant, size, what, code);
  made.rule = "a lane accesses memory by an unsigned index that went below 0";
  tell(made, *block_);
  return true;
}

void watcher::found(warpz_finding_kind kind, const region& in, std::uintptr_t address, std::size_t size, doing what,
                    access mine) {
  report made = report_of(kind, &in, address, size, {mine, what});
  made.can_go_on = true;
  tell(made, *block_);
}

void watcher::found_race(const other_party& other, access mine, doing what) {
  if (std::exchange(current_.is_told, true)) return;
  report made = report_of(WARPZ_DATA_RACE, current_.in, current_.address, current_.size, {mine, what});
  const bool other_atomic = is_atomic_place(place_of(other.who));
  made.there = {other.who, other.wrote ? (other_atomic ? doing::atomic_write : doing::write)
                                       : (other_atomic ? doing::atomic_read : doing::read)};
  made.has_other = true;
  made.can_go_on = true;
  const bool block_differs = block_of_instant(instant_of(other.who)) != block_of_instant(instant_of(mine));
  made.relation = block_differs                                                                 ? WARPZ_TWO_BLOCKS
                  : thread_of(other.who) / lanes_per_warp_ == thread_of(mine) / lanes_per_warp_ ? WARPZ_ONE_WARP
                                                                                                : WARPZ_ONE_BLOCK;
  const bool may_be_harmless = what == doing::write && made.there.what == doing::write && current_.size <= 16;
  made.severity = may_be_harmless ? WARPZ_WARNING : WARPZ_ERROR;
  const std::uint32_t record = tell(made, *block_);
  if (!may_be_harmless || record == no_record || open_.waits) return;
  open_.waits = true;
  open_.record = record;
  open_.address = current_.address;
  open_.size = current_.size;
  __builtin_memcpy(open_.before, reinterpret_cast<const void*>(current_.address), current_.size);
}

void watcher::settle() {
  if (!open_.waits) return;
  open_.waits = false;
  if (__builtin_memcmp(open_.before, reinterpret_cast<const void*>(open_.address), open_.size) != 0) {
    make_error(open_.record);
  }
}

namespace {

std::vector<region*>& arguments() {
  static auto* const list = new std::vector<region*>;
  return *list;
}

region* add(warpz_memory kind, void* data, std::size_t bytes, std::size_t guard) {
  region made{};
  made.begin = reinterpret_cast<std::uintptr_t>(data);
  made.bytes = bytes;
  made.span_begin = made.begin - guard;
  made.span_end = made.begin + bytes + guard;
  made.kind = kind;
  made.writable = true;
  return make_cells(made) ? region_table::add_common(made) : nullptr;
}

}  // namespace

void watcher::end_launch(const launch_request& what, unsigned lanes_per_warp) {
  const warpz_perturbation& perturbation = current_settings().perturbation;
  warpz_trace* const told = current_sink().trace;
  if (perturbation.asks_writer == 0 || told == nullptr) return;
  for (const region* const each : arguments()) {
    if (each->argument != perturbation.argument || perturbation.offset >= each->bytes) continue;
    const word_cell& cell = each->words[(each->begin % 4 + perturbation.offset) / 4];
    const access written = cell.written & ~in_parts;
    if (written == 0) return;
    const bool is_atomic = is_atomic_place(place_of(written));
    warpz_finding& record = told->last;
    std::snprintf(record.kernel, sizeof record.kernel, "%s", what.name);
    record.group_count = 1;
    describe(record.groups[0], {written, is_atomic ? doing::atomic_write : doing::write}, 4, what.grid, lanes_per_warp);
  }
}

bool add_argument(std::uint32_t number, void* data, std::size_t bytes, std::size_t guard, bool initialised,
                  bool writable) {
  region* const made = add(WARPZ_MEMORY_ARGUMENT, data, bytes, guard);
  if (made == nullptr || !has_epochs()) return false;
  made->argument = number;
  made->initialised = initialised;
  made->writable = writable;
  arguments().push_back(made);
  return true;
}

void remove_arguments() {
  for (const region* const each : arguments()) region_table::remove_common(each);
  arguments().clear();
}

}  // namespace simt::check
