// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters/read_costs.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "findings/accessed_memory.hpp"
#include "findings/source_text.hpp"
#include "puzzle/project_files.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string line_of(std::string_view text, unsigned line) {
  for (; line > 1 && !text.empty(); --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return std::string(text.substr(0, text.find('\n')));
}

class record_reader {
 public:
  record_reader(const warpz_cost_record& record, const code_location& code)
      : code_(code), rows_(record.rows, record.rows + std::min<std::uint32_t>(record.row_count, WARPZ_MAX_COST_ROWS)) {
    const std::uint32_t kernels = std::min<std::uint32_t>(record.kernel_count, WARPZ_MAX_COST_KERNELS);
    for (std::uint32_t i = 0; i < kernels; ++i) {
      const warpz_cost_kernel& each = record.kernels[i];
      result_.kernels.push_back({printable(bounded(each.name)), each.launches, each.blocks, {}});
    }
    result_.left_out = record.left_out;
  }

  run_costs read() {
    for (const warpz_cost& row : rows_) {
      const bool makes_sense = row.kernel < result_.kernels.size() && row.kind >= WARPZ_COST_LOAD &&
                               row.kind <= WARPZ_COST_BARRIER && row.instructions != 0;
      if (makes_sense) add(result_.kernels[row.kernel].lines, row);
    }
    for (kernel_costs& each : result_.kernels) {
      std::sort(each.lines.begin(), each.lines.end(),
                [](const line_cost& a, const line_cost& b) { return order_of(a) < order_of(b); });
    }
    return std::move(result_);
  }

 private:
  static std::tuple<std::string_view, unsigned, int, bool, std::string_view> order_of(const line_cost& one) {
    return {one.file, one.line, one.kind, one.is_shared, one.operation};
  }

  void add(std::vector<line_cost>& lines, const warpz_cost& row) {
    line_cost one = described(row);
    const auto known = std::find_if(lines.begin(), lines.end(),
                                    [&](const line_cost& each) { return order_of(each) == order_of(one); });
    if (known == lines.end()) {
      lines.push_back(std::move(one));
      return;
    }
    known->instructions += one.instructions;
    known->lanes += one.lanes;
    known->needed += one.needed;
    known->fewest += one.fewest;
    known->cache_lines += one.cache_lines;
    known->serial += one.serial;
    known->span += one.span;
    known->bytes = std::max(known->bytes, one.bytes);
    const auto excess = [](const line_cost& cost) {
      return std::tuple{cost.worst.ways, std::uint64_t{cost.worst.needed} * 1024 / std::max(cost.worst.fewest, 1U),
                        cost.worst.serial};
    };
    if (excess(one) > excess(*known)) known->worst = one.worst;
  }

  line_cost described(const warpz_cost& row) {
    line_cost one;
    one.kind = static_cast<warpz_cost_kind>(row.kind);
    one.is_shared = row.is_shared != 0;
    one.operation = printable(bounded(row.place.operation));
    one.bytes = row.bytes;
    one.instructions = row.instructions;
    one.lanes = row.lanes;
    one.needed = row.needed;
    one.fewest = row.fewest;
    one.cache_lines = row.cache_lines;
    one.serial = row.serial;
    one.span = row.span;
    one.worst = {row.worst_needed, row.worst_fewest, row.worst_serial,
                 row.worst_lanes,  row.worst_ways,   row.worst_stride};
    const source_line& place = place_of(row);
    one.file = place.file;
    one.line = place.line;
    one.code = place.code;
    return one;
  }

  const source_line& place_of(const warpz_cost& row) {
    const auto [known, is_new] = places_.try_emplace({row.code, std::string(bounded(row.place.file)), row.place.line});
    if (!is_new) return known->second;
    warpz_lane_group group{};
    group.code = row.code;
    group.place = row.place;
    source_line& place = known->second = find_place(group, code_);
    place.file = printable(place.file);
    place.code = printable(place.code.empty() ? line_of(project_file(place.file), place.line) : place.code);
    return place;
  }

  const code_location& code_;
  std::vector<warpz_cost> rows_;  ///< copies: a process that the kernel has started could still write there
  run_costs result_;
  std::map<std::tuple<std::uint64_t, std::string, unsigned>, source_line> places_;
};

}  // namespace

run_costs read_costs(const warpz_cost_record& record, const code_location& code, unsigned warp_size) {
  run_costs result = record_reader(record, code).read();
  result.warp_size = warp_size;
  return result;
}

}  // namespace warpz
