// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole program of the user's, with its own main, in a child process: this is the parent's hold on it.
//
// The child is forked and not a new program, so that the CPU machine is there already: it loads the program as a shared
// object and calls its main. Standard input, output and error are the user's. What the machine finds is written to
// memory that both share, so that it outlives whatever becomes of the child. No process is left behind.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/module.h"
#include "process/input_relay.hpp"
#include "process/output_relay.hpp"
#include "process/process_limits.hpp"

namespace warpz {

struct program_run {
  std::string library;                 ///< the shared object, by a path
  std::vector<std::string> arguments;  ///< of its main, with its own name
  std::uint32_t warp_size = 32;
  warpz_settings settings = warpz_default_settings;
  bool prints_to_error = false;                       ///< what it prints goes to standard error
  bool is_silent = false;                             ///< what it says on standard error goes nowhere
  std::function<void(std::string_view)> take_output;  ///< gets what it prints, as it comes; then nothing is printed
  process_limits limits{};
  input_relay* input = nullptr;  ///< what it reads; null: this program's standard input
};

/// What came of it.
struct program_end {
  int status = 0;        ///< as waitpid() has it
  bool stopped = false;  ///< the machine ended it, after a finding
  std::vector<warpz_finding> findings;
  std::uint32_t findings_left_out = 0;
  std::uint64_t base = 0;  ///< where the program's code lay
  warpz_trace trace{};     ///< of all its launches
};

class user_program {
 public:
  /// Starts it; keeps a reference to `what`. Throws error(no_device) where there is no process or memory for it.
  user_program(warpz_module_entry* machine, const program_run& what);
  ~user_program();
  user_program(const user_program&) = delete;
  user_program& operator=(const user_program&) = delete;

  /// Waits for its end. A signal that ends this program is handed on to it, and acts here when it has ended; a program
  /// that goes on is ended. Throws error(does_not_compile) where the linker misses a function.
  program_end wait();

 private:
  struct shared_pages;

  const program_run& what_;
  shared_pages* shared_ = nullptr;
  pid_t child_ = -1;
  output_relay relay_;
  std::vector<pid_t> others_;  ///< children that this process had before
};

}  // namespace warpz
