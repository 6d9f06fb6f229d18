// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/async_races.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "simt/check/reports.hpp"
#include "simt/machine/findings.hpp"
#include "simt/machine/published_findings.hpp"

namespace simt::check {
namespace {

/// The later of the two accesses.
struct later_access {
  const char* who;  ///< "the host", "a kernel", "a copy", "a memset"
  bool is_release = false;
  bool is_written;
  std::uintptr_t address;
  const checked_access* lane = nullptr;  ///< of a kernel
  std::uint32_t graph = 0;               ///< as of ordered_work
};

const char* name_of(work_kind kind) { return kind == work_kind::fill ? "a memset" : "a copy"; }

/// "the host reads memory that a copy may still write".
void write_rule(char (&target)[512], const later_access& later, const unordered_access& earlier) {
  if (earlier.other != nullptr && earlier.other->kind == work_kind::allocation) {
    const char* const uses = later.is_written ? "writes" : "reads";
    std::snprintf(target, sizeof target, "%s memory that may not be allocated yet, as nothing orders the two",
                  later.is_release ? "a call frees" : (std::string(later.who) + " " + uses).c_str());
    return;
  }
  char other[128];
  if (earlier.launch != nullptr) {
    std::snprintf(other, sizeof other, "the kernel %.100s", earlier.launch->kernel.c_str());
  } else {
    std::snprintf(other, sizeof other, "%s", name_of(earlier.other->kind));
  }
  const char* const uses = earlier.wrote ? "write" : "read";
  if (later.is_release) {
    std::snprintf(target, sizeof target, "memory is freed that %s may still %s, as nothing orders the two", other,
                  uses);
    return;
  }
  const bool is_host = later.lane == nullptr && later.who[0] == 't';
  std::snprintf(target, sizeof target, "%s %s memory that %s may still %s, as nothing %s", later.who,
                later.is_written ? "writes" : "reads", other, uses, is_host ? "has waited for it" : "orders the two");
}

warpz::finding_identity identity_of(const later_access& later, const call_stack& call, const call_stack& given) {
  warpz::finding_identity identity;
  identity.kind = WARPZ_ASYNC_RACE;
  if (later.lane != nullptr) identity.add_party(later.lane->self.code());
  for (const call_stack* const each : {&call, &given}) {
    for (unsigned i = 0; i < each->count; ++i) identity.origin = identity.origin * 31 + each->frames[i];
  }
  return identity;
}

void add_lane(warpz_finding& record, const accessor& lane, std::size_t size, index3 grid, unsigned warp_size) {
  describe(record.groups[record.group_count++], lane, size, grid, warp_size);
}

void add_launch(warpz_finding& record, const past_launch& launch) {
  std::snprintf(record.kernel, sizeof record.kernel, "%s", launch.kernel.c_str());
  record.launch = launch.number;
  record.grid[0] = launch.grid.x;
  record.grid[1] = launch.grid.y;
  record.grid[2] = launch.grid.z;
  record.threads = launch.threads;
}

/// `call`: of the later access, or of the launch that it belongs to.
void publish(const later_access& later, const unordered_access& earlier, const call_stack& call) {
  const call_stack& given = earlier.launch != nullptr ? earlier.launch->call : earlier.other->call;
  const warpz::finding_identity identity = identity_of(later, call, given);
  if (count_repetition(identity) != nullptr) return;
  warpz_finding* const record = next_record(false);
  if (record == nullptr) return;
  record->kind = WARPZ_ASYNC_RACE;
  write_rule(record->message, later, earlier);
  record->frame_count = call.count;
  std::copy_n(call.frames, call.count, record->frames);
  std::copy_n(given.frames, given.count, record->given_at);
  record->earlier_work = earlier.launch != nullptr                      ? WARPZ_ASYNC_KERNEL
                         : earlier.other->kind == work_kind::fill       ? WARPZ_ASYNC_FILL
                         : earlier.other->kind == work_kind::allocation ? WARPZ_ASYNC_ALLOCATION
                                                                        : WARPZ_ASYNC_COPY;
  record->of_one_graph = later.graph != 0 && later.graph == earlier.graph() ? 1 : 0;
  if (earlier.launch != nullptr) add_launch(*record, *earlier.launch);
  if (later.lane != nullptr) {
    const past_launch& launch = *past_work::instance().running();
    add_launch(*record, launch);
    add_lane(*record, {later.lane->self, later.lane->kind}, later.lane->size, launch.grid, launch.warp_size);
  }
  if (earlier.launch != nullptr) {
    const bool is_atomic = is_atomic_code(earlier.lane.code());
    const access_kind kind = earlier.wrote ? (is_atomic ? access_kind::atomic_write : access_kind::write)
                                           : (is_atomic ? access_kind::atomic_read : access_kind::read);
    add_lane(*record, {earlier.lane, kind}, 0, earlier.launch->grid, earlier.launch->warp_size);
  }
  const region* const memory = region_table::common_around(later.address);
  if (memory != nullptr && memory->kind == WARPZ_MEMORY_ALLOCATION) {
    record->memory = memory->kind;
    record->offset = static_cast<std::int64_t>(later.address - memory->begin);
    record->length = memory->bytes;
    record->element_bytes = memory->element_bytes;
    add_history(*record, *memory);
  }
  current_sink().publish(record);
  published_findings().push_back({identity, record});
}

/// Whether accesses of the running launch to the region have to be watched.
bool has_unordered_use(const region& memory) {
  const past_work& past = past_work::instance();
  return past_work::has_users(memory, past_work::instance().ended()) ||
         past.conflict_with_others({memory.begin, memory.bytes, memory.bytes, 1}, true, past_work::instance().ended());
}

void add_user(region& memory, work_id launch) {
  const auto same = std::find_if(memory.users.begin(), memory.users.end(),
                                 [&](work_id each) { return each.timeline == launch.timeline; });
  if (same != memory.users.end()) {
    *same = launch;
  } else {
    memory.users.push_back(launch);
  }
}

}  // namespace

void async_races::begin_block(checked_block&, std::uint64_t) { launch_ = past_work::instance().launch_count(); }

void async_races::watch(checked_block& block, checked_access event) {
  region& memory = *event.memory;
  const past_launch* const launch = past_work::instance().running();
  if (launch == nullptr || memory.of_block) {
    memory.looked_at_by = launch_;
    return;
  }
  if (memory.watched_by != launch_) {
    const bool is_watched = has_unordered_use(memory);
    add_user(memory, launch->id);
    (is_watched ? memory.watched_by : memory.looked_at_by) = launch_;
    if (!is_watched) return;
  }
  check(block, event);
}

void async_races::check(const checked_block&, checked_access event) {
  past_work& past = past_work::instance();
  const bool is_written = writes(event.kind);
  const later_access later{"a kernel", false, is_written, event.address, &event, past.running()->graph};
  const auto tell = [&](const unordered_access& found) {
    publish(later, found, past.running()->call);
    // One finding for each pair of works.
    past.ended().join(found.id());
  };
  // An atomic that only reads may look at what a copy sets for it.
  if (event.kind != access_kind::atomic_read) {
    const row_range bytes{event.address, event.size, event.size, 1};
    if (const auto found = past.conflict_with_others(bytes, is_written, past.ended())) tell(*found);
  }
  std::optional<unordered_access> found;
  past.each_access(*event.memory, event.address, event.size, past.ended(), [&](const unordered_access& each) {
    const bool both_atomic = is_atomic(event.kind) && is_atomic_code(each.lane.code());
    // Kernels that run beside each other may hand over data by atomics.
    if (both_atomic && each.wrote) past.ended().join(each.id());
    if (!both_atomic && (each.wrote || is_written)) found = each;
    return found.has_value();
  });
  if (found) tell(*found);
}

void check_work(const row_range& bytes, bool is_written, work_kind kind) {
  past_work& past = past_work::instance();
  if (kind == work_kind::allocation) return past.add(bytes, is_written, kind);
  if (const auto found = past.conflict(bytes, is_written, current_work->before)) {
    call_stack call;
    capture_caller(call);
    publish({name_of(kind), kind == work_kind::release, is_written, found->address, nullptr, current_work->graph},
            *found, call);
  }
  if (kind != work_kind::release) past.add(bytes, is_written, kind);
}

namespace {

constexpr std::uintptr_t host_page_bytes = std::uintptr_t{1} << page_bits;

/// Pages that the host may access as it likes, as far as the work that has been given until then goes.
struct free_pages {
  static constexpr unsigned count = 64;
  std::uintptr_t page[count] = {};
  std::uint64_t work[count] = {};
};
thread_local free_pages known_free;

}  // namespace

bool is_free_for_host(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t page = address / host_page_bytes;
  if ((address + bytes - 1) / host_page_bytes != page) return false;
  const unsigned slot = page % free_pages::count;
  const std::uint64_t work = work_given.load(std::memory_order_relaxed);
  if (known_free.page[slot] == page && known_free.work[slot] == work) return true;
  const launch_pause no_launch = try_between_launches();
  // A kernel that runs now may wait for what the host is about to write.
  if (!no_launch.owns_lock()) return true;
  if (past_work::instance().conflict(page * host_page_bytes, host_page_bytes, true, past_work::instance().host()))
    return false;
  known_free.page[slot] = page;
  known_free.work[slot] = work;
  return true;
}

work_clock check_host(std::uintptr_t address, std::size_t bytes, bool is_written, const work_clock& host) {
  work_clock told;
  const launch_pause no_launch = try_between_launches();
  if (!no_launch.owns_lock()) return told;
  const auto found = past_work::instance().conflict(address, bytes, is_written, host);
  if (!found) return told;
  call_stack call;
  capture_caller(call);
  publish({"the host", false, is_written, found->address}, *found, call);
  told.join(found->id());
  return told;
}

work_clock seen_by_host(std::uintptr_t address, std::size_t bytes) {
  work_clock seen;
  const launch_pause no_launch = try_between_launches();
  const region* const memory = region_table::common_around(address);
  if (!no_launch.owns_lock() || memory == nullptr) return seen;
  past_work::instance().each_access(*memory, address, bytes, {}, [&](const unordered_access& each) {
    if (each.wrote) seen.join(each.id());
    return false;
  });
  return seen;
}

}  // namespace simt::check
