// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/access_checker.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "abi/device_image.h"
#include "simt/check/launch_digest.hpp"
#include "simt/check/launch_limits.hpp"
#include "simt/check/unwritten_reads.hpp"
#include "simt/machine/trial.hpp"

namespace simt::check {
namespace {

/// What was released through words that all blocks share.
released_clocks& common_released() {
  static auto* const only = new released_clocks;
  return *only;
}

/// The checkers of trials.
struct trial_checkers {
  std::mutex changing;
  std::vector<access_checker*> all;
  std::uint64_t trials = 0;
  // Of the last trial.
  std::size_t workers = 1;
  bool is_host_apart = false;
  // Of this launch.
  unsigned unclear_ends = 0;
  kernel_function kernel = nullptr;
  bool have_tags = false;  ///< the words of shared memory
  std::set<kernel_function> without_tags;
};

/// Trials of one launch that are unclear: so many at most. The one after them keeps stamps of all accesses.
constexpr unsigned max_unclear_ends = 3;

trial_checkers& in_trials() {
  static auto* const only = new trial_checkers;
  return *only;
}

}  // namespace

__thread access_checker* current_checker = nullptr;

access_checker::access_checker(bool in_trial) {
  block_.in_trial = in_trial;
  if (!in_trial) return;
  block_.regions.see(pages_);
  block_.clocks.begin_own_epochs();
  const std::lock_guard<std::mutex> lock(in_trials().changing);
  in_trials().all.push_back(this);
}

access_checker::~access_checker() {
  if (!block_.in_trial) return;
  const std::lock_guard<std::mutex> lock(in_trials().changing);
  auto& all = in_trials().all;
  all.erase(std::remove(all.begin(), all.end(), this), all.end());
}

namespace {

/// Notes of the memory that the kernel's arguments point to what its elements are.
void note_elements(const launch_request& request) {
  if (request.code == nullptr || request.arguments == nullptr) return;
  for (std::uint32_t i = 0; i < request.code->argument_count; ++i) {
    const warpz_kernel_argument& type = request.code->arguments[i];
    if (type.element_bytes == 0 || type.bytes != sizeof(std::uintptr_t)) continue;
    std::uintptr_t address = 0;
    std::memcpy(&address, static_cast<const void* const*>(request.arguments)[i], sizeof address);
    region* const memory = region_table::common_around(address);
    if (memory != nullptr && memory->holds(address, 1)) memory->element_bytes = type.element_bytes;
  }
}

}  // namespace

void access_checker::begin_launch(const launch_request& request, unsigned warp_size) {
  if (begin_epochs_of_launch()) {
    region_table::forget_accesses();
    past_work::instance().forget_launches();
  }
  past_work::instance().begin_launch(request, warp_size);
  note_elements(request);
  common_released().clear();
  unwritten_reads::begin_launch();
  in_trials().unclear_ends = 0;
  launch_digest::begin_launch();
}

bool access_checker::begin_trial(const launch_request& request, std::size_t workers) {
  const auto kernel = reinterpret_cast<std::uintptr_t>(request.entry);
  static std::uintptr_t known = 0;
  if (kernel != known) {
    if (!is_of_instrumented_module(kernel)) return false;
    add_module(kernel);
    known = kernel;
  }
  ++in_trials().trials;
  in_trials().workers = workers;
  in_trials().is_host_apart = request.work != nullptr;
  in_trials().kernel = request.entry;
  in_trials().have_tags =
      in_trials().unclear_ends < max_unclear_ends && in_trials().without_tags.count(request.entry) == 0;
  return region_table::share_pages();
}

trial_end access_checker::end_trial(bool have_all_run) {
  const std::lock_guard<std::mutex> lock(in_trials().changing);
  bool have_met = false, is_unclear = false;
  std::uint64_t epochs = 0;
  for (const access_checker* const each : in_trials().all) {
    if (!have_all_run) each->pages_.unlock();
  }
  for (access_checker* const each : in_trials().all) {
    if (each->trial_ != in_trials().trials) continue;
    // Of a block that has not ended, too.
    have_met = !each->pages_.add_accesses() || have_met;
    is_unclear = each->pages_.provide_stamps() || each->block_.needs_stamps || is_unclear;
    if (std::exchange(each->block_.needs_stamps, false)) in_trials().without_tags.insert(in_trials().kernel);
    epochs += each->block_.clocks.own_epochs() - each->epochs_before_;
  }
  const bool is_clean = have_all_run && !have_met && !is_unclear && skip_epochs(epochs);
  for (access_checker* const each : in_trials().all) {
    if (each->trial_ != in_trials().trials) continue;
    if (is_clean) launch_digest::add(each->digest_);
    is_clean ? each->pages_.accept() : each->pages_.undo();
    each->pages_.end_launch();
  }
  if (is_unclear) ++in_trials().unclear_ends;
  if (is_clean) return trial_end::clean;
  return is_unclear && !have_met ? trial_end::unclear : trial_end::failed;
}

/// To be called in the worker's first block of each trial.
void access_checker::begin_trial_of_launch() {
  trial_ = in_trials().trials;
  digest_ = {};
  pages_.begin_launch(in_trials().workers, in_trials().is_host_apart, in_trials().unclear_ends == max_unclear_ends);
  constexpr std::uint32_t most = (1U << epoch_bits) / 2;
  if (block_.clocks.own_epochs() > most) {
    block_.clocks.begin_own_epochs();
    pages_.forget();
    block_.regions.forget_block_accesses();
  }
  epochs_before_ = block_.clocks.own_epochs();
}

void access_checker::begin_block(const block& current, std::uint64_t number) {
  if (block_.in_trial) {
    if (trial_ != in_trials().trials) begin_trial_of_launch();
    launch_digest::of_trial = &digest_;
    paused_ = false;
  }
  block_.current = &current;
  block_.warp_size = current.warp_size();
  const bool has_tags = block_.in_trial && in_trials().have_tags;
  memory_.add_regions(current, block_.regions, has_tags);
  block_.intervals = {};
  if (has_tags) begin_intervals();
  block_released_.clear();
  block_.clocks.begin(static_cast<std::uint32_t>(number), current.lane_count());
  if (block_.sync_points != 0 || block_.last_sync_point.size() != current.lane_count())
    block_.last_sync_point.assign(current.lane_count(), {});
  block_.sync_points = 0;
  block_.is_recorded = false;
  checks_.begin_block(block_, number);
  permutes_ = current.permutes();
  is_followed_ = !block_.in_trial || permutes_ || block_.is_recorded;
  current_checker = this;
}

void access_checker::begin_intervals() {
  if (next_interval_ + 2 > lane_tag::max_interval) {
    block_.regions.forget_tags();
    next_interval_ = 1;
  }
  // Nothing that counts as written when the block began is an access.
  block_.intervals = {next_interval_, next_interval_ + 1};
  next_interval_ += 2;
}

bool access_checker::end_block() {
  checks_.end_block();
  current_checker = nullptr;
  block_.current = nullptr;
  if (!block_.in_trial) return true;
  launch_digest::of_trial = nullptr;
  for (const page_view* const each : pages_.used()) block_.regions.forget_page(each->page);
  return pages_.add_accesses();
}

void access_checker::pass_barrier() {
  if (trial_has_failed) leave_trial();
  checks_.synchronize();
  checks_.pass_barrier();
  const block& current = *block_.current;
  ++block_.sync_points;
  for (unsigned w = 0; w < current.warp_count(); ++w) {
    const warp& each = current.warp_at(w);
    if (each.at_barrier != 0) note_sync_point(w, each.at_barrier, each.lanes[lowest(each.at_barrier)].last);
  }
  block_.clocks.barrier();
  if (block_.intervals.now == 0) return;
  if (next_interval_ > lane_tag::max_interval) block_.ask_for_stamps();
  block_.intervals.now = next_interval_++;
}

void access_checker::begin_collective(warp& current_warp, const pending_collective& met) {
  if (trial_has_failed) leave_trial();
  paused_ = true;
  last_collective_ = met.at;
  checks_.begin_collective(current_warp, met);
}

void access_checker::end_collective(const warp& current_warp, const pending_collective& met) {
  checks_.end_collective(current_warp, met);
  paused_ = false;
}

void access_checker::order_memory(lane_mask lanes) {
  checks_.synchronize();
  const unsigned warp = checked_block::running().warp->index;
  ++block_.sync_points;
  note_sync_point(warp, lanes, last_collective_);
  block_.clocks.synchronize(warp * block_.warp_size, lanes);
}

void access_checker::note_sync_point(unsigned warp, lane_mask lanes, const site& at) {
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1)
    block_.last_sync_point[warp * block_.warp_size + lowest(rest)] = {block_.sync_points, at};
}

[[gnu::always_inline]] inline checked_access access_checker::describe(region* memory, std::uintptr_t address,
                                                                      std::size_t size, access_kind kind,
                                                                      const void* code, std::size_t alignment) {
  const lane_clock& clock = block_.clock();
  const access_stamp self(clock.now, clock.thread, code_id_at(code, is_atomic(kind)));
  return {memory, address, size, kind, alignment, code, clock, self};
}

[[gnu::always_inline]] inline void access_checker::check(region& memory, std::uintptr_t address, std::size_t size,
                                                         access_kind kind, const void* code, std::size_t alignment) {
  checked_access event = describe(&memory, address, size, kind, code, alignment);
  checks_.access_region(block_, event);
}

namespace {

/// How many of the bytes are in the region, if the others are in memory that is mapped behind it; else 0.
std::size_t bytes_before_next(const region& memory, std::uintptr_t address, std::size_t size) {
  if (!memory.is_mapped || memory.holds(address, size) || !memory.holds(address, 1)) return 0;
  const std::uintptr_t end = memory.begin + memory.bytes;
  const region* const next = region_table::common_at(end);
  return next != nullptr && next->is_mapped ? end - address : 0;
}

}  // namespace

void access_checker::access(std::uintptr_t address, std::size_t size, access_kind kind, const void* code,
                            std::size_t alignment) {
  checks_.before_access();
  if (size == 0) return;
  if (is_atomic(kind)) launch_digest::note_atomic(address);
  if (region* const memory = block_.regions.find(address, size)) {
    if (const std::size_t first = bytes_before_next(*memory, address, size)) {
      access(address, first, kind, code, alignment);
      return access(address + first, size - first, kind, code, 1);
    }
    return check(*memory, address, size, kind, code, alignment);
  }
  if (writes(kind)) write_unchecked(address);
  if (checks_.get<bounds>().is_accessible(address)) {
    block_.regions.mark_unchecked(address);
  } else {
    access_outside(address, size, kind, code);
  }
}

std::uint64_t access_checker::read_moved(std::uintptr_t address, std::size_t size, const void* code,
                                         std::size_t alignment) {
  region* const memory = block_.regions.find(address, size);
  if (memory == nullptr || bytes_before_next(*memory, address, size) != 0) {
    access(address, size, access_kind::read, code, alignment);
    return 0;
  }
  checks_.before_access();
  std::uint64_t token = 0;
  checked_access event = describe(memory, address, size, access_kind::read, code, alignment);
  event.moved = &token;
  checks_.access_region(block_, event);
  return token;
}

void access_checker::write_moved(std::uintptr_t address, std::size_t size, const void* code, std::size_t alignment,
                                 std::uint64_t token) {
  // From now on accesses to shared memory are looked up among the places that values were moved to.
  is_followed_ = is_followed_ || token != 0;
  access(address, size, access_kind::write, code, alignment);
  const region* const memory = block_.regions.find(address);
  if (memory != nullptr && memory->holds(address, size)) checks_.get<initialisation>().put(address, size, token);
}

void access_checker::read_word(region& memory, std::uintptr_t address, const void* code) {
  checks_.before_access();
  check(memory, address, 4, access_kind::read, code, 4);
}

void access_checker::write_word(region& memory, std::uintptr_t address, const void* code) {
  checks_.before_access();
  check(memory, address, 4, access_kind::write, code, 4);
}

void access_checker::access_outside(std::uintptr_t address, std::size_t size, access_kind kind, const void* code) {
  checks_.access_outside(block_, describe(nullptr, address, size, kind, code, 1));
}

void access_checker::check_launch(std::uint64_t threads, std::uint64_t static_shared_bytes, const void* code) {
  const index3 at = block_.current->block_idx();
  // One lane is enough: every lane has the same launch.
  if ((at.x | at.y | at.z | block_.clock().thread) != 0) return;
  access_finding found = finding_of(WARPZ_INVALID_LAUNCH, describe(nullptr, 0, 0, access_kind::read, code, 1));
  if (threads != 0) check_threads(*block_.current, threads, found);
  if (static_shared_bytes != 0) check_shared_memory(*block_.current, static_shared_bytes, found);
}

void access_checker::report_arithmetic(const undefined_arithmetic& result, const void* code) {
  const std::string rule = result.rule();
  const warpz_finding_kind kind = result.is_index_of_array() ? WARPZ_OUT_OF_BOUNDS : WARPZ_UNDEFINED_ARITHMETIC;
  access_finding found = finding_of(kind, describe(nullptr, 0, 0, access_kind::read, code, 1));
  found.rule = rule.c_str();
  found.severity = result.severity();
  publish(found, *block_.current);
}

void access_checker::misaligned(std::uintptr_t address, std::size_t alignment, access_kind kind, const void* code) {
  if (region* const memory = block_.regions.find(address))
    checks_.get<check::alignment>().report_composite(block_, describe(memory, address, 0, kind, code, alignment));
}

std::uint64_t access_checker::result_beyond(const collective_slots& operands, lane_mask group, unsigned lane,
                                            std::uint64_t word) {
  if (is_probing()) return word;
  bool by_all = true;
  for (lane_mask rest = group; rest != 0; rest &= rest - 1)
    by_all = by_all &&
             lane_request::of(operands.argument[lowest(rest)]).asked == lane_request::of(operands.argument[lane]).asked;
  return checks_.get<undefined_values>().result_beyond(lane, lane_request::of(operands.argument[lane]), by_all, word);
}

void access_checker::copy(std::uintptr_t target, std::uintptr_t source, std::size_t size, const void* code) {
  checks_.get<races>().note_copy(true);
  access(source, size, access_kind::read, code);
  access(target, size, access_kind::write, code);
  checks_.get<races>().note_copy(false);
  checks_.get<lane_recorder>().note_copy(target, source);
}

void access_checker::poll(const void* flag, std::size_t size, const void* code) {
  const auto address = reinterpret_cast<std::uintptr_t>(flag);
  region* const memory = block_.regions.find(address);
  if (memory == nullptr || !memory->holds(address, size)) return;
  checks_.get<races>().poll(block_, describe(memory, address, size, access_kind::atomic_read, code, 1));
}

void access_checker::use_value(std::uintptr_t address, std::size_t size, const void* code) {
  checks_.before_access();
  region* const memory = block_.regions.find(address, size);
  if (memory == nullptr || !memory->holds(address, size)) return;
  checked_access event = describe(memory, address, size, access_kind::atomic_change, code, 1);
  checks_.get<races>().access_region(block_, event);
  checks_.get<initialisation>().access_region(block_, event);
}

/// In a trial: the running lane may write there by an operation that tells of it later.
void access_checker::allow_write(std::uintptr_t address) {
  const region* const memory = block_.regions.find(address);
  if (memory == nullptr) return write_unchecked(address);
  if (memory->of_page != nullptr && !memory->of_page->may_write) memory->of_page->allow_write();
}

released_clocks& access_checker::clocks_of(const void* word) {
  const region* const memory = block_.regions.find(reinterpret_cast<std::uintptr_t>(word));
  return block_.in_trial || (memory != nullptr && memory->of_block) ? block_released_ : common_released();
}

void access_checker::fence() { block_.clocks.fence(block_.clock()); }

void access_checker::acquire(const void* word) {
  if (const vector_clock* const released = clocks_of(word).find(word)) {
    block_.clocks.acquire(block_.clock(), *released);
  }
}

void access_checker::observe_relaxed(const void* word) {
  if (const vector_clock* const released = clocks_of(word).find(word)) {
    block_.clocks.observe_relaxed(block_.clock(), *released);
  }
}

void access_checker::release(const void* word, bool adds) {
  clocks_of(word).release(word, block_.clocks.release(block_.clock()), adds);
}

void access_checker::write_relaxed(const void* word, bool adds) {
  clocks_of(word).release(word, block_.clock().fenced, adds);
}

}  // namespace simt::check
