// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/counters/cost_counter.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "abi/settings.h"
#include "abi/text.h"
#include "simt/machine/findings.hpp"

namespace simt::counters {
namespace {

/// The most that a lane accesses by one instruction.
constexpr std::size_t max_bytes = 16;

/// Bytes of each instruction of a copy: the largest power of 2 that divides its size.
std::size_t part_bytes(std::size_t bytes) { return std::min(bytes & -bytes, max_bytes); }

bool is_atomic(access_form form) { return form >= access_form::atomic_read; }

/// "atomicAdd" and the like, where the lane's last scheduling point was one.
const char* atomic_operation(const fiber& running) {
  const char* const name = running.last.operation;
  return name != nullptr && std::strstr(name, "tomic") != nullptr ? name : nullptr;
}

/// On a GPU an atomic load or store is a load or store.
warpz_cost_kind kind_of_atomic(access_form form, const char* operation) {
  const std::string_view name = operation != nullptr ? operation : "";
  const bool is_known = !name.empty();
  if (form == access_form::atomic_read && (!is_known || name.find("load") != std::string_view::npos))
    return WARPZ_COST_LOAD;
  if (form == access_form::atomic_write && (!is_known || name.find("store") != std::string_view::npos))
    return WARPZ_COST_STORE;
  return WARPZ_COST_ATOMIC;
}

/// Whether it has more ways, or else a greater needed / fewest, than the row's worst instruction.
bool is_worse(const warpz_cost& row, const cost& one, unsigned serial) {
  if (row.worst_fewest == 0) return true;
  if (one.ways != row.worst_ways) return one.ways > row.worst_ways;
  const std::uint64_t a = std::uint64_t{one.needed} * row.worst_fewest;
  const std::uint64_t b = std::uint64_t{row.worst_needed} * one.fewest;
  return a != b ? a > b : serial > row.worst_serial;
}

std::uint64_t hash_of(const warpz_cost& row) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  const auto add = [&](const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 1099511628211U;
    }
  };
  for (const std::uint32_t each : {row.kernel, row.kind, row.is_shared, row.place.line}) add(&each, sizeof each);
  add(&row.code, sizeof row.code);
  add(row.place.operation, std::strlen(row.place.operation));
  add(row.place.file, std::strlen(row.place.file));
  return hash;
}

bool is_same_place(const warpz_cost& a, const warpz_cost& b) {
  return a.kernel == b.kernel && a.kind == b.kind && a.is_shared == b.is_shared && a.code == b.code &&
         a.place.line == b.place.line && std::strcmp(a.place.operation, b.place.operation) == 0 &&
         std::strcmp(a.place.file, b.place.file) == 0;
}

}  // namespace

void cost_counter::begin_block(const block& current, std::uint64_t number) {
  block_ = &current;
  record_ = static_cast<warpz_cost_record*>(current_settings().costs);
  if (record_ == nullptr) return;
  kernel_number_ = kernel_number(current.request().name);
  if (record_ == nullptr) return;
  kernel_->launches += number == 0 ? 1 : 0;
  ++kernel_->blocks;
  warps_.assign(current.warp_count(), warp_instructions(current.warp_size()));
  atomics_.assign(current.lane_count(), {});
  vectors_[0] = vectors_[1] = {};
}

void cost_counter::end_block() {
  for (warp_instructions& each : warps_) count_accesses(each);
  record_ = nullptr;
}

/// Where there are too many kernels, this block is not counted.
std::uint32_t cost_counter::kernel_number(const char* name) {
  char bounded_name[sizeof kernel_->name];
  warpz_copy_beginning(bounded_name, sizeof bounded_name, name);
  std::uint32_t number = 0;
  while (number < record_->kernel_count && std::strcmp(record_->kernels[number].name, bounded_name) != 0) ++number;
  if (number >= WARPZ_MAX_COST_KERNELS) {
    record_->left_out += block_->lane_count();
    record_ = nullptr;
    return 0;
  }
  kernel_ = &record_->kernels[number];
  if (number == record_->kernel_count) {
    std::memcpy(kernel_->name, bounded_name, sizeof bounded_name);
    record_->kernel_count = number + 1;
  }
  return number;
}

void cost_counter::begin_vector(const fiber& running, std::uint64_t address, std::uint64_t alignment, bool is_written) {
  const bool is_aligned = (address & (alignment - 1)) == 0;
  const auto bytes = static_cast<unsigned>(std::min<std::uint64_t>(alignment, max_bytes));
  vectors_[is_written ? 1 : 0] = {running.thread, address, is_aligned ? bytes : 0, {}};
}

/// Whether this is an element of the vector that the lane accesses, and not the first one.
bool cost_counter::continues_vector(const fiber& running, const lane_access& access, bool writes) {
  vector_access& vector = vectors_[writes ? 1 : 0];
  if (vector.bytes == 0 || vector.thread != running.thread || vector.first.place == nullptr) return false;
  if (access.address < vector.begin || access.address + access.bytes > vector.begin + vector.bytes) return false;
  warps_[running.warp->index].change(vector.first, running.lane_id, vector.begin, vector.bytes);
  return true;
}

/// Some atomics are made of a load and a compare-and-swap, which is a read and, if it succeeds, a write.
bool cost_counter::continues_atomic(const fiber& running, const lane_access& access) {
  last_atomic& last = atomics_[running.thread];
  const char* const operation = atomic_operation(running);
  const bool is_same_word =
      is_atomic(access.form) && last.is_last && last.address == access.address && last.form == access_form::atomic_read;
  const bool is_success = access.form == access_form::atomic_write && last.code == access.code;
  const bool is_swap = access.form == access_form::atomic_read && last.code != access.code && operation != nullptr &&
                       last.operation == operation && last.line == running.last.line;
  last = {access.form, access.address, access.code, operation, running.last.line, is_atomic(access.form)};
  return is_same_word && (is_success || is_swap);
}

void cost_counter::note(const fiber& running, const lane_access& access) {
  if (continues_atomic(running, access)) return;
  if (is_atomic(access.form)) {
    const char* const operation = atomic_operation(running);
    const warpz_cost_kind kind = kind_of_atomic(access.form, operation);
    note_part(running, access, {access.code, 0, access.form != access_form::atomic_read, access.is_shared}, kind,
              kind == WARPZ_COST_ATOMIC ? operation : nullptr);
    return;
  }
  for (const bool writes : {false, true}) {
    if (access.form == (writes ? access_form::read : access_form::write)) continue;
    if (continues_vector(running, access, writes)) continue;
    const std::size_t bytes = part_bytes(access.bytes);
    lane_access part = access;
    part.bytes = bytes;
    for (std::uint32_t i = 0; i < access.bytes / bytes; ++i, part.address += bytes) {
      note_part(running, part, {access.code, i, writes, access.is_shared}, writes ? WARPZ_COST_STORE : WARPZ_COST_LOAD,
                nullptr);
    }
  }
}

void cost_counter::note_part(const fiber& running, const lane_access& access, instruction_place place,
                             warpz_cost_kind kind, const char* operation) {
  const noted_access noted =
      warps_[running.warp->index].add(place, running.lane_id, access.address, static_cast<unsigned>(access.bytes));
  if (noted.place == nullptr) {
    ++record_->left_out;
    return;
  }
  noted.place->kind = kind;
  noted.place->operation = operation;
  vector_access& vector = vectors_[place.writes ? 1 : 0];
  if (vector.bytes != 0 && vector.thread == running.thread && access.address >= vector.begin &&
      access.address < vector.begin + vector.bytes)
    vector.first = noted;
}

void cost_counter::meet(const warp& current_warp, const pending_collective& met) {
  count_sync_point(WARPZ_COST_COLLECTIVE, met.at, met.arrived);
  // Lanes that are missing may be behind these, or may have run ahead to the end: what both do has not come from all.
  warp_instructions& since = warps_[current_warp.index];
  if (((current_warp.live() | since.lanes()) & ~met.arrived) == 0) count_accesses(since);
}

void cost_counter::pass_barrier() {
  for (unsigned w = 0; w < block_->warp_count(); ++w) {
    const warp& each = block_->warp_at(w);
    count_accesses(warps_[w]);
    if (each.at_barrier != 0)
      count_sync_point(WARPZ_COST_BARRIER, each.lanes[lowest(each.at_barrier)].last, each.at_barrier);
  }
}

void cost_counter::count_accesses(warp_instructions& instructions) {
  instructions.for_each([this](const instruction_place& place, const place_executions& executions,
                               const warp_access& access) { add_access(place, executions, access); });
  instructions.clear();
  vectors_[0] = vectors_[1] = {};
}

void cost_counter::add_access(const instruction_place& place, const place_executions& executions,
                              const warp_access& access) {
  warpz_cost like{};
  like.kernel = kernel_number_;
  like.kind = executions.kind;
  like.is_shared = place.is_shared ? 1 : 0;
  like.code = place.code;
  if (executions.operation != nullptr)
    warpz_copy_beginning(like.place.operation, sizeof like.place.operation, executions.operation);
  warpz_cost* const row = row_of(like);
  const auto lanes = static_cast<unsigned>(__builtin_popcountll(access.lanes));
  if (row == nullptr) {
    record_->left_out += lanes;
    return;
  }
  const cost one = place.is_shared ? shared_passes(access) : global_transactions(access);
  const unsigned serial = executions.kind == WARPZ_COST_ATOMIC ? lanes_on_one_address(access) : 0;
  row->bytes = std::max<std::uint32_t>(row->bytes, access.bytes);
  ++row->instructions;
  row->lanes += lanes;
  row->needed += one.needed;
  row->fewest += one.fewest;
  row->cache_lines += place.is_shared ? 0 : cache_lines(access);
  row->serial += serial;
  row->span += span(access);
  if (!is_worse(*row, one, serial)) return;
  row->worst_needed = one.needed;
  row->worst_ways = one.ways;
  row->worst_fewest = one.fewest;
  row->worst_serial = serial;
  row->worst_lanes = lanes;
  row->worst_stride = stride(access);
}

void cost_counter::count_sync_point(warpz_cost_kind kind, const site& at, lane_mask lanes) {
  warpz_cost like{};
  like.kernel = kernel_number_;
  like.kind = kind;
  copy_place(like.place, at, 0);
  warpz_cost* const row = row_of(like);
  if (row == nullptr) return;
  ++row->instructions;
  row->lanes += static_cast<unsigned>(__builtin_popcountll(lanes));
}

/// The row of this place, which is added if it is missing; null where there is no room.
warpz_cost* cost_counter::row_of(const warpz_cost& like) {
  const auto [known, is_new] = rows_.try_emplace(hash_of(like), 0);
  const std::uint32_t count = std::min<std::uint32_t>(record_->row_count, WARPZ_MAX_COST_ROWS);
  if (!is_new && known->second < count && is_same_place(record_->rows[known->second], like))
    return &record_->rows[known->second];
  // Another worker may have added it.
  const auto* const found =
      std::find_if(record_->rows, record_->rows + count, [&](const auto& each) { return is_same_place(each, like); });
  known->second = static_cast<std::uint32_t>(found - record_->rows);
  if (known->second == count) {
    if (count == WARPZ_MAX_COST_ROWS) return nullptr;
    record_->rows[count] = like;
    record_->row_count = count + 1;
  }
  return &record_->rows[known->second];
}

}  // namespace simt::counters
