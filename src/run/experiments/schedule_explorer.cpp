// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/schedule_explorer.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "findings/outcome.hpp"

namespace warpz {
namespace {

/// The first argument.
constexpr std::uint32_t output_argument = 0;

bool is_same_writer(const warpz_lane_group& a, const warpz_lane_group& b) {
  return std::equal(std::begin(a.block), std::end(a.block), b.block) && a.warp == b.warp && a.lanes == b.lanes &&
         a.code == b.code;
}

plan blocks_of(const kernel_run& what) {
  plan made;
  std::copy_n(what.grid, made.grid.size(), made.grid.begin());
  std::copy_n(what.block, made.block.size(), made.block.begin());
  return made;
}

class schedule_explorer {
 public:
  schedule_explorer(kernel_process& on, const kernel_run& what, const kernel_result& first, const schedule_rules& by)
      : on_(on),
        what_(what),
        first_blocks_(blocks_of(what)),
        again_(on, what, first),
        first_stopped_(first.stopped),
        by_(by) {}

  void add(std::uint64_t seed, std::vector<located_finding>& found) {
    add({WARPZ_SCHEDULE_DEPENDENCE, seed, seed, {}}, found);
    if (const std::optional<plan> blocks = by_.other_blocks(seed)) {
      add({WARPZ_BLOCK_SIZE_DEPENDENCE, seed, 0, blocks}, found);
    }
  }

 private:
  /// How one run differs from the first.
  struct difference {
    warpz_finding_kind shows;  ///< where its result does, too
    std::uint64_t seed;
    std::uint64_t order;         ///< 0: ascending
    std::optional<plan> blocks;  ///< nothing: those of the first run

    unsigned block_threads() const { return blocks ? blocks->block[0] : 0; }
  };

  void add(const difference& how, std::vector<located_finding>& found) {
    if (!again_.possible()) return;
    const kernel_result ran = run(how, {});
    for (const warpz_finding& each : ran.findings) {
      add_unless_known(found, {each, ran.module_base, how.seed, how.block_threads()});
    }
    if (first_stopped_ || ran.stopped || differs_by_itself_ || !again_.possible()) return;
    if (const auto at = first_different()) tell(how, *at, found);
  }

  kernel_result run(const difference& how, warpz_perturbation perturbation) {
    perturbation.schedule = how.order;
    again_.set_blocks(how.blocks.value_or(first_blocks_));
    return again_.run(perturbation, what_.settings.timeout_seconds);
  }

  std::span<const float> first_output() const {
    const std::span<const std::byte> bytes = again_.first_written(output_argument);
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
  }
  std::span<const float> output() const { return as_floats(on_.buffer(what_.arguments[output_argument].buffer)); }
  std::optional<std::size_t> first_different() const { return by_.differs(first_output(), output()); }

  void tell(const difference& how, std::size_t index, std::vector<located_finding>& found) {
    const auto known = std::find_if(found.begin(), found.end(),
                                    [&](const located_finding& each) { return each.record.kind == how.shows; });
    if (known != found.end()) {
      ++known->record.repeats;
      return;
    }
    located_finding made{{}, 0, how.seed, how.block_threads()};
    made.record.kind = how.shows;
    std::snprintf(made.record.kernel, sizeof made.record.kernel, "%s", what_.kernel.c_str());
    const std::uint64_t offset = index * sizeof(float);
    set_element(made.record,
                {output_argument, offset, first_output().size_bytes(),
                 std::bit_cast<std::uint32_t>(first_output()[index]), std::bit_cast<std::uint32_t>(output()[index])});
    // Who writes it last, in the first run and in the other.
    const difference none{};
    for (const difference* const each : {&none, &how}) {
      warpz_perturbation perturbation{};
      perturbation.asks_writer = 1;
      perturbation.argument = output_argument;
      perturbation.offset = offset;
      const kernel_result ran = run(*each, perturbation);
      if (each == &none && (ran.stopped || first_different())) {
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

  kernel_process& on_;
  const kernel_run& what_;
  const plan first_blocks_;
  kernel_replay again_;
  const bool first_stopped_;
  const schedule_rules& by_;
  bool differs_by_itself_ = false;  ///< also in one and the same order
};

}  // namespace

void explore_schedules(kernel_process& on, const kernel_run& what, const kernel_result& first,
                       std::span<const std::uint64_t> seeds, const schedule_rules& by,
                       std::vector<located_finding>& found) {
  schedule_explorer tried(on, what, first, by);
  for (const std::uint64_t seed : seeds) tried.add(seed, found);
}

}  // namespace warpz
