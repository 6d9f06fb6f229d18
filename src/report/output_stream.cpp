// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/output_stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "error.hpp"
#include "system/terminal_columns.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

std::string advice_for(int reason) {
  switch (reason) {
    case EBADF:
      return "It is closed: open it, or send it to /dev/null.";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "Make room, or write to another place.";
    default:
      return "Write to another place.";
  }
}

}  // namespace

output_stream::output_stream(int descriptor, std::string name, on_failure failures)
    : descriptor_(descriptor), name_(std::move(name)), failures_(failures), buffer_(new char[capacity]) {}

void output_stream::write_long(std::string_view text) {
  flush();
  if (text.size() > capacity) {
    write_out(text.data(), text.size());
    return;
  }
  write(text);
}

void output_stream::flush() {
  const std::size_t bytes = std::exchange(used_, 0);
  write_out(buffer_.get(), bytes);
}

void output_stream::finish() {
  flush();
  if (failed_) return;
  // Closing a duplicate reports the same failures, and leaves the original open.
  const int duplicate = fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
  if (duplicate < 0 || close(duplicate) != 0) fail(errno);
}

void output_stream::write_out(const char* data, std::size_t bytes) {
  while (bytes > 0 && !failed_) {
    const ssize_t written = ::write(descriptor_, data, bytes);
    if (written >= 0) {
      data += written;
      bytes -= static_cast<std::size_t>(written);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd room{descriptor_, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void output_stream::fail(int reason) {
  failed_ = true;
  if (failures_ == on_failure::ignore) return;
  const std::string problem = fmt::format("{} cannot be written: {}", name_, std::strerror(reason));
  if (reason == EPIPE) throw reader_left(exit_code::bad_input, problem);
  throw error(exit_code::bad_input, problem, advice_for(reason));
}

void occupy_closed_standard_streams() {
  // In ascending order, as open() takes the lowest free number. Opened in the wrong direction, they stay as unusable
  // as they were.
  constexpr int wrong_direction[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    if (open("/dev/null", wrong_direction[descriptor]) != descriptor) return;
  }
}

void write_notice(output_stream& err, std::string_view text) {
  err.write(fitted(text, terminal_columns(STDERR_FILENO)));
}

}  // namespace warpz
