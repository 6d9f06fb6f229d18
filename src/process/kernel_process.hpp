// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels run in a child process: this is the parent's hold on it.
//
// The child loads the module, starts the GPU runtime and runs what it is told; buffers and results are memory
// that both share. A crash, a hang, or a driver's abort ends the child and becomes a finding or an error here.
// A kernel_process starts a new child when the last one is gone.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abi/module.h"
#include "process/output_relay.hpp"
#include "process/process_limits.hpp"

namespace warpz {

/// Where a module comes from: linked into the program, or a shared object.
struct module_source {
  warpz_module_entry* embedded = nullptr;
  std::string file;
  /// The source that the shared object was compiled from just now; messages tell of this, and what keeps the module
  /// from being loaded is its mistake.
  std::string compiled_from = {};
};

/// One kernel argument as the parent describes it.
struct kernel_argument {
  std::uint32_t kind = WARPZ_SCALAR;  ///< enum warpz_argument_kind
  std::uint64_t bytes = 0;
  std::uint64_t buffer = 0;  ///< of an input, output or state: its index in the kernel_process's buffers
  std::byte scalar[16] = {};

  template <class T>
  static kernel_argument of_scalar(const T& value);
  static kernel_argument input(std::size_t buffer) { return {WARPZ_INPUT, 0, buffer, {}}; }
  static kernel_argument output(std::size_t buffer) { return {WARPZ_OUTPUT, 0, buffer, {}}; }
  static kernel_argument state(std::size_t buffer) { return {WARPZ_STATE, 0, buffer, {}}; }
};

struct kernel_run {
  std::string kernel;
  std::uint32_t device = 0;
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::vector<kernel_argument> arguments;
  std::uint32_t warm_ups = 0;
  std::uint32_t repeats = 1;
  warpz_settings settings = warpz_default_settings;
  bool quiet = false;  ///< what the kernel prints is dropped: it has been printed before
  process_limits limits = {};
  std::function<void()> told_rerun = {};  ///< what to call before each time that it is run again, if anything
};

/// What came of a run that the device did not refuse: its times, and what was found.
struct kernel_result {
  std::vector<float> milliseconds;
  std::vector<warpz_finding> findings;
  bool stopped = false;  ///< a finding ended the kernel: there is no result
  std::uint32_t findings_left_out = 0;
  warpz_trace trace = {};
  std::uint64_t module_base = 0;  ///< where the module lay in the process that ran it
};

struct shared_buffer;
struct shared_pages;

class kernel_process {
 public:
  explicit kernel_process(module_source source);
  ~kernel_process();
  kernel_process(const kernel_process&) = delete;
  kernel_process& operator=(const kernel_process&) = delete;

  /// The module's devices. Throws error(no_device) with the vendor's words where there is none.
  std::span<const warpz_device> devices();

  /// Brings a device up. Throws error(no_device) in the vendor's words where it can't be, or where the module has no
  /// code for it.
  void prepare(std::uint32_t device);

  /// "cpu", "amd" or "nvidia"; known once the devices have been asked for.
  std::string vendor() const;

  const std::string& module_file() const { return source_.file; }
  /// Empty where the module was not compiled just now.
  const std::string& compiled_from() const { return source_.compiled_from; }
  /// What messages call the module; empty for the embedded one.
  const std::string& module_name() const {
    return source_.compiled_from.empty() ? source_.file : source_.compiled_from;
  }

  /// Lays out buffers of so many bytes each, zeroed; earlier ones are gone. Throws where memory is short.
  void allocate(std::span<const std::uint64_t> bytes);
  std::span<std::byte> buffer(std::size_t index);
  /// False where a kernel has shrunk the memory that they lie in: touching them would end this process.
  bool buffers_are_whole() const;

  /// The next command has a process of its own: what kernels left in the module's variables is gone.
  void begin_anew() noexcept { stop(); }

  /// Runs a kernel over the buffers. Throws error(no_device) where the device or the module fails.
  kernel_result run(const kernel_run& what);

 private:
  enum class reply { done, gone, overdue, over_limit };

  void start();
  void stop() noexcept;
  void reap() noexcept;
  reply ask(char command, double timeout_seconds, const process_limits& limits = {});
  void ask_device(char command, const char* what);
  void check_loaded() const;
  void clear_result();
  std::string advice() const;
  bool collect_end();
  std::string end_text() const;
  kernel_result stopped(const kernel_run& what, reply how);
  bool kernel_was_running() const;
  std::vector<warpz_finding> findings() const;

  module_source source_;
  shared_pages* shared_ = nullptr;
  int arena_file_ = -1;
  std::byte* arena_ = nullptr;
  std::uint64_t arena_bytes_ = 0;
  std::vector<shared_buffer> buffers_;
  pid_t child_ = -1;
  int channel_ = -1;
  int child_ended_ = -1;  ///< becomes readable when the child has ended
  int exit_status_ = 0;
  std::optional<output_relay> printed_;  ///< by the child, on its way to standard error
  std::string passed_limit_;             ///< which one, of the last command
};

template <class T>
kernel_argument kernel_argument::of_scalar(const T& value) {
  static_assert(sizeof(T) <= sizeof(kernel_argument::scalar));
  kernel_argument made;
  made.bytes = sizeof(T);
  __builtin_memcpy(made.scalar, &value, sizeof(T));
  return made;
}

}  // namespace warpz
