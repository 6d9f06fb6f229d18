// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The puzzles' outcomes as SARIF.
#include <fmt/format.h>

#include "report/details.hpp"
#include "report/report.hpp"
#include "report/sarif_log.hpp"

namespace warpz {
namespace {

class sarif_report final : public report {
 public:
  explicit sarif_report(const std::string& file) : log_(file) {}

  void begin(std::span<const puzzle* const>) override { log_.check(); }

  void add(const outcome& of) override {
    const sarif_subject subject{std::string(of.of->flag),
                                {{"puzzle", of.of->flag}, {"backend", of.backend}, {"warpSize", of.warp_size}},
                                of.kernel,
                                of.source,
                                of.warp_size};
    for (const symbolized_finding& each : of.findings) log_.add_finding(subject, each);
    if (of.mismatch_count == 0) return;
    log_.add_wrong_result(subject, wrong_result_text(of), fmt::format("{}|{}", of.of->flag, of.kernel));
  }

  void end(exit_code code, const error* stopped_by) override { log_.write(static_cast<int>(code), stopped_by); }

 private:
  sarif_log log_;
};

}  // namespace

std::unique_ptr<report> make_sarif_report(const std::string& file) { return std::make_unique<sarif_report>(file); }

}  // namespace warpz
