// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles what a GPU's compiler takes and one for the CPU refuses at first, in sources and libraries alike:
// - warpSize where a constant is wanted, which it was before ROCm 7: then it is one;
// - constraints of PTX's assembly ("h", "f") that the CPU's has not, and PTX's registers with one % ("%clock64") where
//   nvcc wants no two: the compiler gets files of the same length with others, so that lines and columns stay.
#pragma once

#include <string>

#include "compile/compiler_runner.hpp"

namespace warpz {

struct mended_compilation {
  command_end end;                      ///< of the last try
  bool has_constant_warp_size = false;  ///< the result is for this warp size only
};

/// A file that messages call by another one's name, by a #line.
struct renamed_file {
  std::string name;
  std::string file;
};

/// Runs the command, and again with more words as long as it helps. `job` makes one object, and ends with its source.
/// `earlier`: of a try in another way, whose messages may say what to mend.
mended_compilation run_mended(const compiler_runner& runner, const temp_dir& work, command job,
                              const renamed_file& renamed = {}, const command_end& earlier = {});

/// The text with assembly that a CPU's compiler takes; the same text where there is none to change.
std::string with_cpu_assembly(std::string_view text);

/// The files, each once, with errors about such assembly; `messages` have no colors.
std::vector<std::string> files_with_refused_assembly(std::string_view messages);

}  // namespace warpz
