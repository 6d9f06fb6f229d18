// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/schedules.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "run/outcome.hpp"

namespace warpz {
namespace {

/// The first argument.
constexpr std::uint32_t output_argument = 0;

bool is_same_writer(const warpz_lane_group& a, const warpz_lane_group& b) {
  return std::equal(std::begin(a.block), std::end(a.block), b.block) && a.warp == b.warp && a.lanes == b.lanes &&
         a.code == b.code;
}

class tried_schedules {
 public:
  tried_schedules(session& on, const kernel_run& what, const kernel_result& first, const compare_outputs& differs)
      : on_(on), what_(what), again_(on, what, first), first_stopped_(first.stopped), differs_(differs) {}

  void add(std::uint64_t seed, std::vector<located_finding>& found) {
    if (!again_.possible()) return;
    warpz_variation vary{};
    vary.schedule = seed;
    const kernel_result ran = again_.run(vary, what_.timeout_seconds);
    for (const warpz_finding& each : ran.findings) add_unless_known(found, {each, ran.module_base, seed});
    if (first_stopped_ || ran.stopped || differs_by_itself_ || !again_.possible()) return;
    if (const auto at = first_different()) tell(seed, *at, found);
  }

 private:
  std::span<const float> first_output() const {
    const std::span<const std::byte> bytes = again_.first_written(output_argument);
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
  }
  std::span<const float> output() const { return as_floats(on_.buffer(what_.arguments[output_argument].buffer)); }
  std::optional<std::size_t> first_different() const { return differs_(first_output(), output()); }

  void tell(std::uint64_t seed, std::size_t index, std::vector<located_finding>& found) {
    const auto known = std::find_if(found.begin(), found.end(), [](const located_finding& each) {
      return each.record.kind == WARPZ_SCHEDULE_DEPENDENCE;
    });
    if (known != found.end()) {
      ++known->record.repeats;
      return;
    }
    located_finding made{{}, 0, seed};
    made.record.kind = WARPZ_SCHEDULE_DEPENDENCE;
    std::snprintf(made.record.kernel, sizeof made.record.kernel, "%s", what_.kernel.c_str());
    const std::uint64_t offset = index * sizeof(float);
    set_element(made.record,
                {output_argument, offset, first_output().size_bytes(),
                 std::bit_cast<std::uint32_t>(first_output()[index]), std::bit_cast<std::uint32_t>(output()[index])});
    // Who writes it last, in the one order and in the other.
    for (const std::uint64_t schedule : {std::uint64_t{0}, seed}) {
      warpz_variation vary{};
      vary.schedule = schedule;
      vary.asks_writer = 1;
      vary.argument = output_argument;
      vary.offset = offset;
      const kernel_result ran = again_.run(vary, what_.timeout_seconds);
      if (schedule == 0 && (ran.stopped || first_different())) {
        differs_by_itself_ = true;
        return;
      }
      if (ran.trace.last.group_count != 1) continue;
      if (made.module_base == 0) made.module_base = ran.module_base;
      warpz_lane_group writer = ran.trace.last.groups[0];
      if (writer.code != 0) writer.code += made.module_base - ran.module_base;
      if (made.record.group_count == 0 || !is_same_writer(made.record.groups[0], writer)) {
        made.record.groups[made.record.group_count++] = writer;
      }
    }
    found.push_back(made);
  }

  session& on_;
  const kernel_run& what_;
  reruns again_;
  const bool first_stopped_;
  const compare_outputs& differs_;
  bool differs_by_itself_ = false;  ///< also in one and the same order
};

}  // namespace

void try_schedules(session& on, const kernel_run& what, const kernel_result& first,
                   std::span<const std::uint64_t> seeds, const compare_outputs& differs,
                   std::vector<located_finding>& found) {
  tried_schedules tried(on, what, first, differs);
  for (const std::uint64_t seed : seeds) tried.add(seed, found);
}

}  // namespace warpz
