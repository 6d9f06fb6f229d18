// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nlohmann/json.hpp>

#include "counters/advice.hpp"
#include "counters/text.hpp"
#include "counters/totals.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

template <class Value>
json or_null(bool known, Value value) {
  return known ? json(value) : json();
}

json line_json(const line_cost& line, unsigned warp_size) {
  const std::string advice = advice_on(line, warp_size);
  const bool is_access = line.is_access();
  return {{"file", or_null(!line.file.empty(), line.file)},
          {"line", or_null(line.line != 0, line.line)},
          {"code", or_null(!line.code.empty(), line.code)},
          {"kind", name_of(line.kind)},
          {"operation", or_null(!line.operation.empty(), line.operation)},
          {"memory", or_null(is_access, line.is_shared ? "shared" : "global")},
          {"bytes", or_null(is_access, line.bytes)},
          {"instructions", line.instructions},
          {"lanes", line.lanes},
          {"needed", or_null(is_access, line.needed)},
          {"fewest", or_null(is_access, line.fewest)},
          {"cache_lines", or_null(is_access && !line.is_shared, line.cache_lines)},
          {"serial", or_null(line.kind == WARPZ_COST_ATOMIC, line.serial)},
          {"advice", or_null(!advice.empty(), advice)}};
}

json total_json(const total_costs& total) {
  return {{"shared", {{"passes", total.shared.passes}, {"fewest", total.shared.fewest}}},
          {"global",
           {{"transactions", total.global.transactions},
            {"fewest", total.global.fewest},
            {"cache_lines", total.global.cache_lines}}},
          {"atomics", {{"instructions", total.atomics}, {"serial", total.serial}}},
          {"collectives", total.collectives},
          {"barriers", total.barriers},
          {"instructions", total.instructions},
          {"lanes", total.lanes}};
}

}  // namespace

json costs_json(const run_costs& costs) {
  json kernels = json::array();
  for (const kernel_costs& each : costs.kernels) {
    json lines = json::array();
    for (const line_cost& line : each.lines) lines.push_back(line_json(line, costs.warp_size));
    kernels.push_back({{"kernel", each.kernel},
                       {"launches", each.launches},
                       {"blocks", each.blocks},
                       {"total", total_json(total_of(each))},
                       {"lines", lines}});
  }
  return {{"rules", rules_for(costs.warp_size)},
          {"transaction_bytes", transaction_bytes(costs.warp_size)},
          {"kernels", kernels},
          {"left_out", costs.left_out}};
}

}  // namespace warpz
