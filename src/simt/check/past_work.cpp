// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/past_work.hpp"

#include <algorithm>

#include "simt/check/reports.hpp"

namespace simt::check {
namespace {

/// More work that the host has not waited for is rare. What is oldest is forgotten first.
constexpr std::size_t max_launches = 16384, max_accesses = 1024;

template <class Entry>
void limit(std::vector<Entry>& all, std::size_t most) {
  if (all.size() >= most) all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most / 2));
}

bool is_same_use(const past_access& a, const past_access& b) {
  return a.id.timeline == b.id.timeline && a.is_written == b.is_written && a.bytes.begin == b.bytes.begin &&
         a.bytes.bytes == b.bytes.bytes && a.bytes.pitch == b.bytes.pitch && a.bytes.rows == b.bytes.rows;
}

}  // namespace

past_work& past_work::instance() {
  static auto* const only = new past_work;
  return *only;
}

void past_work::begin_launch(const launch_request& request, unsigned warp_size) {
  running_ = nullptr;
  ++launch_count_;
  if (request.work == nullptr) return;
  limit(launches_, max_launches);
  ended_ = request.work->before;
  launches_.push_back({begin_of_launch(),
                       request.work->id,
                       request.name,
                       request.number,
                       request.grid,
                       request.block.x * request.block.y * request.block.z,
                       warp_size,
                       request.work->graph,
                       {}});
  capture_caller(launches_.back().call);
  running_ = &launches_.back();
}

void past_work::add(const row_range& bytes, bool is_written, work_kind kind) {
  past_access added{bytes, is_written, current_work->id, kind, current_work->graph, {}};
  capture_caller(added.call);
  // What comes behind the later one comes behind both.
  const auto same = std::find_if(accesses_.begin(), accesses_.end(),
                                 [&](const past_access& each) { return is_same_use(each, added); });
  if (same != accesses_.end()) {
    *same = added;
    return;
  }
  limit(accesses_, max_accesses);
  accesses_.push_back(added);
}

void past_work::forget_memory(std::uintptr_t begin, std::size_t bytes) {
  const auto is_there = [&](const past_access& each) { return each.bytes.touches(begin, bytes); };
  accesses_.erase(std::remove_if(accesses_.begin(), accesses_.end(), is_there), accesses_.end());
}

void past_work::forget(const work_clock& host) {
  host_ = host;
  const auto has_ended = [&](const past_access& each) { return host.covers(each.id); };
  accesses_.erase(std::remove_if(accesses_.begin(), accesses_.end(), has_ended), accesses_.end());
}

bool past_work::has_users(const region& memory, const work_clock& ended) {
  return std::any_of(memory.users.begin(), memory.users.end(), [&](work_id each) { return !ended.covers(each); });
}

std::optional<unordered_access> past_work::conflict_with_others(const row_range& bytes, bool is_written,
                                                                const work_clock& ended) const {
  std::optional<unordered_access> allocated;
  for (const past_access& each : accesses_) {
    if (!(each.is_written || is_written) || !each.bytes.touches(bytes) || ended.covers(each.id)) continue;
    const unordered_access found{nullptr, {}, &each, each.is_written, std::max(each.bytes.begin, bytes.begin)};
    if (each.kind != work_kind::allocation) return found;
    allocated = found;
  }
  return allocated;
}

namespace {

/// Whether it tells more than that the memory may not be there yet.
bool is_use(const std::optional<unordered_access>& found) {
  return found && found->other->kind != work_kind::allocation;
}

}  // namespace

std::optional<unordered_access> past_work::conflict(std::uintptr_t address, std::size_t size, bool is_written,
                                                    const work_clock& ended) const {
  std::optional<unordered_access> found = conflict_with_others({address, size, size, 1}, is_written, ended);
  const region* const memory = region_table::common_around(address);
  if (is_use(found) || memory == nullptr || !has_users(*memory, ended)) return found;
  each_access(*memory, address, size, ended, [&](const unordered_access& each) {
    // A lane that only looks by an atomic may wait for this write.
    const bool is_look = !each.wrote && is_atomic_code(each.lane.code());
    const bool conflicts = each.wrote || (is_written && !is_look);
    if (conflicts) found = each;
    return conflicts;
  });
  return found;
}

std::optional<unordered_access> past_work::conflict(const row_range& bytes, bool is_written,
                                                    const work_clock& ended) const {
  std::optional<unordered_access> found = conflict_with_others(bytes, is_written, ended);
  const region* const memory = region_table::common_around(bytes.begin);
  if (is_use(found) || memory == nullptr || !has_users(*memory, ended)) return found;
  for (std::size_t row = 0; row < bytes.rows; ++row) {
    const auto in_row = conflict(bytes.begin + row * bytes.pitch, bytes.bytes, is_written, ended);
    if (in_row && (in_row->launch != nullptr || is_use(in_row))) return in_row;
  }
  return found;
}

const past_launch* past_work::launch_at(timestamp time) const {
  if (!launches_.empty() && time >= launches_.back().begin) return &launches_.back();
  const auto after = std::upper_bound(launches_.begin(), launches_.end(), time,
                                      [](timestamp key, const past_launch& each) { return key < each.begin; });
  return after == launches_.begin() ? nullptr : &*std::prev(after);
}

}  // namespace simt::check
