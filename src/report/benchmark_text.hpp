// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --bench has measured, in words.
#pragma once

#include <cstddef>
#include <string>

#include "run/benchmark.hpp"

namespace warpz {

/// A table with a bar for each kernel's share of the copy's rate: its head, and the line of one measurement. The copy
/// has to be measured first. Less of it where so many columns are not enough.
std::string benchmark_head(const benchmark& all, std::size_t columns);
std::string benchmark_line(const measurement& one, const benchmark& all, std::size_t columns);

/// The measurements as CSV: a line of names, then one for each kernel.
std::string benchmark_csv(const benchmark& all);

/// The measurements for --format json, as docs/output.schema.json describes.
std::string benchmark_json(const benchmark& all, int exit_code);

}  // namespace warpz
