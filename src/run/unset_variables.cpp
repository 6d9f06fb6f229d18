// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/unset_variables.hpp"

#include <cstdio>

namespace warpz {

std::optional<located_finding> find_unset_variable(session& on, const kernel_run& what, const kernel_result& first) {
  if (!on.has_twin()) return {};
  reruns again(on, what, first);
  if (!again.possible()) return {};
  const double timeout = what.timeout_seconds;
  const kernel_result twin = again.run_twin({}, timeout);
  if (again.is_same(twin)) return {};
  // Does the kernel differ by itself? Then nothing can be said.
  if (!again.is_same(again.run({}, timeout)) || again.is_same(again.run_twin({}, timeout))) return {};
  std::optional<data_difference> where;
  if (!first.stopped && !twin.stopped) where = again.difference();

  warpz_variation vary{};
  vary.tracing = WARPZ_TRACE_RECORD_VALUES;
  kernel_result ran = again.run(vary, timeout);
  vary.tracing = WARPZ_TRACE_COMPARE_VALUES;
  ran = again.run_twin(vary, timeout);
  if (ran.trace.last.group_count == 0 && where) {
    vary = {};
    vary.asks_writer = 1;
    vary.argument = where->argument;
    vary.offset = where->offset;
    ran = again.run(vary, timeout);
  }
  located_finding found{ran.trace.last, ran.module_base};
  found.record.kind = WARPZ_UNDEFINED_LANE_VALUE;
  std::snprintf(found.record.kernel, sizeof found.record.kernel, "%s", what.kernel.c_str());
  std::snprintf(found.record.message, sizeof found.record.message, "a lane uses a variable that was never set");
  if (where) set_element(found.record, *where);
  return found;
}

}  // namespace warpz
