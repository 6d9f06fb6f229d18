// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reports that the options choose, and their begin and end.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "report/report.hpp"

namespace warpz {

/// `program` is how the user called warpz.
std::unique_ptr<report> make_report(const options& command, const char* program, output_stream& out,
                                    output_stream& err);

/// Begins the report, does the work, and ends the report, also when an error stops the work. Returns what the work
/// returns: the exit code.
int report_run(report& reporter, const std::vector<std::string>& planned, const std::function<int()>& work);

}  // namespace warpz
