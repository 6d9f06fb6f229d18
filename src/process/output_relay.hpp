// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a child process prints, on its way to where this process prints: passed on as it comes, and counted.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

class output_relay {
 public:
  using taker = std::function<void(std::string_view)>;

  output_relay() = default;
  ~output_relay();
  output_relay(const output_relay&) = delete;
  output_relay& operator=(const output_relay&) = delete;

  /// What the child writes to these descriptors of its own goes to the descriptor `to` of this process, or to `take`.
  /// Before the child is started. Throws error(no_device) where there is no pipe to be had.
  void add(std::vector<int> of_child, int to);
  void add(std::vector<int> of_child, taker take);

  /// In the child's process.
  void become() const;

  /// In this one, once the child is there.
  void is_taken();

  /// Adds what to wait for, so that pass_on() has something to do.
  void await(std::vector<pollfd>& into) const;

  /// Passes on what is there and what is taken at once. A reader that goes away is the child's to notice. Throws
  /// error(bad_input) where something cannot be written for another reason.
  void pass_on();

  /// Something is there, or was not taken yet.
  bool has_more() const;

  /// Passes on all that is there now, however long that takes.
  void finish();

  /// Bytes that have come.
  std::uint64_t count() const { return count_; }

 private:
  struct stream {
    std::vector<int> of_child;
    int to = -1;
    taker take;
    int begin = -1;  ///< the child's end of the pipe
    int end = -1;
    std::size_t at_once = 0;  ///< so much can be written without waiting, where something can
    std::string waiting = {};
  };

  void add(stream made);
  bool read_some(stream& of);
  bool write_some(stream& of);

  std::vector<stream> streams_;
  std::uint64_t count_ = 0;
};

}  // namespace warpz
