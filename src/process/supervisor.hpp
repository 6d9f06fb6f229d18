// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// However warpz ends, no process and no temporary file of it is left behind: the work is done in a process of its own,
// and two others, one below the other, do nothing but wait for its end. Whichever of the three is killed, a supervisor
// above or below is left: it ends all processes that were started, and removes the temporary files. Where all are
// killed at once, the next run removes the files (compile/temp_dir.hpp).
#pragma once

namespace warpz {

/// To be called while there is one thread, and before anything is started. Returns in the process that does the work.
/// The calling one ends as that one does. A signal that asks it to end is passed on; what has not ended a few seconds
/// later is killed.
void work_supervised();

}  // namespace warpz
