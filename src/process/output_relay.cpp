// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/output_relay.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "error.hpp"
#include "system/close_once.hpp"

namespace warpz {
namespace {

constexpr std::size_t max_at_once = 65536;

/// In one call of pass_on(), so that whoever counts gets to.
constexpr std::uint64_t max_in_a_row = std::uint64_t{1} << 20;

bool is_pipe(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && !S_ISREG(found.st_mode);
}

}  // namespace

output_relay::~output_relay() {
  for (stream& each : streams_) {
    os::close_once(each.begin);
    os::close_once(each.end);
  }
}

void output_relay::add(std::vector<int> of_child, int to) {
  stream made;
  made.of_child = std::move(of_child);
  made.to = to;
  made.at_once = is_pipe(to) ? PIPE_BUF : max_at_once;
  add(std::move(made));
}

void output_relay::add(std::vector<int> of_child, taker take) {
  stream made;
  made.of_child = std::move(of_child);
  made.take = std::move(take);
  add(std::move(made));
}

void output_relay::add(stream made) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw error(exit_code::no_device, fmt::format("no pipe for what is printed: {}", std::strerror(errno)));
  }
  made.end = ends[0];
  made.begin = ends[1];
  fcntl(made.end, F_SETFL, O_NONBLOCK);
  streams_.push_back(std::move(made));
}

void output_relay::become() const {
  for (const stream& each : streams_) {
    for (const int own : each.of_child) dup2(each.begin, own);
  }
  for (const stream& each : streams_) {
    close(each.begin);
    close(each.end);
  }
}

void output_relay::is_taken() {
  for (stream& each : streams_) os::close_once(each.begin);
}

void output_relay::await(std::vector<pollfd>& into) const {
  for (const stream& each : streams_) {
    if (each.end < 0) continue;
    const bool is_full = !each.waiting.empty();
    into.push_back({is_full ? each.to : each.end, static_cast<short>(is_full ? POLLOUT : POLLIN), 0});
  }
}

/// False where nothing is there.
bool output_relay::read_some(stream& of) {
  std::array<char, max_at_once> piece;
  const ssize_t count = read(of.end, piece.data(), piece.size());
  if (count < 0 && errno == EINTR) return true;
  if (count == 0) os::close_once(of.end);
  if (count <= 0) return false;
  count_ += static_cast<std::uint64_t>(count);
  const std::string_view text(piece.data(), static_cast<std::size_t>(count));
  if (of.take) {
    of.take(text);
  } else {
    of.waiting = text;
  }
  return true;
}

/// False where nothing is taken.
bool output_relay::write_some(stream& of) {
  pollfd to{of.to, POLLOUT, 0};
  if (poll(&to, 1, 0) <= 0) return false;
  const ssize_t count = write(of.to, of.waiting.data(), std::min(of.waiting.size(), of.at_once));
  if (count >= 0) {
    of.waiting.erase(0, static_cast<std::size_t>(count));
    return true;
  }
  if (errno == EINTR || errno == EAGAIN) return false;
  const int reason = errno;
  os::close_once(of.end);
  of.waiting.clear();
  // Where standard error cannot be written, nobody is left to be told.
  if (reason == EPIPE || of.to == STDERR_FILENO) return false;
  throw error(exit_code::bad_input, fmt::format("standard output cannot be written: {}", std::strerror(reason)));
}

void output_relay::pass_on() {
  for (stream& each : streams_) {
    for (const std::uint64_t before = count_; each.end >= 0 && count_ - before < max_in_a_row;) {
      if (each.waiting.empty() ? !read_some(each) : !write_some(each)) break;
    }
  }
}

bool output_relay::has_more() const {
  return std::any_of(streams_.begin(), streams_.end(), [](const stream& each) {
    pollfd from{each.end, POLLIN, 0};
    return !each.waiting.empty() || (poll(&from, 1, 0) > 0 && (from.revents & POLLIN) != 0);
  });
}

void output_relay::finish() {
  for (stream& each : streams_) {
    int there = 0;
    if (each.end >= 0) ioctl(each.end, FIONREAD, &there);
    // Who still writes meanwhile could keep this from ever ending.
    const std::uint64_t until = count_ + static_cast<std::uint64_t>(there);
    for (;;) {
      if (!each.waiting.empty()) {
        pollfd to{each.to, POLLOUT, 0};
        poll(&to, 1, -1);
        write_some(each);
      } else if (each.end < 0 || count_ >= until || !read_some(each)) {
        break;
      }
    }
  }
}

}  // namespace warpz
