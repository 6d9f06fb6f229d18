// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/undefined_values.hpp"

#include <algorithm>
#include <cstdio>

#include "simt/check/launch_digest.hpp"
#include "simt/check/reports.hpp"
#include "simt/machine/findings.hpp"

namespace simt::check {
namespace {

/// A hash of texts and not of addresses, so that it is the same in every process.
std::uint64_t mark_of(const site& at) {
  using launch_digest::mixed;
  return mixed(mixed(at.line, at.file), at.operation);
}

/// The bits of a value that has none.
std::uint64_t ordinary_bits() { return ~current_settings().perturbation.undefined; }

/// What `event` of its block has in place of the ordinary value.
std::uint64_t poison_of(std::uint32_t event, std::uint64_t ordinary, const undefined_values::candidates& own) {
  const warpz_perturbation& perturbation = current_settings().perturbation;
  if (const std::uint32_t number = perturbation.compared; number != 0) {
    const bool has_one = own.compared != nullptr && number <= own.compared[0];
    return has_one ? own.compared[number] : ordinary;
  }
  if (perturbation.takes_own != 0 && own.of_lane != nullptr) return *own.of_lane;
  constexpr std::uint32_t different_events = 64;
  // Each of the numbers below that once. Those of some lanes would cancel out in an exclusive or if they were in order.
  const std::uint64_t number = std::uint64_t{event} * (event + std::uint64_t{1}) / 2 % different_events;
  return ~perturbation.poison ^ number * perturbation.spread;
}

}  // namespace

void undefined_values::begin_block(checked_block& block, std::uint64_t number) {
  block_ = block.current;
  number_ = launch_digest::block_number(number);
  events_ = 0;
}

/// The next undefined value, `ordinary` unless it is varied. `mark_of_place` is called only if needed: it takes longer
/// than all the rest.
template <class Mark>
undefined_values::event_value undefined_values::next_event(std::uint64_t ordinary, const Mark& mark_of_place,
                                                           const candidates& own) {
  const warpz_perturbation& perturbation = current_settings().perturbation;
  warpz_digest& digest = launch_digest::current();
  const std::uint32_t event = events_++;
  ++digest.events;
  digest.max_events = std::max(digest.max_events, events_);
  if (own.compared != nullptr)
    digest.max_compared = std::max(digest.max_compared, static_cast<std::uint32_t>(own.compared[0]));
  const bool is_perturbed =
      number_ < perturbation.block || (number_ == perturbation.block && event < perturbation.event);
  if (!is_perturbed) return {ordinary, false};
  const std::uint64_t poison = poison_of(event, ordinary, own);
  const bool is_last = number_ == perturbation.block && event + 1 == perturbation.event;
  if (perturbation.left_out_count == 0 && !is_last) return {poison, false};
  const std::uint64_t mark = mark_of_place();
  const std::uint64_t* const end =
      perturbation.left_out + std::min<std::uint32_t>(perturbation.left_out_count, WARPZ_MAX_PLACES_LEFT_OUT);
  if (std::find(perturbation.left_out, end, mark) != end) return {ordinary, false};
  if (is_last) {
    digest.mark = mark;
    digest.last.kind = WARPZ_UNDEFINED_LANE_VALUE;
    copy_launch(digest.last, *block_);
  }
  return {poison, is_last};
}

std::uint64_t undefined_values::result(unsigned lane, unsigned source, std::uint64_t own) {
  const event_value value = next_event(ordinary_bits(), [this] { return mark_of(met_->at); }, {&own, nullptr});
  if (value.is_last) {
    warpz_finding& record = launch_digest::current().last;
    const std::uint32_t first = warp_->index * block_->warp_size();
    copy_place(add_lane(record, *block_, first + lane, WARPZ_LANE_TOOK).place, *met_);
    const lane_mask from = bit(source);
    add_lane(record, *block_, first + source,
             (warp_->present & from) == 0                       ? WARPZ_LANE_ABSENT
             : met_->wanted == 0 && (warp_->exited & from) == 0 ? WARPZ_LANE_ELSEWHERE
             : met_->wanted != 0 && (met_->named & from) == 0   ? WARPZ_LANE_NOT_NAMED
                                                                : WARPZ_LANE_EXITED);
  }
  return value.bits;
}

std::uint64_t undefined_values::result_beyond(unsigned lane, const lane_request& request, bool by_all,
                                              std::uint64_t word) {
  const event_value value = next_event(word, [this] { return launch_digest::mixed(mark_of(met_->at), "beyond"); }, {});
  if (value.is_last) {
    warpz_finding& record = launch_digest::current().last;
    record.kind = WARPZ_MISUSED_OPERATION;
    // Lanes that ask for lanes of their own may mean to count modulo the width, which CUDA defines.
    const bool is_of_nobody = by_all && request.beyond == excess::lane && request.asked < 0;
    record.severity = is_of_nobody ? WARPZ_ERROR : WARPZ_WARNING;
    const unsigned width = request.width;
    if (request.beyond == excess::distance) {
      std::snprintf(
          record.message, sizeof record.message,
          "a lane reads over a distance of %d lanes, gets its own value and uses it: its segment has %u lanes",
          request.asked, width);
    } else {
      std::snprintf(record.message, sizeof record.message,
                    "a lane reads lane %d, gets the value of lane %u and uses it: its segment has lanes 0 to %u",
                    request.asked, request.lane % width, width - 1);
    }
    const std::uint32_t first = warp_->index * block_->warp_size();
    copy_place(add_lane(record, *block_, first + lane, WARPZ_LANE_RUNNING).place, *met_);
  }
  return value.bits;
}

std::uint64_t undefined_values::variable(std::uint32_t thread, std::uint64_t mark, const std::uint64_t* compared,
                                         const void* code, const char* operation) {
  const event_value value = next_event(ordinary_bits(), [mark] { return mark; }, {nullptr, compared});
  if (value.is_last) {
    warpz_finding& record = launch_digest::current().last;
    std::snprintf(record.message, sizeof record.message, "%s",
                  operation == nullptr ? "a lane uses a variable that was never set"
                                       : "a lane uses memory that it has allocated and never written");
    warpz_lane_group& group = add_lane(record, *block_, thread, WARPZ_LANE_NEVER_SET);
    group.code = reinterpret_cast<std::uintptr_t>(code) - 1;
    if (operation != nullptr) copy_place(group.place, {operation, "", 0}, 0);
  }
  return value.bits;
}

}  // namespace simt::check
