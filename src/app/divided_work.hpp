// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which commands are divided among workers (pieces/rank.hpp), and what the user sees meanwhile.
#pragma once

#include <cstddef>

#include "cli/options.hpp"
#include "pieces/worker.hpp"
#include "report/output_stream.hpp"

namespace warpz {

/// Whether the orders of --schedules are divided. Where lanes are drawn, or findings are written down or looked up in a
/// file, and where the input can be read only once, the first worker does all.
bool divides_schedules(const options& command);

/// How many workers of this machine the orders of a kernel are worth, whose number nobody has said; 1: they are not. A
/// program may read what only one of them can.
std::size_t workers_for_schedules(const options& command);

/// Whether each of several puzzles, or kernels' files, is a piece.
bool divides_puzzles(const options& command);

/// What is left of the command for a helper: it writes no files.
void hide_output(options& command);

/// Lines on standard error: in place on a terminal, else one now and then, as in a batch job's file.
void show_progress_of(asking_runner& runner, output_stream& err, bool is_quiet);

}  // namespace warpz
