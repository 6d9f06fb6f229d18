// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/trace.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <unordered_map>

#include "simt/findings.hpp"

namespace simt::check {
namespace {

constexpr warpz_variation none{};

const warpz_variation& variation() {
  const warpz_variation* const asked = current_settings().vary;
  return asked != nullptr ? *asked : none;
}

/// Where nobody asks for it.
warpz_trace dropped;

/// Of earlier launches.
std::uint64_t blocks_before = 0;

warpz_trace& this_trace() {
  warpz_trace* const asked = current_sink().trace;
  return asked != nullptr ? *asked : dropped;
}

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  // The finalizer of SplitMix64.
  std::uint64_t z = a * 0x9e3779b97f4a7c15 + b;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// The same in every process, whatever lies where.
std::uint64_t mark_of(const site& at) {
  std::uint64_t mark = at.line;
  for (const char* text : {at.file, at.operation}) {
    for (const char each : std::string_view(text)) mark = mixed(mark, static_cast<unsigned char>(each));
  }
  return mark;
}

}  // namespace

std::uint32_t state_of(doing what) {
  if (is_atomic(what)) return WARPZ_LANE_ATOMIC;
  return writes(what) && what != doing::read_and_write ? WARPZ_LANE_WROTE : WARPZ_LANE_READ;
}

/// The steps of the lanes of one block, by thread, kept from the launch that records to those that compare.
struct block_trace::history {
  static constexpr std::size_t most_steps = std::size_t{1} << 20;

  std::vector<std::vector<step>> of_threads;
  std::size_t steps = 0;
  std::unordered_map<std::uint64_t, std::vector<exchanged>> values;  ///< by block and thread

  static history& kept() {
    static auto* const only = new history;
    return *only;
  }
};

void block_trace::begin_launch() {
  if (variation().counts_on == 0) this_trace() = {};
  blocks_before = this_trace().blocks;
  const std::uint32_t tracing = variation().tracing;
  if (tracing == WARPZ_TRACE_RECORD || tracing == WARPZ_TRACE_RECORD_VALUES) history::kept() = {};
}

void block_trace::begin_block(const block& of, std::uint64_t number) {
  const warpz_variation& vary = variation();
  block_ = &of;
  number_ = blocks_before + number;
  this_trace().blocks = std::max(this_trace().blocks, number_ + 1);
  events_ = 0;
  steps_ = 0;
  digest_ = 0;
  tracing_ = vary.tracing >= WARPZ_TRACE_DIGEST && vary.tracing <= WARPZ_TRACE_COMPARE;
  values_ = vary.tracing > WARPZ_TRACE_COMPARE;
  recorded_ = tracing_ && vary.tracing != WARPZ_TRACE_DIGEST && number_ == vary.block;
  if (recorded_ && vary.tracing == WARPZ_TRACE_RECORD) history::kept().of_threads.resize(of.lane_count());
  if (recorded_ || values_) steps_done_.assign(of.lane_count(), 0);
}

void block_trace::end_block() {
  this_trace().steps += steps_;
  // A sum: blocks that wait for each other may end in any order.
  if (tracing_) this_trace().digest += mixed(number_, digest_);
  if (!recorded_ || variation().tracing != WARPZ_TRACE_COMPARE) return;
  // What a lane has not done at all differs, too.
  const auto& before = history::kept().of_threads;
  for (std::uint32_t thread = 0; thread < std::min<std::size_t>(before.size(), steps_done_.size()); ++thread) {
    if (steps_done_[thread] < before[thread].size()) differs(thread, before[thread][steps_done_[thread]]);
  }
}

void block_trace::meet(warp& of, lane_mask group, lane_mask named, const site& at) {
  meeting_ = &of;
  at_ = at;
  named_ = named;
  steps_ += static_cast<unsigned>(__builtin_popcountll(group));
  if (!tracing_) return;
  step done{};
  done.what = mixed(group, at.line);
  done.at = at;
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    note(of.lanes[__builtin_ctzll(rest)].thread, done);
  }
}

void block_trace::note_access(std::uint32_t thread, const region& in, std::uintptr_t address, std::size_t bytes,
                              doing what, const void* code) {
  step done{};
  done.what = mixed(mixed(address - in.begin, bytes),
                    std::uint64_t{in.argument} << 16 | in.kind << 8 | static_cast<unsigned>(what));
  done.code = reinterpret_cast<std::uintptr_t>(code) - 1;
  done.bytes = static_cast<std::uint32_t>(bytes);
  done.access = what;
  note(thread, done);
}

void block_trace::note(std::uint32_t thread, const step& done) {
  digest_ = mixed(digest_ ^ thread, done.what);
  const warpz_variation& vary = variation();
  if (vary.most_steps != 0 && steps_ > vary.most_steps) stop_kernel();
  if (!recorded_) return;
  history& kept = history::kept();
  if (vary.tracing == WARPZ_TRACE_RECORD) {
    if (kept.steps == history::most_steps) return;
    ++kept.steps;
    kept.of_threads[thread].push_back(done);
    return;
  }
  if (thread >= kept.of_threads.size()) return;
  const std::vector<step>& before = kept.of_threads[thread];
  const std::size_t number = steps_done_[thread]++;
  if (number < before.size() ? before[number].what != done.what : kept.steps < history::most_steps) {
    differs(thread, done);
  }
}

/// The first time only: all that follows may follow from it.
void block_trace::differs(std::uint32_t thread, const step& done) {
  recorded_ = false;
  warpz_finding& into = this_trace().last;
  if (into.group_count == 0 || into.group_count == WARPZ_FINDING_GROUPS) return;
  warpz_lane_group& group = into.groups[into.group_count++];
  const index3 at = block_->block_idx();
  group = {};
  group.block[0] = at.x;
  group.block[1] = at.y;
  group.block[2] = at.z;
  group.warp = thread / block_->lanes_per_warp();
  group.lanes = lane_mask{1} << thread % block_->lanes_per_warp();
  if (done.code != 0) {
    group.state = state_of(done.access);
    group.bytes = done.bytes;
    group.code = done.code;
  } else {
    group.state = WARPZ_LANE_WAITING;
    copy_place(group.place, done.at, 0);
  }
}

std::uint64_t block_trace::undefined_result(unsigned lane, unsigned source) {
  const warpz_variation& vary = variation();
  const std::uint32_t event = events_++;
  ++this_trace().events;
  this_trace().most_events = std::max(this_trace().most_events, events_);
  const bool is_before = number_ < vary.block || (number_ == vary.block && event < vary.event);
  if (!is_before) return ~vary.undefined;
  const bool is_last = number_ == vary.block && event + 1 == vary.event;
  if (vary.left_out_count == 0 && !is_last) return ~vary.poison;
  const std::uint64_t mark = mark_of(at_);
  const std::uint64_t* const end =
      vary.left_out + std::min<std::uint32_t>(vary.left_out_count, WARPZ_MAX_PLACES_LEFT_OUT);
  if (std::find(vary.left_out, end, mark) != end) return ~vary.undefined;
  if (is_last) {
    this_trace().mark = mark;
    const lane_mask from = lane_mask{1} << source;
    tell_meeting((meeting_->present & from) == 0 ? WARPZ_LANE_ABSENT
                 : (named_ & from) == 0          ? WARPZ_LANE_NOT_NAMED
                                                 : WARPZ_LANE_EXITED,
                 lane, source);
  }
  return ~vary.poison;
}

void block_trace::tell_meeting(warpz_lane_state source_state, unsigned lane, unsigned source) {
  warpz_finding& record = this_trace().last;
  record.kind = WARPZ_UNDEFINED_LANE_VALUE;
  std::snprintf(record.kernel, sizeof record.kernel, "%s", block_->request().name);
  record.group_count = 2;
  const index3 at = block_->block_idx();
  for (unsigned i = 0; i < record.group_count; ++i) {
    warpz_lane_group& group = record.groups[i];
    group.block[0] = at.x;
    group.block[1] = at.y;
    group.block[2] = at.z;
    group.warp = meeting_->index;
  }
  record.groups[0].lanes = lane_mask{1} << lane;
  record.groups[0].state = WARPZ_LANE_TOOK;
  copy_place(record.groups[0].place, at_, named_ == ~lane_mask{0} ? 0 : named_);
  record.groups[1].lanes = lane_mask{1} << source;
  record.groups[1].state = source_state;
}

/// Whose operand the lane has got: the operation is done once more, with each lane's number as its operand. The lane
/// itself where it got none of them.
unsigned block_trace::source_of(exchange& operands, resolver with, lane_mask group, unsigned lane) {
  constexpr std::uint64_t mark = 0x5a5a5a00;
  const exchange before = operands;
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const auto each = static_cast<unsigned>(__builtin_ctzll(rest));
    operands.value[each] = mark + each;
  }
  with(operands, group);
  const std::uint64_t got = operands.result[lane] - mark;
  operands = before;
  return got < max_warp_size ? static_cast<unsigned>(got) : lane;
}

void block_trace::note_values(warp& of, resolver with, lane_mask group) {
  history& kept = history::kept();
  const bool compares = variation().tracing == WARPZ_TRACE_COMPARE_VALUES;
  if (compares && this_trace().last.group_count != 0) return;
  lane_mask gave_other = 0, got_other = 0;
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
    const unsigned thread = of.lanes[lane].thread;
    std::vector<exchanged>& of_thread = kept.values[number_ << 16 | thread];
    const exchanged now{at_.line, group, of.operands.value[lane], of.operands.result[lane]};
    if (!compares) {
      if (kept.steps < history::most_steps) of_thread.push_back(now);
      ++kept.steps;
      continue;
    }
    const std::size_t number = steps_done_[thread]++;
    if (number >= of_thread.size()) continue;
    const exchanged& before = of_thread[number];
    // It has gone another way, and what it does there cannot be compared.
    if (before.line != now.line || before.group != now.group) {
      values_ = false;
      return;
    }
    if (before.operand != now.operand) gave_other |= lane_mask{1} << lane;
    if (before.result != now.result) got_other |= lane_mask{1} << lane;
  }
  if (got_other == 0) return;
  const auto reader = static_cast<unsigned>(__builtin_ctzll(got_other));
  const unsigned source = source_of(of.operands, with, group, reader);
  const bool has_source = (gave_other >> source & 1) != 0;
  tell_meeting(WARPZ_LANE_NEVER_SET, reader,
               has_source || gave_other == 0 ? source : static_cast<unsigned>(__builtin_ctzll(gave_other)));
}

}  // namespace simt::check
