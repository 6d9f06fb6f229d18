// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// However warpz ends, it leaves no process and no temporary file behind. The work is done in one process; two others,
// one below the other, only wait for its end. Whichever of the three is killed, a supervisor above or below it is left,
// ends all processes that were started, and removes the temporary files. If all three are killed at once, the next run
// removes the files (compile/temp_dir.hpp).
#pragma once

namespace warpz {

/// To be called while there is one thread, before anything is started. Returns in the process that does the work. The
/// calling process ends as that one does: it passes on a signal that asks it to end, and kills what has not ended a few
/// seconds later.
void work_supervised();

}  // namespace warpz
