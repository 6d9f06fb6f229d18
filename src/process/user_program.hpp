// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a user's program, which has a main of its own, in a child process: on the CPU machine, or on a GPU.
//
// For the CPU machine the child is forked without exec and so contains it already; it loads the program as a shared
// object and calls its main. Standard input, output and error are the user's. The machine writes findings to memory
// that both processes share, so that they outlive the child. No process is left behind.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/module.h"
#include "process/input_relay.hpp"
#include "process/process_limits.hpp"
#include "process/run_record.hpp"

namespace warpz {

/// What helps where the linker misses this function.
inline const char* advice_for_missing(std::string_view function) {
  return function.starts_with("omp_") ? "The program is compiled without OpenMP: add --cxxflags -fopenmp."
                                      : "What the program calls has to be in its files, or in a library that "
                                        "--cxxflags links: -lname.";
}

struct user_program_run {
  std::string library;  ///< the path of the shared object
  /// `library` is a program of its own instead, for a GPU: the CPU machine has no part in it, and the time limit of
  /// the settings is for all of it.
  bool is_executable = false;
  std::vector<std::string> environment = {};  ///< NAME=value, added for it
  std::vector<std::string> arguments;         ///< for its main, its own name first
  /// What starts it again, up to its arguments, where it asks for that; empty: it cannot.
  std::vector<std::string> start_words = {};
  std::uint32_t warp_size = 32;
  warpz_settings settings = warpz_default_settings;
  bool prints_to_error = false;                       ///< its standard output goes to standard error
  bool is_silent = false;                             ///< its standard error is dropped
  std::function<void(std::string_view)> take_output;  ///< gets its standard output, which is then not printed
  /// Called after five seconds, and again whenever the program has run twice as long; `in_kernel`: a kernel is running.
  std::function<void(double seconds, bool in_kernel)> on_long_run = {};
  process_limits limits{};
  input_relay* input = nullptr;  ///< its standard input; null: warpz's own
  bool ends_at_changes = false;  ///< by SIGSYS, where it would write a file or reach another process
  bool confined = false;         ///< it runs in a sandbox, and can read the working folder alone
  bool debugged = false;         ///< it runs in this process, for a debugger; a forked one continues as warpz
};

struct user_program_end : run_record {
  int status = 0;           ///< waitpid()'s
  bool is_checked = false;  ///< it was compiled for --check all
  std::string started;      ///< what programs under warpz that it has started have filed
};

/// Runs the program to its end. A signal that asks warpz to end is passed on to the program, and takes effect here once
/// the program has ended; a program that does not end is killed. Throws error(no_device) if there is no process or
/// memory, or the system cannot confine it, and error(does_not_compile) if the linker misses a function.
user_program_end run_user_program(warpz_module_entry* machine, const user_program_run& run);

}  // namespace warpz
