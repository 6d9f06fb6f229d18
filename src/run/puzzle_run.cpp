// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/puzzle_run.hpp"

#include <span>

#include "puzzle/parts.hpp"
#include "puzzle/patterns.hpp"
#include "run/judgement.hpp"

namespace warpz {
namespace {

judged_run run_once(const puzzle& task, const run_request& request, const chosen_device& on) {
  on.kernels->renew();
  const prepared_run prepared = prepare(task, request, on);
  execution executed = execute(*on.kernels, prepared, request);
  judged_run judged{judge(prepared, executed, request, *on.kernels), std::move(executed.traced)};
  if (judged.traced) {
    // A trace in another order may have other results than the outcome.
    if (judged.traced->schedule == 0) add_wrong_elements(*judged.traced, judged.outcome);
    add_findings(*judged.traced, judged.outcome, request.trace->explained);
    add_sources(*judged.traced, std::span(&judged.outcome.source, 1));
  }
  return judged;
}

run_request with_exact_sums(run_request request, std::size_t size) {
  request.given = {};
  request.size = size;
  request.input = {input_source::kind::pattern, std::string(whole_pattern)};
  request.schedules.clear();
  request.is_silent = true;
  return request;
}

shared_numbers copy_of(const shared_numbers& numbers) {
  large_array copy(numbers.size());
  copy_in_parts(numbers.all(), copy.all());
  return copy.shared();
}

}  // namespace

judged_run run_puzzle(const puzzle& task, const run_request& request, const chosen_device& on) {
  judged_run rounded = run_once(task, request, on);
  if (!rounded.outcome.rests_on_rounding) return rounded;
  // The output is one of the kernel's buffers, which would all be kept during the next run.
  rounded.outcome.output = copy_of(rounded.outcome.output);
  if (request.on_rerun) request.on_rerun();
  judged_run exact = run_once(task, with_exact_sums(request, rounded.outcome.size), on);
  if (exact.outcome.result == verdict::passed) return rounded;
  exact.outcome.judged = case_kind::exact;
  return exact;
}

}  // namespace warpz
