// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <optional>
#include <utility>

namespace os {

/// Owns an open file descriptor.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() { close(); }
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  /// -1 once it is closed, and where there is none; poll() ignores that.
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct pipe_ends {
  descriptor reading, writing;
};

/// A pipe that a new program does not inherit. Without a value, with errno, where there is none.
inline std::optional<pipe_ends> open_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  return pipe_ends{descriptor(ends[0]), descriptor(ends[1])};
}

/// Reads and writes on it return at once.
inline void set_nonblocking(const descriptor& changed) { fcntl(changed.number(), F_SETFL, O_NONBLOCK); }

}  // namespace os
