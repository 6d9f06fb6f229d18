// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kernels in a child process: the parent's side.
//
// The child loads the module, starts the GPU runtime and serves requests. Buffers and results are memory that both
// share. A crash, a hang, or a driver's abort ends the child and becomes a finding or an error here; the next request
// starts a new child.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abi/module.h"
#include "process/child_process.hpp"
#include "process/finding_stream.hpp"
#include "process/kernel_buffers.hpp"
#include "process/kernel_name.hpp"
#include "process/output_relay.hpp"
#include "process/process_limits.hpp"
#include "process/run_record.hpp"
#include "system/shared_memory.hpp"

namespace warpz {

/// A kernel module: linked into warpz, or a shared object.
struct module_source {
  warpz_module_entry* embedded = nullptr;
  std::string file;
  /// The source from which the shared object was just compiled. Messages name this file, and blame it where the module
  /// cannot be loaded.
  std::string compiled_from = {};
  /// For a debugger: the module is loaded in this process, and a forked one continues as warpz. No run can be repeated.
  bool debugged = false;
  /// The module is a stranger's code for the CPU, and its process is confined (process/confinement.hpp).
  bool confined = false;
  /// Limits for all that the process does except running kernels, such as loading the module.
  process_limits limits = {};
  /// The time limit for each of these steps; 0: none.
  double seconds = device_seconds;

  /// The default: the time for a step of a device that runs no kernel, such as copying a buffer.
  static constexpr double device_seconds = 60;
};

/// One kernel argument as the parent describes it.
struct kernel_argument {
  std::uint32_t kind = WARPZ_SCALAR;  ///< enum warpz_argument_kind
  std::uint64_t bytes = 0;
  std::uint64_t buffer = 0;  ///< the index of an input, output or state in the kernel_process's buffers
  std::byte scalar[16] = {};

  template <class T>
  static kernel_argument of_scalar(const T& value);
  static kernel_argument input(std::size_t buffer) { return {WARPZ_INPUT, 0, buffer, {}}; }
  static kernel_argument output(std::size_t buffer) { return {WARPZ_OUTPUT, 0, buffer, {}}; }
  static kernel_argument state(std::size_t buffer) { return {WARPZ_STATE, 0, buffer, {}}; }
};

/// A kernel that has not ended yet.
struct running_kernel {
  double seconds = 0;
  std::uint64_t module_base = 0;
  std::span<const std::uint64_t>
      sampled;  ///< an instruction of a lane, and what may be addresses of its callers; 0: none
};

struct kernel_run {
  kernel_name kernel;
  std::uint32_t device = 0;
  std::uint32_t gpus = 1;  ///< from that device on
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::vector<kernel_argument> arguments;
  std::uint32_t warm_ups = 0;
  bool resets_outputs = false;  ///< before each launch; otherwise they have what the last one has left
  std::uint32_t repeats = 1;
  warpz_settings settings = warpz_default_settings;
  bool quiet = false;                                       ///< drop what the kernel prints, as in a repeated run
  std::function<void(const running_kernel&)> on_wait = {};  ///< called from time to time while it runs
  process_limits limits = {};
};

/// The result of a run that the device did not refuse.
struct kernel_result : run_record {
  std::vector<float> milliseconds;  ///< one for each repeat
};

struct kernel_protocol;

class kernel_process {
 public:
  /// Throws error(no_device) if there is no memory to share.
  explicit kernel_process(module_source source);
  ~kernel_process();
  kernel_process(const kernel_process&) = delete;
  kernel_process& operator=(const kernel_process&) = delete;

  /// The module's devices. Throws error(no_device) with the vendor's words where there is none.
  std::span<const warpz_device> devices();

  /// Initialises a device. Throws error(no_device) in the vendor's words if that fails, or if the module has no code
  /// for the device.
  void prepare(std::uint32_t device);

  /// Whether the module has a kernel of this identity.
  bool has_kernel(const std::string& identity);

  /// "cpu", "amd" or "nvidia"; known once devices() was called.
  std::string vendor() const;

  /// Why the system could not confine the process; empty if it could, or was not asked to. Known once devices() was
  /// called.
  std::string unconfined() const;
  /// Why a confined process can still read all that the user can; empty if it cannot. Known once devices() was called.
  std::string reads_all() const;

  const std::string& module_file() const { return source_.file; }
  /// Empty where the module was not just compiled.
  const std::string& compiled_from() const { return source_.compiled_from; }
  /// What messages call the module; empty for the embedded one.
  const std::string& module_name() const {
    return source_.compiled_from.empty() ? source_.file : source_.compiled_from;
  }

  /// Replaces all buffers by zeroed ones of these sizes, in bytes. Throws error(no_device) if memory is short.
  void allocate(std::span<const std::uint64_t> bytes);
  std::span<std::byte> buffer(std::size_t index) { return (*buffers_)[index]; }
  /// Whoever keeps this keeps the buffers, also after allocate() has replaced them.
  std::shared_ptr<const kernel_buffers> buffers() const { return buffers_; }

  /// False in a debugger, which would not follow another child.
  bool can_restart() const { return !source_.debugged; }
  /// Whether the kernels are warpz's own, which write to nothing but their memory and their variables.
  bool has_own_kernels() const { return source_.file.empty(); }
  /// Ends the child. The next run starts a new one.
  void restart() noexcept { stop(); }
  /// The next run begins as in a new process. On a GPU it finds the variables that the last one has left.
  void renew() noexcept;

  /// What the arguments of the last kernel point to. The child may still write here: copy, then check.
  std::span<const warpz_element> elements() const;

  /// Runs a kernel over the buffers. Throws error(no_device) if the device or the module fails.
  kernel_result run(const kernel_run& request);

 private:
  enum class reply { done, gone, overdue, too_long, over_limit };

  /// In seconds; 0: no limit.
  struct time_limits {
    double without_progress;
    double in_all;
  };

  void start();
  void stop() noexcept;
  void provide_records(const warpz_settings& settings) noexcept;
  bool wait();
  bool has_stopped_by_itself(reply reason);

  void clear_result();
  void write_request(const kernel_run& request);
  bool send(char message);
  std::optional<reply> receive(char message, bool has_ended);
  reply ask(char message, const time_limits& time, const process_limits& limits = {},
            const std::function<void(const running_kernel&)>& on_wait = {});
  int ask_device(char message, const char* task);
  bool kernel_is_to_blame() const;
  double allowed_seconds(char message, double timeout_seconds) const;
  time_limits time_limits_of(const kernel_run& request) const;

  kernel_result result_of(const kernel_run& request);
  kernel_result result_of_dead_child(const kernel_run& request, reply reason);
  warpz_finding finding_of_end(const kernel_run& request, reply reason, bool by_itself) const;
  std::string exit_text() const;
  std::string end_text(reply reason, bool by_itself, const std::string& overdue) const;
  void check_loaded() const;
  std::string advice() const;

  module_source source_;
  os::shared_memory<kernel_protocol> shared_;
  std::shared_ptr<const kernel_buffers> buffers_ = std::make_shared<const kernel_buffers>();
  std::optional<output_relay> printed_;  ///< what the child prints, on its way to standard error
  std::optional<finding_stream> findings_;
  std::optional<child_process> child_;
  os::descriptor channel_;
  bool has_buffers_ = false;         ///< the child, those of now
  bool has_run_ = false;             ///< the child, a kernel
  std::uint64_t shared_before_ = 0;  ///< os::shared_memory_count when the child began
  int exit_status_ = 0;              ///< the last child's
  std::string exceeded_limit_;       ///< the limit that the last request exceeded, in words
};

template <class T>
kernel_argument kernel_argument::of_scalar(const T& value) {
  static_assert(sizeof(T) <= sizeof(kernel_argument::scalar));
  kernel_argument argument;
  argument.bytes = sizeof(T);
  __builtin_memcpy(argument.scalar, &value, sizeof(T));
  return argument;
}

}  // namespace warpz
