// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/kernel_replay.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "abi/text.h"
#include "puzzle/comparison.hpp"

namespace warpz {
namespace {

constexpr std::uint32_t output_argument = 0;

bool may_be_written(const kernel_argument& argument) {
  return argument.kind == WARPZ_OUTPUT || argument.kind == WARPZ_STATE;
}

bool is_same_writer(const warpz_lane_group& a, const warpz_lane_group& b) {
  return std::equal(std::begin(a.block), std::end(a.block), b.block) && a.warp == b.warp && a.lanes == b.lanes &&
         a.code == b.code;
}

}  // namespace

kernel_replay::kernel_replay(kernel_process& process, const kernel_run& run, const kernel_result& first,
                             const replay_callbacks& callbacks)
    : process_(process), first_run_(run), callbacks_(callbacks), baseline_record_(first) {}

kernel_replay::~kernel_replay() {
  if (!first_ || !possible()) return;
  for (std::size_t i = 0; i < first_->size(); ++i) {
    const std::vector<std::byte>& content = (*first_)[i];
    if (!content.empty()) {
      std::copy(content.begin(), content.end(), process_.buffer(first_run_.arguments[i].buffer).begin());
    }
  }
}

bool kernel_replay::possible() const { return process_.can_restart(); }

kernel_replay::data kernel_replay::written() const {
  data copied(first_run_.arguments.size());
  for (std::size_t i = 0; i < copied.size(); ++i) {
    if (!may_be_written(first_run_.arguments[i])) continue;
    const auto content = process_.buffer(first_run_.arguments[i].buffer);
    copied[i].assign(content.begin(), content.end());
  }
  return copied;
}

/// A state is not reset here: the module clears it before each launch.
void kernel_replay::reset_outputs() {
  for (const kernel_argument& each : first_run_.arguments) {
    if (each.kind == WARPZ_OUTPUT) fill_never_written(as_floats(process_.buffer(each.buffer)));
  }
}

const run_record& kernel_replay::run(const variation& varied) {
  if (callbacks_.on_rerun) callbacks_.on_rerun();
  if (!first_) first_ = baseline_record_.stopped ? data() : written();
  reset_outputs();
  // Of others only an instrumented kernel is known to have changed nothing but its variables.
  if (process_.has_own_kernels() || first_run_.settings.check == WARPZ_CHECK_ALL) {
    process_.renew();
  } else {
    process_.restart();
  }
  kernel_run again = first_run_;
  again.quiet = true;
  again.settings.perturbation = varied.perturbation;
  if (varied.rules) again.settings.rules = *varied.rules;
  if (varied.timeout_seconds) again.settings.timeout_seconds = *varied.timeout_seconds;
  if (varied.blocks) {
    std::copy(varied.blocks->grid.begin(), varied.blocks->grid.end(), again.grid);
    std::copy(varied.blocks->block.begin(), varied.blocks->block.end(), again.block);
  }
  vary_inputs(varied.perturbation.inputs);
  last_ = process_.run(again);
  // The same once more restores them.
  last_.digest.inputs += vary_inputs(varied.perturbation.inputs);
  return last_;
}

/// Changes the lowest bit of every second word of what the kernel only reads, or of those between, or two bits of all
/// of them; 0: of none. Returns the number of words.
std::uint64_t kernel_replay::vary_inputs(std::uint64_t seed) {
  std::uint64_t count = 0;
  const bool is_wide = seed >= warpz_wide_inputs;
  const std::size_t begin = is_wide ? 0 : seed % 2 * 4, step = is_wide ? 4 : 8;
  for (const kernel_argument& each : first_run_.arguments) {
    if (seed == 0 || each.kind != WARPZ_INPUT) continue;
    const auto content = process_.buffer(each.buffer);
    for (std::size_t at = begin; at + 4 <= content.size(); at += step, ++count) {
      const std::size_t mixed = (at / 4 + seed) * 0x9e3779b97f4a7c15U >> 62;
      content[at] ^= is_wide ? static_cast<std::byte>(mixed) : std::byte{1};
    }
  }
  return count;
}

void kernel_replay::set_baseline() {
  baseline_record_ = last_;
  baseline_ = last_.stopped ? data() : written();
}

bool kernel_replay::is_same() const {
  if (baseline_record_.stopped || last_.stopped) {
    return baseline_record_.stopped == last_.stopped && same_stop(baseline_record_.findings, last_.findings);
  }
  return !difference();
}

std::optional<kernel_replay::different_word> kernel_replay::difference() const {
  const data& baseline = baseline_ ? *baseline_ : *first_;
  for (std::uint32_t i = 0; i < baseline.size(); ++i) {
    const std::vector<std::byte>& before = baseline[i];
    if (before.empty()) continue;
    const auto now = process_.buffer(first_run_.arguments[i].buffer);
    const auto at =
        static_cast<std::size_t>(std::mismatch(before.begin(), before.end(), now.begin()).first - before.begin());
    if (at == before.size()) continue;
    different_word word{i, at / 4 * 4, before.size(), 0, 0};
    std::memcpy(&word.first, &before[word.offset], sizeof word.first);
    std::memcpy(&word.other, &now[word.offset], sizeof word.other);
    return word;
  }
  return {};
}

void kernel_replay::set_element(warpz_finding& finding, const different_word& word) {
  finding.memory = WARPZ_MEMORY_ARGUMENT;
  finding.argument = word.argument;
  finding.offset = static_cast<std::int64_t>(word.offset);
  finding.length = word.length;
  finding.values[0] = word.first;
  finding.values[1] = word.other;
  finding.has_values = 1;
}

void kernel_replay::describe_difference(symbolized_finding& finding) const {
  if (const std::optional<different_word> word = difference()) set_element(finding.record, *word);
}

std::span<const float> kernel_replay::first_output() const {
  const std::vector<std::byte>& bytes = (*first_)[output_argument];
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

std::span<const float> kernel_replay::output() const {
  return as_floats(process_.buffer(first_run_.arguments[output_argument].buffer));
}

std::optional<std::size_t> kernel_replay::different_element() const {
  return callbacks_.first_different(first_output(), output());
}

bool kernel_replay::has_other_result() const { return !differs_by_itself_ && possible() && different_element(); }

bool kernel_replay::confirm(const variation& varied, symbolized_finding& finding) {
  const std::size_t index = *different_element();
  const std::uint64_t offset = index * sizeof(float);
  set_element(finding.record,
              {output_argument, offset, first_output().size_bytes(),
               std::bit_cast<std::uint32_t>(first_output()[index]), std::bit_cast<std::uint32_t>(output()[index])});
  warpz_copy_beginning(finding.record.kernel, sizeof finding.record.kernel, first_run_.kernel.name.c_str());
  add_writer({}, offset, finding);
  if (last_.stopped || different_element()) {
    differs_by_itself_ = true;
    return false;
  }
  add_writer(varied, offset, finding);
  return true;
}

/// Adds the lanes that write this element of the output last, in a run with this variation.
void kernel_replay::add_writer(variation varied, std::uint64_t offset, symbolized_finding& finding) {
  varied.perturbation.asks_writer = 1;
  varied.perturbation.argument = output_argument;
  varied.perturbation.offset = offset;
  const run_record& ran = run(varied);
  if (ran.digest.last.group_count != 1) return;
  if (finding.module_base == 0) finding.module_base = ran.module_base;
  warpz_lane_group writer = ran.digest.last.groups[0];
  if (writer.code != 0) writer.code += finding.module_base - ran.module_base;
  warpz_finding& record = finding.record;
  if (record.group_count == 0 || !is_same_writer(record.groups[0], writer)) {
    record.groups[record.group_count++] = writer;
  }
}

}  // namespace warpz
