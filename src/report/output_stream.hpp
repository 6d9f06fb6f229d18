// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffered stream on a file descriptor whose failures are noticed: a full disk, a closed descriptor, a reader
// that went away.
//
// Owns its buffer and not the descriptor. It flushes on request, never in a destructor, which could not report a
// failure. SIGPIPE has to be ignored, or it ends the process before write() can fail.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "text/number.hpp"

namespace warpz {

class output_stream {
 public:
  /// What to do when a write fails. Failures of standard error are ignored: there is nowhere to report them.
  enum class on_failure { raise, ignore };

  /// `name` is what errors call the stream: "standard output".
  output_stream(int descriptor, std::string name, on_failure failures = on_failure::raise);
  output_stream(const output_stream&) = delete;
  output_stream& operator=(const output_stream&) = delete;

  /// All functions from here on throw error(bad_input) at the first write that fails. What follows is dropped.
  void write(std::string_view text) {
    if (text.size() > free_bytes()) {
      write_long(text);
      return;
    }
    used_ += text.copy(buffer_.get() + used_, text.size());
  }

  void write(float number) {
    if (free_bytes() < number_width) flush();
    used_ = static_cast<std::size_t>(write_number(buffer_.get() + used_, number) - buffer_.get());
  }

  /// Hands the buffer to the operating system.
  void flush();

  /// Flushes, and checks for failures that a file system reports only when a file is closed.
  void finish();

 private:
  std::size_t free_bytes() const { return capacity - used_; }
  void write_long(std::string_view text);
  void write_out(const char* data, std::size_t bytes);
  void fail(int reason);

  static constexpr std::size_t capacity = std::size_t{64} * 1024;

  int descriptor_;
  std::string name_;
  on_failure failures_;
  bool failed_ = false;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
};

/// Makes sure that the descriptors 0, 1 and 2 are taken, so that no file opened later gets the number of a closed
/// standard stream and is overwritten with output. Reading from, or writing to, one that was closed still fails.
/// To be called first in main.
void occupy_closed_standard_streams();

/// Writes lines of words to standard error, broken at blanks where the terminal ends.
void write_notice(output_stream& err, std::string_view text);

}  // namespace warpz
