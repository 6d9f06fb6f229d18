// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a learner is told beside a verdict, and the line that keeps it.
#pragma once

#include <memory>
#include <string>

#include "report/report.hpp"

namespace warpz {

/// Null unless the file, or the folder of files, is a learner's (learn/working_copy.hpp). `program` is warpz as the
/// user called it; of the style, the widths of lines count. Keeps a reference to `err`.
std::unique_ptr<report> make_progress_report(const std::string& kernel_file, std::string program,
                                             const report_style& style, output_stream& err);

}  // namespace warpz
