// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/latency_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/report.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

}  // namespace

std::string latency_text(const latency_table& all) {
  std::string text = fmt::format(
      "{}: {}\n{} that an operation takes in a chain of {}, each on the result of the one before: median, least and "
      "greatest of {} chains\n\n{:<24}{:>8}{:>12}{:>10}-{:<10}{}\n",
      printable(all.backend), printable(all.device), all.unit, all.operations, all.chains, "operation", "threads",
      all.unit, "least", "greatest", "claimed");
  for (const latency& each : all.measured) {
    text += fmt::format("{:<24}{:>8}{:>12.1f}{:>10.1f}-{:<10.1f}{}\n", each.operation, each.threads, each.median,
                        each.least, each.greatest,
                        each.claim.empty()  ? "-"
                        : each.claim == "1" ? "1 cycle"
                                            : each.claim + " cycles");
  }
  return text;
}

std::string latency_csv(const latency_table& all) {
  std::string text = "operation,threads,unit,median,least,greatest,documented_cycles\n";
  for (const latency& each : all.measured) {
    text += fmt::format("{},{},{},{:.2f},{:.2f},{:.2f},{}\n", each.operation, each.threads, all.unit, each.median,
                        each.least, each.greatest, each.claim);
  }
  return text;
}

std::string latency_json(const latency_table& all) {
  json rows = json::array();
  for (const latency& each : all.measured) {
    rows.push_back({{"operation", each.operation},
                    {"backend", all.backend},
                    {"device", all.device},
                    {"warp_size", all.warp_size},
                    {"threads", each.threads},
                    {"unit", all.unit},
                    {"median", each.median},
                    {"least", each.least},
                    {"greatest", each.greatest},
                    {"documented_cycles", each.claim.empty() ? json() : json(each.claim)}});
  }
  const json document{{"version", json_format_version},
                      {"warpz", WARPZ_VERSION},
                      {"runs", json::array()},
                      {"latencies", rows},
                      {"verdict", "passed"},
                      {"exit_code", 0},
                      {"error", nullptr}};
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace warpz
