// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forwards what a child process prints to this process's own streams, as it arrives, and counts the bytes.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "system/descriptor.hpp"

namespace warpz {

class output_relay {
 public:
  using consumer = std::function<void(std::string_view)>;

  /// Before the child is started: what it writes to its descriptors `sources` goes to this process's descriptor
  /// `target`, or to `consume`. Throws error(no_device) if there is no pipe.
  void add(std::vector<int> sources, int target);
  void add(std::vector<int> sources, consumer consume);

  /// In the child: puts the pipes in place of its descriptors.
  void enter_child();

  /// In this process, once the child is started.
  void close_child_ends();

  /// Adds the descriptors that are ready when pump() has something to do.
  void add_pollfds(std::vector<pollfd>& polled) const;

  /// Forwards what can be read and written without waiting. If a reader has gone away, the child gets to notice that.
  /// Throws error(bad_input) if something cannot be written for another reason.
  void pump();

  /// True while something can still be read, or has not been written yet.
  bool has_more() const;

  /// Forwards all that can be read now, however long that takes.
  void finish();

  /// Bytes that have been read.
  std::uint64_t count() const { return count_; }

 private:
  struct stream {
    std::vector<int> sources;  ///< descriptors of the child
    int target = -1;
    consumer consume;
    os::pipe_ends pipe;
    std::size_t max_write = 0;  ///< bytes that a ready target takes without blocking
    std::string unwritten = {};
  };

  void add(stream added);
  bool read_some(stream& source);
  bool write_some(stream& source);

  std::vector<stream> streams_;
  std::uint64_t count_ = 0;
};

}  // namespace warpz
