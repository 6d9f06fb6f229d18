// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/findings.hpp"

#include <signal.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "abi/text.h"
#include "simt/machine/published_findings.hpp"
#include "simt/machine/trial.hpp"

namespace simt {
namespace {

const char* known(const char* text) { return text != nullptr ? text : ""; }

void copy_text(char* target, std::size_t capacity, const char* text) {
  warpz_copy_beginning(target, capacity, known(text));
}

// Without a host program findings are printed on standard error.

warpz_finding printed_record;

warpz_finding* next_printed() { return &printed_record; }

void print(warpz_finding* record) {
  char text[1024];
  const auto put = [&text](int length) {
    if (length > 0 && write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
  };
  put(std::snprintf(text, sizeof text, "simt: kernel %s: %s\n", record->kernel, record->message));
  for (unsigned i = 0; i < record->group_count; ++i) {
    const warpz_lane_group& group = record->groups[i];
    static const char* const states[] = {"", "waiting", "exited", "running", "at a scheduling point", "ready"};
    put(std::snprintf(text, sizeof text, "  block (%u,%u,%u) warp %u lanes %#llx: %s %s %s:%u mask %#llx\n",
                      group.block[0], group.block[1], group.block[2], group.warp,
                      static_cast<unsigned long long>(group.lanes), states[group.state], group.place.operation,
                      group.place.file, group.place.line, static_cast<unsigned long long>(group.place.mask)));
  }
}

sink receiver{next_printed, print, nullptr, nullptr};

}  // namespace

void copy_place(warpz_place& target, const site& source, lane_mask mask) {
  copy_text(target.operation, sizeof target.operation, source.operation);
  warpz_copy_end(target.file, sizeof target.file, known(source.file));
  target.line = source.line;
  target.mask = mask;
}

void copy_place(warpz_place& target, const pending_collective& source) {
  copy_place(target, source.at, source.named == ~lane_mask{0} ? 0 : source.named);
}

void copy_launch(warpz_finding& target, const block& current) {
  const launch_request& launched = current.request();
  copy_text(target.kernel, sizeof target.kernel, launched.name);
  target.launch = launched.number;
  target.grid[0] = launched.grid.x;
  target.grid[1] = launched.grid.y;
  target.grid[2] = launched.grid.z;
  target.threads = current.lane_count();
}

void stop_kernel() {
  leave_trial();
  report_stage(WARPZ_STOPPED);
  // Shows what the kernel has printed; but another thread may hold stdio's lock, so this must not take for ever.
  alarm(1);
  signal(SIGALRM, [](int) { _exit(stopped_exit_code); });
  std::fflush(stdout);
  alarm(0);
  if (const auto before_exit = current_settings().before_exit) before_exit(stopped_exit_code);
  _exit(stopped_exit_code);
}

namespace {

/// Held while a finding is composed. After one that ends the process nobody else gets it.
std::atomic_flag composing = ATOMIC_FLAG_INIT;
thread_local bool composes = false;

[[noreturn]] void end(warpz_finding& record) {
  receiver.publish(&record);
  stop_kernel();
}

/// Threads that find something at the same time report it one after the other.
void claim_composing() {
  leave_trial();
  // This thread has faulted while it composed a finding: publishes as much as there is.
  if (composes) end(*receiver.next_finding());
  while (composing.test_and_set()) usleep(1000);
  composes = true;
}

warpz_finding& new_record(const block& current, warpz_finding_kind kind) {
  warpz_finding& record = *receiver.next_finding();
  std::memset(&record, 0, sizeof record);
  record.kind = static_cast<std::uint32_t>(kind);
  copy_launch(record, current);
  return record;
}

warpz_finding& begin(const block& current, warpz_finding_kind kind) {
  claim_composing();
  return new_record(current, kind);
}

/// Others may compose findings again.
void let_others_compose() {
  composes = false;
  composing.clear();
}

/// Findings of one kind and place are one.
warpz::finding_identity identity_at(std::uint32_t kind, const site& at) {
  warpz::finding_identity identity;
  identity.kind = kind;
  identity.add_party(warpz::place_of_call(known(at.operation), known(at.file), at.line));
  return identity;
}

void publish_and_go_on(warpz_finding& record, const site& at) {
  const warpz::finding_identity identity = identity_at(record.kind, at);
  if (count_repetition(identity) == nullptr) {
    published_findings().push_back({identity, &record});
    receiver.publish(&record);
  }
  let_others_compose();
}

/// Publishes a divergence, and ends the process if it is not to go on.
void end_diverged(warpz_finding& record, const site& at) {
  if (current_settings().continue_after_divergence == 0) end(record);
  publish_and_go_on(record, at);
}

void add(warpz_finding& record, const block& current, unsigned warp_index, lane_mask lanes, warpz_lane_state state,
         const site& at, lane_mask mask) {
  if (lanes == 0) return;
  if (record.group_count == WARPZ_FINDING_GROUPS) {
    ++record.groups_left_out;
    return;
  }
  warpz_lane_group& group = record.groups[record.group_count++];
  const index3 block_idx = current.block_idx();
  group.block[0] = block_idx.x;
  group.block[1] = block_idx.y;
  group.block[2] = block_idx.z;
  group.warp = warp_index;
  group.lanes = lanes;
  group.state = static_cast<std::uint32_t>(state);
  copy_place(group.place, at, mask);
}

/// Adds these lanes, one group for each place that some of them are at.
void add_by_place(warpz_finding& record, const block& current, const warp& current_warp, lane_mask lanes,
                  warpz_lane_state state) {
  while (lanes != 0) {
    const fiber& first = current_warp.lanes[lowest(lanes)];
    const site place = current.place_of(first);
    lane_mask group = 0;
    for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
      const fiber& each = current_warp.lanes[lowest(rest)];
      if (same(current.place_of(each), place) && each.last_code == first.last_code) group |= bit(lowest(rest));
    }
    add(record, current, current_warp.index, group, state, place, 0);
    if (first.last_code != nullptr && record.groups_left_out == 0) {
      record.groups[record.group_count - 1].code = reinterpret_cast<std::uintptr_t>(first.last_code) - 1;
    }
    lanes &= ~group;
  }
}

constexpr site nowhere{"", "", 0};

void add_warp(warpz_finding& record, const block& current, const warp& current_warp, const fiber* executing = nullptr) {
  const pending_collective* waiting[max_warp_size];
  const auto end = std::transform(current_warp.collectives, current_warp.collectives + current_warp.collective_count,
                                  waiting, [](const pending_collective& each) { return &each; });
  // In which order they have come depends on how the lanes are run.
  std::sort(waiting, end, [](const auto* a, const auto* b) { return lowest(a->arrived) < lowest(b->arrived); });
  for (const auto* each = waiting; each != end; ++each)
    add(record, current, current_warp.index, (*each)->arrived, WARPZ_LANE_WAITING, (*each)->at, (*each)->wanted);
  add_by_place(record, current, current_warp, current_warp.at_barrier, WARPZ_LANE_WAITING);
  lane_mask ready = current_warp.ready;
  if (executing != nullptr && executing->warp == &current_warp) {
    const lane_mask me = bit(executing->lane_id);
    // Its stack is the machine's then, and names no line of the kernel.
    const bool is_between = (ready & me) != 0 && current.is_between_regions();
    add(record, current, current_warp.index, me, WARPZ_LANE_RUNNING,
        is_between ? current.place_of(*executing) : nowhere, 0);
    ready &= ~me;
  }
  add_by_place(record, current, current_warp, ready & current_warp.yielded, WARPZ_LANE_YIELDED);
  add(record, current, current_warp.index, ready & ~current_warp.yielded, WARPZ_LANE_READY, nowhere, 0);
  add(record, current, current_warp.index, current_warp.exited, WARPZ_LANE_EXITED, nowhere, 0);
}

void add_block(warpz_finding& record, const block& current, const fiber* executing = nullptr) {
  if (executing != nullptr) executing->warp->flush_batch(*executing);
  // The executing lane's warp comes first: a large block may have more groups than a record holds.
  if (executing != nullptr) add_warp(record, current, *executing->warp, executing);
  for (unsigned w = 0; w < current.warp_count(); ++w) {
    if (executing == nullptr || executing->warp != &current.warp_at(w)) add_warp(record, current, current.warp_at(w));
  }
}

void add_stack(warpz_finding& record, const execution& at) {
  record.frame_count = at.frame_count;
  std::memcpy(record.frames, at.frames, sizeof at.frames);
}

}  // namespace

void set_sink(const sink& chosen) {
  receiver = chosen;
  published_findings().clear();
  if (registered_launch_observer != nullptr) registered_launch_observer->change_sink();
}

const sink& current_sink() { return receiver; }

void report_stage(warpz_stage stage) {
  if (receiver.stage != nullptr) __atomic_store_n(receiver.stage, static_cast<std::uint32_t>(stage), __ATOMIC_RELEASE);
}

namespace {

struct stuck_rule {
  warpz_finding_kind kind;
  const char* says;
};

/// Whether a lane that one mask names has arrived in the same operation with another mask.
bool masks_differ(const warp& stuck) {
  for (unsigned i = 0; i < stuck.collective_count; ++i) {
    for (unsigned k = 0; k < stuck.collective_count; ++k) {
      const pending_collective& one = stuck.collectives[i];
      const pending_collective& other = stuck.collectives[k];
      if (i != k && one.same_operation(other.op, other.at) && (one.wanted & other.arrived) != 0) return true;
    }
  }
  return false;
}

/// The rule that the lanes broke that wait for each other.
stuck_rule rule_of(const warp& stuck) {
  if (masks_differ(stuck)) {
    return {WARPZ_WRONG_MASK,
            "lanes pass different masks to one operation: CUDA and HIP require one mask from all lanes that it names"};
  }
  bool by_mask = true, by_nothing = true, wait_for_returned = true;
  for (unsigned i = 0; i < stuck.collective_count; ++i) {
    const pending_collective& each = stuck.collectives[i];
    by_mask = by_mask && each.source == participants::mask_source::argument;
    by_nothing = by_nothing && each.source == participants::mask_source::none;
    wait_for_returned = wait_for_returned && (each.wanted & ~each.arrived & ~stuck.exited) == 0;
  }
  const char* says = "lanes of one warp wait in an operation that the other lanes named by its mask never reach";
  if (by_nothing) {
    says =
        current_settings().rules == WARPZ_RULES_NVIDIA
            ? "lanes of one warp wait in an operation that the others never reach"
            : "lanes of one warp wait in an operation that the others never reach (defined on AMD alone: --rules amd)";
  }
  if (by_mask && wait_for_returned)
    says =
        "lanes of one warp wait in an operation whose mask names lanes that have returned: CUDA allows this, HIP "
        "does not";
  return {WARPZ_DIVERGED_COLLECTIVE, says};
}

}  // namespace

void report_stuck_warp(const block& current, const warp& stuck) {
  const stuck_rule broken = rule_of(stuck);
  warpz_finding& record = begin(current, broken.kind);
  copy_text(record.message, sizeof record.message, broken.says);
  add_warp(record, current, stuck);
  end_diverged(record, stuck.collectives[0].at);
}

void report_stuck_barrier(const block& current, const site& at) {
  warpz_finding& record = begin(current, WARPZ_DIVERGED_BARRIER);
  copy_text(record.message, sizeof record.message, "threads of one block wait at different barriers");
  add_block(record, current);
  end_diverged(record, at);
}

void report_partial_barrier(const block& current, const site& at, bool asks_all) {
  claim_composing();
  if (count_repetition(identity_at(WARPZ_DIVERGED_BARRIER, at)) != nullptr) return let_others_compose();
  warpz_finding& record = new_record(current, WARPZ_DIVERGED_BARRIER);
  record.severity = WARPZ_WARNING;
  copy_text(record.message, sizeof record.message,
            asks_all ? "threads have returned from the kernel before an operation of all threads of the block: what it "
                       "gives the others is not defined"
                     : "part of a warp has returned from the kernel, and the rest passes a barrier: AMD's GPUs and "
                       "NVIDIA's since Volta allow this; older ones hang");
  // Those that have come are told first.
  for (const bool waits : {true, false}) {
    for (unsigned w = 0; w < current.warp_count(); ++w) {
      if ((current.warp_at(w).at_barrier != 0) == waits) add_warp(record, current, current.warp_at(w));
    }
  }
  publish_and_go_on(record, at);
}

void report_wrong_mask(const block& current, const fiber& caller, lane_mask mask, const site& at) {
  warpz_finding& record = begin(current, WARPZ_WRONG_MASK);
  const bool of_32_lanes = mask == 0xffffffff && current.warp_size() == 64;
  copy_text(
      record.message, sizeof record.message,
      mask == 0 ? "a lane calls an operation with a mask of 0, which names no lane"
      : of_32_lanes
          ? "a lane calls an operation with a mask that does not name it: the mask has 32 lanes, the warp has 64; "
            "~0ull names them all"
          : "a lane calls an operation with a mask that does not name it");
  add(record, current, caller.warp->index, bit(caller.lane_id), WARPZ_LANE_RUNNING, at, mask);
  end_diverged(record, at);
}

void report_crash(const block& current, const execution& at, int signal_number, const void* address, bool forbidden) {
  warpz_finding& record = begin(current, WARPZ_CRASH);
  record.signal = static_cast<std::uint32_t>(signal_number);
  record.address = reinterpret_cast<std::uintptr_t>(address);
  const bool overflow = current.stacks().is_guard(address);
  const char* cause = "the kernel was stopped by a signal";
  switch (signal_number) {
    case SIGSEGV:
      cause = overflow    ? "a lane ran out of its stack: endless recursion, or local arrays over 250 KB"
              : forbidden ? "a lane ran past the end of a buffer, or wrote to an input"
                          : "a lane accessed an address that is not mapped";
      break;
    case SIGBUS:
      cause = "a lane accessed an address that has no memory behind it";
      break;
    case SIGFPE:
      cause = "a lane divided an integer by zero";
      break;
    case SIGILL:
      cause = "a lane executed an illegal instruction: a trap";
      break;
    case SIGABRT:
      cause = "the kernel called abort()";
      break;
    default:
      break;
  }
  copy_text(record.message, sizeof record.message, cause);
  add(record, current, at.self->warp->index, bit(at.self->lane_id), WARPZ_LANE_RUNNING, nowhere, 0);
  add_stack(record, at);
  end(record);
}

namespace {

/// Ends the process, after a record that says why the launch has taken too long.
[[noreturn]] void end_overdue(warpz_finding& record, const block& current, const execution& at) {
  add_block(record, current, at.self);
  add_stack(record, at);
  end(record);
}

}  // namespace

void report_no_progress(const block& current, const execution& at, double seconds) {
  warpz_finding& record = begin(current, WARPZ_NO_PROGRESS);
  std::snprintf(record.message, sizeof record.message, "the kernel made no progress for %g seconds (--timeout)",
                seconds);
  end_overdue(record, current, at);
}

void report_endless_wait(const execution& call, double seconds) {
  claim_composing();
  warpz_finding& record = *receiver.next_finding();
  std::memset(&record, 0, sizeof record);
  record.kind = WARPZ_NO_PROGRESS;
  std::snprintf(record.message, sizeof record.message,
                "a stream waits for a value that nobody has written for %g seconds (--timeout)", seconds);
  add_stack(record, call);
  end(record);
}

void report_time_limit(const block& current, const execution& at, double seconds) {
  warpz_finding& record = begin(current, WARPZ_NO_PROGRESS);
  std::snprintf(record.message, sizeof record.message,
                "the kernel made progress, but did not end within %g seconds (--time-limit)", seconds);
  end_overdue(record, current, at);
}

void report_too_many_waiting(const block& current, const execution& at, std::size_t blocks_alive) {
  warpz_finding& record = begin(current, WARPZ_NO_PROGRESS);
  std::snprintf(record.message, sizeof record.message,
                "%zu blocks wait at once, and the machine has no room for another one that could end their wait",
                blocks_alive);
  end_overdue(record, current, at);
}

void assertion_failed(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  const fiber& self = *static_cast<fiber*>(this_lane);
  const block& current = *self.warp->block;
  warpz_finding& record = begin(current, WARPZ_ASSERTION);
  std::snprintf(record.message, sizeof record.message, "%s: assertion `%s' does not hold", function, expression);
  add(record, current, self.warp->index, bit(self.lane_id), WARPZ_LANE_RUNNING, site{"assert", file, line}, 0);
  end(record);
}

void capture_stack(execution& target, std::uint64_t interrupted_at, std::uintptr_t end) {
  struct walk {
    execution* target;
    std::uint64_t skip_until;
    std::uintptr_t end;
  } state{&target, interrupted_at, end};
  target.frame_count = 0;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        walk& current = *static_cast<walk*>(data);
        if (current.end != 0 && _Unwind_GetCFA(context) >= current.end) return _URC_END_OF_STACK;
        int before_instruction = 0;
        std::uint64_t address = _Unwind_GetIPInfo(context, &before_instruction);
        if (current.skip_until != 0 && address != current.skip_until) return _URC_NO_REASON;
        current.skip_until = 0;
        // A return address lies behind the call; the line wanted is the call's.
        if (before_instruction == 0) --address;
        if (current.target->frame_count == WARPZ_FINDING_FRAMES) return _URC_END_OF_STACK;
        current.target->frames[current.target->frame_count++] = address;
        return _URC_NO_REASON;
      },
      &state);
  if (target.frame_count == 0 && interrupted_at != 0) target.frames[target.frame_count++] = interrupted_at;
}

}  // namespace simt
