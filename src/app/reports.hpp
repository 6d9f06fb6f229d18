// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reports that the options choose, and what each run of warpz has to do with them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "report/report.hpp"

namespace warpz {

/// `program` is warpz as the user called it.
std::unique_ptr<report> make_report(const options& command, const char* program, output_stream& out,
                                    output_stream& err);

/// Begins the report, does the work and ends the report, also where an error stops the work. Returns the exit code,
/// which is what the work returns.
int report_run(report& reporter, const std::vector<std::string>& planned, const std::function<int()>& work);

}  // namespace warpz
