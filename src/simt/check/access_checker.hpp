// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the accesses of one worker's blocks, for --check all. Receives the blocks' events from the machine, and each
// access, atomic and fence from instrumented code, and passes them to the checks.
//
// A check is one file: it defines the events that it needs (access_check) and is a line of the list below. Checked
// blocks run one at a time, on whichever thread: shadow memory needs no locks, and the same kernel gives the same
// findings in every run. Those of a trial run at the same time, each worker with shadow memory of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/check/alignment.hpp"
#include "simt/check/arithmetic.hpp"
#include "simt/check/async_races.hpp"
#include "simt/check/block_digest.hpp"
#include "simt/check/block_memory.hpp"
#include "simt/check/bounds.hpp"
#include "simt/check/checked_access.hpp"
#include "simt/check/counted_costs.hpp"
#include "simt/check/initialisation.hpp"
#include "simt/check/lane_recorder.hpp"
#include "simt/check/lifetime.hpp"
#include "simt/check/races.hpp"
#include "simt/check/trial_pages.hpp"
#include "simt/check/undefined_values.hpp"
#include "simt/check/warp_waits.hpp"
#include "simt/machine/observer.hpp"

namespace simt::check {

using access_checks = check_list<lane_recorder, counted_costs, block_digest, undefined_values, bounds, lifetime,
                                 async_races, alignment, races, variable_bounds, initialisation, warp_waits>;

class access_checker final : public block_observer {
 public:
  explicit access_checker(bool in_trial);
  ~access_checker() override;
  access_checker(const access_checker&) = delete;
  access_checker& operator=(const access_checker&) = delete;

  static void begin_launch(const launch_request& request, unsigned warp_size);
  static bool begin_trial(const launch_request& request, std::size_t workers);
  static trial_end end_trial(bool have_all_run);

  void begin_block(const block& current, std::uint64_t number) override;
  bool end_block() override;
  void pass_barrier() override;
  void begin_collective(warp& current_warp, const pending_collective& met) override;
  void end_collective(const warp& current_warp, const pending_collective& met) override;
  void note_access(const fiber& self, std::uintptr_t address, access_effect effect) override {
    loops().note_access(self, address, effect);
  }

  /// These lanes of the running lane's warp have met in a collective that orders memory.
  void order_memory(lane_mask lanes);

  /// The running lane accesses so many bytes; `code` is the return address of the call that reports it. The type of the
  /// access asks for multiples of `alignment`, a power of two.
  void access(std::uintptr_t address, std::size_t size, access_kind kind, const void* code, std::size_t alignment = 1);

  /// True: it has checked the access, of 1, 2, 4, … bytes, and found nothing. A fast path for most accesses of a trial,
  /// if they are aligned to their size.
  [[gnu::always_inline]] bool access_without_stamps(std::uintptr_t address, std::size_t size, access_kind kind) {
    if (paused_ || is_followed_ || this_lane == nullptr || this_lane->unchecked_scopes != 0) return false;
    const region_table::known_page known = block_.regions.known_at(address);
    const bool is_checked = known.without_stamps != nullptr ? known.without_stamps->note_fast(address, size, kind)
                                                            : known.found != nullptr && known.found->tags != nullptr &&
                                                                  note_tags(*known.found, address, size, kind);
    if (is_checked) checks_.get<block_digest>().count_access();
    return is_checked;
  }

  /// Like access(), for what kernels access most: an aligned word of four bytes within a region.
  void read_word(region& memory, std::uintptr_t address, const void* code);
  void write_word(region& memory, std::uintptr_t address, const void* code);
  /// The region that a word lies in; null: in none, or it takes a search.
  region* holder(std::uintptr_t address) { return block_.regions.holder(address, 4); }

  /// The running lane has begun a kernel whose blocks may have so many threads, or any number where it is 0, and have
  /// so much static shared memory.
  void check_launch(std::uint64_t threads, std::uint64_t static_shared_bytes, const void* code);

  /// The running lane is about to compute what has no defined result.
  void report_arithmetic(const undefined_arithmetic& result, const void* code);

  /// The running lane is about to access this address, which is not a multiple of `alignment`, as the type requires.
  void misaligned(std::uintptr_t address, std::size_t alignment, access_kind kind, const void* code);
  /// The running lane is about to access a vector or a struct at this address, which is a multiple of `alignment`. Only
  /// --counters needs it.
  void begin_vector(std::uintptr_t address, std::uint64_t alignment, bool is_written) {
    checks_.get<counted_costs>().begin_vector(block_, address, alignment, is_written);
  }
  /// A compare-and-swap of the running lane comes next. It compares the word, of at most 8 bytes, with `expected`.
  void compare(const volatile void* word, const void* expected, std::size_t size) {
    checks_.get<races>().compare(reinterpret_cast<std::uintptr_t>(word), expected, size);
    if (block_.in_trial) allow_write(reinterpret_cast<std::uintptr_t>(word));
  }

  /// The value that was at the address of the next access, if another value is there already. Null: it is still there.
  void note_old_value(const void* value, std::size_t size) { checks_.get<races>().note_old_value(value, size); }

  /// True: access() would find nothing. A fast path for most memory that is not checked: threadIdx and its like, and
  /// the lanes' local variables.
  bool is_unchecked(std::uintptr_t address) { return is_on_own_stack(address) || block_.regions.is_unchecked(address); }

  /// The running lane writes to what is_unchecked().
  void write_unchecked(std::uintptr_t address) {
    if (block_.in_trial && !is_on_own_stack(address)) leave_trial();
  }

  bool is_near_region(std::uintptr_t address) { return block_.regions.find(address) != nullptr; }

  /// As above, where the value is only moved within shared memory. Returns its token.
  std::uint64_t read_moved(std::uintptr_t address, std::size_t size, const void* code, std::size_t alignment);
  void write_moved(std::uintptr_t address, std::size_t size, const void* code, std::size_t alignment,
                   std::uint64_t token);
  void use_moved(std::uint64_t token) { checks_.get<initialisation>().use(block_, token); }

  void copy(std::uintptr_t target, std::uintptr_t source, std::size_t size, const void* code);

  /// Where the running lane tells of its loops.
  warp_waits& loops() { return checks_.get<warp_waits>(); }

  // How atomics order memory, by C++'s rules.
  void fence();
  void acquire(const void* word);
  void observe_relaxed(const void* word);
  void release(const void* word, bool adds);
  void write_relaxed(const void* word, bool adds);

  void allow_unwritten(std::uintptr_t address, std::size_t size) {
    initialisation::allow_unwritten(block_, address, size);
  }

  /// The running lane is about to poll a volatile variable of so many bytes, which counts as an atomic.
  void poll(const void* flag, std::size_t size, const void* code);

  /// A load and perhaps a compare-and-swap of the running lane come next, which together are an atomic_change.
  void use_value(std::uintptr_t address, std::size_t size, const void* code);

  /// The running lane is about to call a function that the machine does not know, such as printf, with this number.
  void pass_outside(std::uint64_t number, const void* code) {
    checks_.get<block_digest>().note_number(checked_block::running().thread, number, code);
  }

  /// The value of a variable that the running lane has not set.
  std::uint64_t unset_value(std::uint64_t mark, const std::uint64_t* compared, const void* code) {
    return checks_.get<undefined_values>().variable(checked_block::running().thread, mark, compared, code);
  }

  /// The value of memory that the running lane has allocated by this operation and not written.
  std::uint64_t unset_memory(const char* operation, const void* code) {
    // An offset in the module is the same in every process.
    const std::uint64_t mark = reinterpret_cast<std::uintptr_t>(code) - code_base;
    return checks_.get<undefined_values>().variable(checked_block::running().thread, mark, nullptr, code, operation);
  }

  /// What `lane`, whose own value is `own`, gets from `source` in the collective whose results are being computed.
  std::uint64_t undefined_result(unsigned lane, unsigned source, std::uint64_t own) {
    return is_probing() ? lane_recorder::absent(source) : checks_.get<undefined_values>().result(lane, source, own);
  }

  /// What `lane` of `group` gets there, which asks for too much and would get `word`.
  std::uint64_t result_beyond(const collective_slots& operands, lane_mask group, unsigned lane, std::uint64_t word);

  /// A collective is carried out on the lanes' numbers, which must have no other effect.
  bool is_probing() { return checks_.get<lane_recorder>().is_probing(); }

  /// In a collective the machine itself is at work, whose accesses are not checked.
  bool is_paused() const { return paused_; }
  /// In a permuted order other lanes may run before an access.
  bool permutes() const { return permutes_; }

 private:
  static bool is_on_own_stack(std::uintptr_t address) {
    return address - reinterpret_cast<std::uintptr_t>(this_lane->stack_low) < this_lane->stack_bytes;
  }
  [[gnu::always_inline]] bool note_tags(const region& memory, std::uintptr_t address, std::size_t size,
                                        access_kind kind) {
    if (block_.intervals.now == 0 || size % 4 != 0 || address % size != 0 || !memory.holds(address, size)) return false;
    for (std::size_t done = 0; done < size; done += 4) {
      lane_tag& tag = memory.tag_at(address + done);
      if (reads(kind) && !tag.holds_value(block_.intervals)) return false;
      if (!tag.note(block_.intervals, checked_block::running().thread, kind)) return false;
    }
    return true;
  }
  void allow_write(std::uintptr_t address);
  void begin_trial_of_launch();
  void begin_intervals();
  void check(region& memory, std::uintptr_t address, std::size_t size, access_kind kind, const void* code,
             std::size_t alignment);
  checked_access describe(region* memory, std::uintptr_t address, std::size_t size, access_kind kind, const void* code,
                          std::size_t alignment);
  [[gnu::noinline]] void access_outside(std::uintptr_t address, std::size_t size, access_kind kind, const void* code);
  released_clocks& clocks_of(const void* word);
  void note_sync_point(unsigned warp, lane_mask lanes, const site& at);

  bool paused_ = false;
  bool permutes_ = false;
  bool is_followed_ = true;  ///< each access has an effect of its own
  checked_block block_;
  access_checks checks_;
  block_memory memory_;
  site last_collective_{};
  released_clocks block_released_;
  std::uint64_t trial_ = 0;          ///< the number of the last trial with a block of this worker
  std::uint32_t epochs_before_ = 0;  ///< that trial
  warpz_digest digest_{};            ///< of its blocks in that trial
  trial_pages pages_;
  barrier_interval next_interval_ = 1;
};

/// The checker of the running block; null where accesses are not checked.
extern __thread access_checker* current_checker;

}  // namespace simt::check
