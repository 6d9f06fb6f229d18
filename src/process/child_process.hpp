// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child process: started, waited for, and ended. None outlives its child_process, and none outlives warpz.
//
// It knows nothing of what the child does, and judges no exit status.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "system/descriptor.hpp"

namespace warpz {

struct child_options {
  /// The child leads a process group, which is ended as a whole. Signals from the terminal do not reach it.
  bool own_group = false;
  /// Processes that the child has started are ended with it, orphans too.
  bool owns_descendants = false;
  /// The two processes change places, for a debugger that follows this one: `body` runs here, and the child goes on
  /// as the caller. A child in this place is never killed, and neither is what it starts.
  bool changes_places = false;
};

class child_process {
 public:
  /// Forks. `body` runs in the child and should not return; it may not allocate memory where this process has several
  /// threads. start_error() says whether there is a child.
  child_process(const child_options& options, const std::function<void()>& body);
  ~child_process() { end(); }
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  /// The errno of a fork that failed; 0 where there is a child.
  int start_error() const { return start_error_; }

  /// Waits until the child has ended or a descriptor is ready, at most 50 ms. True once the child has ended.
  bool wait(std::vector<pollfd> polled = {}) const;

  void send(int signal) const;

  /// Seconds that the child and all that it has started have taken of the processors.
  double processor_seconds() const;

  /// Bytes that they have read, of files that they have not mapped.
  std::uint64_t bytes_read() const;

  /// Kills the child if it still runs, and then its group and descendants as the options say. Then status() is known.
  void end() noexcept;

  /// The status of waitpid(), after end().
  int status() const { return status_; }

  /// In a process that has changed places: passes the exit code on to the other process, waits for its end, and ends
  /// with its exit code. Does nothing in any other process. A signal handler may call it.
  static void end_body(int exit_code);

  /// All children of this process except this child and orphans of its descendants.
  std::vector<pid_t> siblings() const;

 private:
  void start(const std::function<void()>& body);
  void change_places(const std::function<void()>& body);
  bool has_ended() const;
  void take_status();

  const child_options options_;
  pid_t id_ = -1;
  int start_error_ = 0;
  os::descriptor ended_;  ///< readable once the child has ended; none where the table of descriptors is full
  int status_ = 0;
};

}  // namespace warpz
