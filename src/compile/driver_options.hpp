// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of warpz-hipcc, which takes the options of hipcc, nvcc and Clang.
//
// Whatever it does not know goes to Clang, which knows it or says that it doesn't.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/cpu_code.hpp"

namespace warpz {

enum class driver_result {
  linked,       ///< an executable, or a shared object
  objects,      ///< -c
  archive,      ///< nvcc's -lib
  device_link,  ///< nvcc's -dlink, which has nothing to link here
  clangs_own    ///< text that Clang writes: preprocessed sources, lists of dependencies, assembly
};

struct driver_source {
  std::string file;
  source_language language;
  bool may_be_hip = false;  ///< it is CUDA by its ending alone
};

/// A word for the linker; or the number of a source, in whose place its object comes.
struct link_word {
  std::string word;
  std::optional<std::size_t> source = {};
};

struct driver_job {
  driver_result result = driver_result::linked;
  std::vector<driver_source> sources;
  std::vector<std::string> flags;       ///< for both sides of each source
  std::vector<std::string> host_flags;  ///< for the host's side
  std::vector<std::string> both_flags;  ///< of `flags`, those that a linker wants as well
  std::vector<link_word> linked;        ///< in their order
  std::optional<std::string> output;
  bool is_shared = false;
  bool has_verbose = false;                      ///< -v
  bool writes_dependencies = false;              ///< -MD and the like
  std::optional<std::string> dependencies_file;  ///< -MF
  std::vector<std::string> dependencies_flags;   ///< -MT and the like
};

/// Whether a program of this name is warpz-hipcc: it has several, by which build systems know it.
bool is_driver_name(std::string_view program);

/// `program` is the driver's own name: as nvcc, it takes a .cpp file for code of the host alone. Throws
/// error(bad_input) where an option asks for what the CPU machine has not.
driver_job parse_driver_words(std::string_view program, std::span<const std::string> words);

}  // namespace warpz
