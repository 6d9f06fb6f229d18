// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/program_report.hpp"

#include <fmt/format.h>
#include <string.h>

#include "report/colored.hpp"
#include "report/details.hpp"
#include "report/finding_json.hpp"
#include "report/finding_words.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

nlohmann::ordered_json files_json(const program_outcome& of) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const std::string& each : of.files) files.push_back(printable(each));
  return files;
}

nlohmann::ordered_json run_json(const program_outcome& of) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const symbolized_finding& each : of.findings) findings.push_back(finding_json(each));
  return {{"program", files_json(of)},
          {"backend", "cpu"},
          {"warp_size", of.warp_size},
          {"exit_code", of.was_stopped ? nlohmann::ordered_json() : nlohmann::ordered_json(of.exit_code)},
          {"signal", of.signal != 0 ? nlohmann::ordered_json(signal_name(of.signal)) : nlohmann::ordered_json()},
          {"verdict", of.result == verdict::passed ? "passed" : "broken_rule"},
          {"findings", findings},
          {"findings_left_out", of.findings_left_out}};
}

}  // namespace

std::string program_text(const program_outcome& of, bool color) {
  const std::string name = printable(of.files.front());
  std::string text;
  if (!of.findings.empty()) {
    const bool failed = of.result == verdict::broken_rule;
    outcome told;
    told.result = of.result;
    told.findings = of.findings;
    told.findings_left_out = of.findings_left_out;
    const std::string label = colored(failed ? "broken rule" : "warning", failed ? red : yellow, color) + ": ";
    text += fmt::format("{}{}: {}", failed || first_told(told) != nullptr ? label : "", name, details_text(told));
  }
  if (of.signal != 0) {
    text += fmt::format("warpz: {} was ended by {} ({}), outside of any kernel\n", name, signal_name(of.signal),
                        strsignal(static_cast<int>(of.signal)));
  }
  return text;
}

void add_to_sarif(sarif_log& to, const program_outcome& of) {
  const sarif_subject subject{printable(of.files.front()),
                              {{"program", files_json(of)}, {"backend", "cpu"}, {"warpSize", of.warp_size}},
                              "",
                              of.files.front(),
                              of.warp_size};
  for (const symbolized_finding& each : of.findings) to.add_finding(subject, each);
}

std::string program_json(std::span<const program_outcome> all, int exit_code) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  bool failed = false;
  for (const program_outcome& each : all) {
    runs.push_back(run_json(each));
    failed = failed || each.result != verdict::passed;
  }
  const nlohmann::ordered_json whole{{"version", json_format_version},
                                     {"warpz", WARPZ_VERSION},
                                     {"runs", runs},
                                     {"verdict", failed ? "broken_rule" : "passed"},
                                     {"exit_code", exit_code},
                                     {"error", nullptr}};
  return json_text(whole) + "\n";
}

}  // namespace warpz
