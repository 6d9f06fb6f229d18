// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/finding_filter.hpp"

#include <utility>

namespace warpz {

void finding_filter::add(const warpz_finding& record, const circumstance& where,
                         const std::function<symbolized_finding()>& symbolize) {
  const bool is_reported = reported_ < choice_.max_reported || where.ended_run;
  symbolized_finding finding{record, {}};
  if (is_reported || choice_.accepted != nullptr) {
    finding = symbolize();
    if (choice_.accepted != nullptr && !where.ended_run) finding.suppressed = choice_.accepted->match(finding);
  }
  finding.shown_on_purpose = where.on_purpose;
  finding.schedule = where.schedule;
  finding.block_threads = where.block_threads;
  fail = fail || (record.severity != WARPZ_WARNING && !where.on_purpose && !finding.suppressed);
  if (!is_reported && !finding.suppressed) {
    left_out += 1 + record.repeats;
    return;
  }
  if (!finding.suppressed) ++reported_;
  all.push_back(std::move(finding));
}

void finding_filter::add(symbolized_finding finding) {
  if (choice_.accepted != nullptr) finding.suppressed = choice_.accepted->match(finding);
  fail = fail || !finding.suppressed;
  all.push_back(std::move(finding));
}

void finding_filter::leave_out(std::uint32_t more) {
  left_out += more;
  fail = fail || more != 0;
}

}  // namespace warpz
