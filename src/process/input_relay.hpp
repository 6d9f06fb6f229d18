// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Standard input for a user's program that is run more than once: each run reads the same.
//
// A file is read again from the same offset. Input from a pipe or a terminal is forwarded to the first run as it
// arrives, and kept for the others; a run that reads further than those before it gets new input.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "system/descriptor.hpp"

namespace warpz {

class input_relay {
 public:
  input_relay();

  /// In a forked copy of this process, whose runs read the same while others do: false where they would take what
  /// nobody has read yet.
  bool separate() const;

  /// Before each run. Throws error(no_device) if there is no pipe.
  void begin();

  /// In the run's process: puts the pipe in place of its standard input.
  void enter_child();

  /// In this process, once the run's process is started.
  void close_child_end();

  /// Adds the descriptors that are ready when pump() has something to do.
  void add_pollfds(std::vector<pollfd>& polled) const;

  /// Forwards what can be read and written at once. Throws error(bad_input) if it is more than can be kept.
  void pump();

  /// What another process has to read to do the same. Of a file it is not known.
  std::string_view known() const { return is_regular_ ? "(a file)" : std::string_view(kept_); }

  /// After each run.
  void end() noexcept;

 private:
  bool is_file() const { return begin_ >= 0; }
  bool is_short() const;

  const off_t begin_;          ///< offset of a file; -1: standard input is not a file
  bool is_regular_ = false;    ///< a file with a content, not a device
  std::string kept_;           ///< all that has been read
  bool has_end_ = false;       ///< nothing more can be read
  std::size_t forwarded_ = 0;  ///< bytes of `kept_` that this run has been sent
  os::pipe_ends pipe_;         ///< this run's
};

}  // namespace warpz
