// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/kernel_replay.hpp"

#include <algorithm>
#include <cstring>

#include "findings/outcome.hpp"

namespace warpz {
namespace {

bool is_written(const kernel_argument& argument) {
  return argument.kind == WARPZ_OUTPUT || argument.kind == WARPZ_STATE;
}

bool same_group(const warpz_lane_group& a, const warpz_lane_group& b) {
  return std::equal(std::begin(a.block), std::end(a.block), b.block) && a.warp == b.warp && a.lanes == b.lanes &&
         a.state == b.state && a.place.line == b.place.line;
}

}  // namespace

bool same_stop(std::span<const warpz_finding> a, std::span<const warpz_finding> b) {
  if (a.empty() || b.empty()) return a.empty() == b.empty();
  const warpz_finding &one = a.back(), &other = b.back();
  if (one.kind != other.kind) return false;
  if (one.kind == WARPZ_NO_PROGRESS) return true;
  const std::uint32_t groups = std::min<std::uint32_t>(one.group_count, WARPZ_FINDING_GROUPS);
  return one.group_count == other.group_count && std::equal(one.groups, one.groups + groups, other.groups, same_group);
}

void set_element(warpz_finding& of, const data_difference& where) {
  of.memory = WARPZ_MEMORY_ARGUMENT;
  of.argument = where.argument;
  of.offset = static_cast<std::int64_t>(where.offset);
  of.length = where.length;
  of.values[0] = where.first;
  of.values[1] = where.other;
  of.has_values = 1;
}

kernel_replay::kernel_replay(kernel_process& on, const kernel_run& what, const kernel_result& first)
    : on_(on), what_(what), first_(first.stopped ? data() : written()), compared_(first) {
  what_.quiet = true;
}

kernel_replay::~kernel_replay() {
  if (!possible()) return;
  for (std::size_t i = 0; i < first_.size(); ++i) {
    if (!first_[i].empty())
      std::copy(first_[i].begin(), first_[i].end(), on_.buffer(what_.arguments[i].buffer).begin());
  }
}

kernel_replay::data kernel_replay::written() const {
  data copied(what_.arguments.size());
  for (std::size_t i = 0; i < copied.size(); ++i) {
    if (!is_written(what_.arguments[i])) continue;
    const auto now = on_.buffer(what_.arguments[i].buffer);
    copied[i].assign(now.begin(), now.end());
  }
  return copied;
}

void kernel_replay::compare_with(const kernel_result& last) {
  compared_ = last;
  other_ = last.stopped ? data() : written();
}

bool kernel_replay::possible() const { return on_.buffers_are_whole(); }

void kernel_replay::set_blocks(const plan& from) {
  std::copy(from.grid.begin(), from.grid.end(), what_.grid);
  std::copy(from.block.begin(), from.block.end(), what_.block);
}

kernel_result kernel_replay::run(const warpz_perturbation& perturbation, double timeout_seconds) {
  if (what_.told_rerun) what_.told_rerun();
  reset();
  on_.restart();
  what_.settings.perturbation = perturbation;
  what_.settings.timeout_seconds = timeout_seconds;
  return on_.run(what_);
}

/// The module itself clears a state.
void kernel_replay::reset() {
  for (const kernel_argument& each : what_.arguments) {
    if (each.kind == WARPZ_OUTPUT) fill_never_written(as_floats(on_.buffer(each.buffer)));
  }
}

bool kernel_replay::is_same(const kernel_result& last) const {
  if (compared_.stopped || last.stopped) {
    return compared_.stopped == last.stopped && same_stop(compared_.findings, last.findings);
  }
  return !difference();
}

std::optional<data_difference> kernel_replay::difference() const {
  const data& all = other_ ? *other_ : first_;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::vector<std::byte>& before = all[i];
    if (before.empty()) continue;
    const auto now = on_.buffer(what_.arguments[i].buffer);
    const auto at =
        static_cast<std::size_t>(std::mismatch(before.begin(), before.end(), now.begin()).first - before.begin());
    if (at == before.size()) continue;
    data_difference found{i, at / 4 * 4, before.size(), 0, 0};
    std::memcpy(&found.first, &before[found.offset], sizeof found.first);
    std::memcpy(&found.other, &now[found.offset], sizeof found.other);
    return found;
  }
  return {};
}

}  // namespace warpz
