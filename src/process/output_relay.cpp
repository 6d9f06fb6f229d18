// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/output_relay.hpp"

#include <fmt/format.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "error.hpp"

namespace warpz {
namespace {

constexpr std::size_t max_piece = 65536;

/// How many bytes of a stream one call of pump() forwards: its caller has to check the limits in between.
constexpr std::uint64_t max_pumped = std::uint64_t{1} << 20;

bool may_block(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && !S_ISREG(found.st_mode);
}

}  // namespace

void output_relay::add(std::vector<int> sources, int target) {
  stream added;
  added.sources = std::move(sources);
  added.target = target;
  added.max_write = may_block(target) ? PIPE_BUF : max_piece;
  add(std::move(added));
}

void output_relay::add(std::vector<int> sources, consumer consume) {
  stream added;
  added.sources = std::move(sources);
  added.consume = std::move(consume);
  add(std::move(added));
}

void output_relay::add(stream added) {
  std::optional<os::pipe_ends> pipe = os::open_pipe();
  if (!pipe)
    throw error(exit_code::no_device,
                fmt::format("the output needs a pipe, and there is none: {}", std::strerror(errno)));
  added.pipe = std::move(*pipe);
  os::set_nonblocking(added.pipe.reading);
  streams_.push_back(std::move(added));
}

void output_relay::enter_child() {
  for (const stream& each : streams_) {
    for (const int source : each.sources) dup2(each.pipe.writing.number(), source);
  }
  for (stream& each : streams_) each.pipe = {};
}

void output_relay::close_child_ends() {
  for (stream& each : streams_) each.pipe.writing.close();
}

void output_relay::add_pollfds(std::vector<pollfd>& polled) const {
  for (const stream& each : streams_) {
    if (!each.pipe.reading) continue;
    const bool is_full = !each.unwritten.empty();
    polled.push_back(
        {is_full ? each.target : each.pipe.reading.number(), static_cast<short>(is_full ? POLLOUT : POLLIN), 0});
  }
}

/// False if there is nothing to read.
bool output_relay::read_some(stream& source) {
  std::array<char, max_piece> piece;
  const ssize_t count = read(source.pipe.reading.number(), piece.data(), piece.size());
  if (count < 0 && errno == EINTR) return true;
  if (count == 0) source.pipe.reading.close();
  if (count <= 0) return false;
  count_ += static_cast<std::uint64_t>(count);
  const std::string_view text(piece.data(), static_cast<std::size_t>(count));
  if (source.consume) {
    source.consume(text);
  } else {
    source.unwritten = text;
  }
  return true;
}

/// False if the target takes nothing at present.
bool output_relay::write_some(stream& source) {
  pollfd target{source.target, POLLOUT, 0};
  if (poll(&target, 1, 0) <= 0) return false;
  const ssize_t count =
      write(source.target, source.unwritten.data(), std::min(source.unwritten.size(), source.max_write));
  if (count >= 0) {
    source.unwritten.erase(0, static_cast<std::size_t>(count));
    return true;
  }
  if (errno == EINTR || errno == EAGAIN) return false;
  const int reason = errno;
  source.pipe.reading.close();
  source.unwritten.clear();
  // A failure of standard error could not be reported anywhere.
  if (reason == EPIPE || source.target == STDERR_FILENO) return false;
  throw error(exit_code::bad_input, fmt::format("standard output cannot be written: {}", std::strerror(reason)),
              reason == EBADF ? "It is closed: open it, or send it to /dev/null." : "");
}

void output_relay::pump() {
  for (stream& each : streams_) {
    for (const std::uint64_t before = count_; each.pipe.reading && count_ - before < max_pumped;) {
      if (each.unwritten.empty() ? !read_some(each) : !write_some(each)) break;
    }
  }
}

bool output_relay::has_more() const {
  return std::any_of(streams_.begin(), streams_.end(), [](const stream& each) {
    pollfd source{each.pipe.reading.number(), POLLIN, 0};
    return !each.unwritten.empty() || (poll(&source, 1, 0) > 0 && (source.revents & POLLIN) != 0);
  });
}

void output_relay::finish() {
  for (stream& each : streams_) {
    int readable = 0;
    if (each.pipe.reading) ioctl(each.pipe.reading.number(), FIONREAD, &readable);
    // With an end, even if some process never stops writing.
    const std::uint64_t end = count_ + static_cast<std::uint64_t>(readable);
    for (;;) {
      if (!each.unwritten.empty()) {
        pollfd target{each.target, POLLOUT, 0};
        poll(&target, 1, -1);
        write_some(each);
      } else if (!each.pipe.reading || count_ >= end || !read_some(each)) {
        break;
      }
    }
  }
}

}  // namespace warpz
