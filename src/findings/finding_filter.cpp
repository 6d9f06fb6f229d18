// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/finding_filter.hpp"

#include <utility>

namespace warpz {

void finding_filter::add(const warpz_finding& record, const circumstance& where,
                         const std::function<symbolized_finding()>& resolve) {
  const bool is_told = told_ < how_.max_told || where.ended_run;
  symbolized_finding found{record, {}};
  if (is_told || how_.accepted != nullptr) {
    found = resolve();
    if (how_.accepted != nullptr && !where.ended_run) found.suppressed = how_.accepted->match(found);
  }
  found.shown_on_purpose = where.on_purpose;
  found.schedule = where.schedule;
  found.block_threads = where.block_threads;
  fail = fail || (record.severity != WARPZ_WARNING && !where.on_purpose && !found.suppressed);
  if (!is_told && !found.suppressed) {
    left_out += 1 + record.repeats;
    return;
  }
  if (!found.suppressed) ++told_;
  all.push_back(std::move(found));
}

void finding_filter::add(symbolized_finding made) {
  if (how_.accepted != nullptr) made.suppressed = how_.accepted->match(made);
  fail = fail || !made.suppressed;
  all.push_back(std::move(made));
}

void finding_filter::leave_out(std::uint32_t more) {
  left_out += more;
  fail = fail || more != 0;
}

}  // namespace warpz
