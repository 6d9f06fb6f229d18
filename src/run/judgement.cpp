// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/judgement.hpp"

#include <algorithm>

#include "abi/text.h"
#include "findings/accessed_memory.hpp"
#include "puzzle/comparison.hpp"
#include "source/repairs.hpp"

namespace warpz {
namespace {

/// Puts the findings into words. Returns whether they fail the run.
bool add_findings(puzzle_outcome& result, const execution& executed, const run_request& request,
                  const kernel_process& kernels) {
  const puzzle& task = *result.puzzle;
  const kernel_result& ran = executed.ran;
  std::vector<symbolized_finding> found = executed.found;
  finding_filter filter(request.findings);
  filter.leave_out(ran.findings_left_out);
  bool is_shown = false;
  const auto last = std::find_if(found.rbegin(), found.rend(), [](const symbolized_finding& each) {
    return each.schedule == 0;  // findings in other orders come after it
  });
  for (symbolized_finding& each : found) {
    const warpz_finding& record = each.record;
    // A puzzle shows what does no harm: an error beside it is the kernel's own.
    const bool is_expected = task.expected_finding != 0 && record.kind == task.expected_finding &&
                             record.severity == WARPZ_WARNING && !ran.stopped;
    // The order decides who wins a race.
    const bool follows = task.expected_finding == WARPZ_DATA_RACE && record.kind == WARPZ_SCHEDULE_DEPENDENCE;
    is_shown = is_shown || is_expected;
    symbolize(each, code_of(kernels, each.module_base), {signature_of(task), kernels.elements()});
    filter.add(each, {ran.stopped && &each == &*last, is_expected || follows});
  }
  const bool is_checked = result.on_cpu_machine && request.settings.check == WARPZ_CHECK_ALL;
  if (is_checked && task.expected_finding != 0 && !is_shown && !ran.stopped) {
    symbolized_finding missing{};
    missing.record.kind = WARPZ_NOT_SHOWN;
    warpz_copy_beginning(missing.record.kernel, sizeof missing.record.kernel, result.kernel.c_str());
    filter.add(std::move(missing));
  }
  result.findings = filter.take();
  add_repairs(result.findings, code_of(kernels, 0), result.warp_size);
  result.findings_left_out = filter.left_out;
  return filter.fail || ran.stopped;
}

void judge_output(puzzle_outcome& result, const execution& executed) {
  result.output = executed.output;
  result.path = executed.path;
  const std::vector<float>& times = executed.ran.milliseconds;
  result.milliseconds = times.empty() ? 0 : static_cast<double>(times.front());
  comparison compared =
      compare(*result.puzzle, result.inputs.all(), result.output.all(), result.expected.all(), parameters_of(result));
  result.mismatch_count = compared.mismatch_count;
  result.first_mismatches = std::move(compared.first);
  if (result.mismatch_count != 0) result.result = verdict::wrong_result;
  result.rests_on_rounding = compared.rests_on_rounding && result.mismatch_count == 0;
}

}  // namespace

puzzle_outcome judge(const prepared_run& prepared, const execution& executed, const run_request& request,
                     const kernel_process& kernels) {
  puzzle_outcome result = prepared.outcome;
  result.has_undefined_values = executed.ran.digest.events != 0;
  result.costs = executed.costs;
  if (add_findings(result, executed, request, kernels)) {
    result.result = verdict::broken_rule;
  } else {
    judge_output(result, executed);
  }
  return result;
}

}  // namespace warpz
