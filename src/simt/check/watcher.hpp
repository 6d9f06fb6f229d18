// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the accesses of one worker's blocks, for --check all: each is held against the buffers' bounds, against what
// was written before, and against what other lanes did without anything that orders the two.
//
// Watched blocks run one at a time, on whichever thread: what is remembered needs no locks, and the same kernel gives
// the same findings on every run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/check/clocks.hpp"
#include "simt/check/module_memory.hpp"
#include "simt/check/shadow.hpp"
#include "simt/check/trace.hpp"
#include "simt/machine/block.hpp"

namespace simt::check {

/// On either side of watched dynamic shared memory, for who misses it.
inline constexpr std::size_t space_around_shared = 65536;

class watcher {
 public:
  /// A launch begins; nothing of an earlier one races with it.
  static void begin_launch();

  /// It has ended: tells who wrote the element that was asked for.
  static void end_launch(const launch_request& what, unsigned lanes_per_warp);

  void begin_block(const block& of, std::uint32_t number);
  void end_block();
  void barrier();
  /// Lanes of the running lane's warp have met in something that orders memory.
  void meet(lane_mask lanes);

  /// The running lane accesses so many bytes; `code` is where the call returns to. The type of the access begins at
  /// multiples of `alignment`, a power of two.
  void touch(std::uintptr_t address, std::size_t size, doing what, const void* code, std::size_t alignment = 1);

  /// Whether the address is known to lie in nobody's memory that can be accessed: threadIdx and its like, and the
  /// lanes' own variables. To touch it does nothing, but takes longer than to ask this.
  bool is_of_no_interest(std::uintptr_t address) { return regions_.is_nobodys(address) && is_reached(address); }

  bool watches(std::uintptr_t address) { return regions_.find(address) != nullptr; }

  /// What was read is copied to where it will be read again: only the copy tells what was never written.
  void copy(std::uintptr_t to, std::uintptr_t from, std::size_t size, const void* code);

  // How atomics order memory, by C++'s rules.
  void fence();
  void acquire(const void* word);
  void see(const void* word);
  void release(const void* word, bool adds);
  void relaxed_write(const void* word, bool adds);

  /// Nobody reads it before it is written, or does and means no harm.
  void mark_written(std::uintptr_t address, std::size_t size);

  /// What a variable is that the running lane has not set.
  std::uint64_t unset_value(std::uint64_t mark, const void* code) {
    return trace_.unset_value(running().thread, mark, code);
  }

  block_trace& trace() { return trace_; }

  bool paused = false;    ///< the machine itself is at work
  bool permutes = false;  ///< others may run before an access

 private:
  struct other_party {
    access who;
    bool wrote;
  };

  std::uintptr_t& reached_page(std::uintptr_t address) {
    return reached_pages_[(address >> page_bits) % reached_page_count];
  }
  /// Page 0, which is where nothing is, counts as none.
  bool is_reached(std::uintptr_t address) {
    const std::uintptr_t page = address >> page_bits;
    return reached_page(address) == page && page != 0;
  }
  lane_clock& self() { return clocks_.of(running().thread); }
  static const fiber& running() { return *static_cast<const fiber*>(this_lane); }
  void touch_word(region& in, word_cell& cell, access mine, doing what, bool& holds_something);
  bool touch_parts(region& in, std::uintptr_t address, std::size_t size, access mine, doing what);
  bool is_before(const region& in, const lane_clock& me, access other) const;
  void touch_byte(region& in, byte_cell& cell, access mine, doing what, bool& holds_something);
  void touch_bytes(region& in, std::size_t word, unsigned first, unsigned count, access mine, doing what,
                   bool& holds_something);
  static void split(region& in, word_cell& cell, byte_cell* beyond, unsigned lanes_per_warp, instant first);
  void add_reader(const region& in, word_cell& cell, access mine, doing what);
  void begin_readers(const region& in, word_cell& cell, access mine);
  void find_block_memory(const block& of);
  released_words& words_of(const void* word);

  bool find_wrapped(std::uintptr_t address, std::size_t size, doing what, const void* code);
  void found_miss(const region* in, std::uintptr_t address, std::size_t size, doing what, const void* code);
  void found(warpz_finding_kind kind, const region& in, std::uintptr_t address, std::size_t size, doing what,
             access mine);
  void found_race(const other_party& other, access mine, doing what);
  void settle();

  /// The access that is being looked at, for what is found in it.
  struct current_access {
    const region* in;
    std::uintptr_t address;
    std::size_t size;
    bool is_told;    ///< of one access one race is told
    bool is_missed;  ///< some of it belongs to no variable
  } current_{};

  /// Two writes race; whether they write the same shows when the second is done.
  struct open_race {
    bool waits = false;
    std::uint32_t record = 0;
    std::uintptr_t address = 0;
    std::size_t size = 0;
    unsigned char before[16] = {};
  } open_;

  static constexpr unsigned reached_page_count = 1024;
  std::uintptr_t reached_pages_[reached_page_count] = {};  ///< of nobody's memory that can be accessed

  std::uintptr_t kernel_ = 0;  ///< whose module's memory is known
  module_memory module_;
  const block* block_ = nullptr;
  unsigned lanes_per_warp_ = 32;
  block_clocks clocks_;
  region_table regions_;
  released_words block_words_;
  block_trace trace_;
};

/// That of the running block; null where nothing is watched.
extern __thread watcher* current_watcher;

// What all blocks see.

/// An argument of the kernels to come. False where there is no address space.
bool add_argument(std::uint32_t number, void* data, std::size_t bytes, std::size_t guard, bool initialised,
                  bool writable);
void remove_arguments();

}  // namespace simt::check
