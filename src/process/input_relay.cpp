// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/input_relay.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "error.hpp"

namespace warpz {
namespace {

constexpr std::size_t max_kept = std::size_t{256} << 20;

/// How many bytes are read before the program asks for them: fewer than a pipe holds.
constexpr std::size_t read_ahead = 4096;

}  // namespace

input_relay::input_relay() : begin_(lseek(STDIN_FILENO, 0, SEEK_CUR)) {
  struct stat found {};
  is_regular_ = fstat(STDIN_FILENO, &found) == 0 && S_ISREG(found.st_mode);
}

bool input_relay::separate() const {
  if (!is_file()) return has_end_;
  // With an offset of its own.
  const os::descriptor own(open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
  return own && dup2(own.number(), STDIN_FILENO) >= 0;
}

void input_relay::begin() {
  if (is_file()) {
    lseek(STDIN_FILENO, begin_, SEEK_SET);
    return;
  }
  std::optional<os::pipe_ends> pipe = os::open_pipe();
  if (!pipe) {
    throw error(exit_code::no_device,
                fmt::format("no pipe for the program's standard input: {}", std::strerror(errno)));
  }
  pipe_ = std::move(*pipe);
  os::set_nonblocking(pipe_.writing);
  forwarded_ = 0;
}

void input_relay::enter_child() {
  if (is_file()) return;
  dup2(pipe_.reading.number(), STDIN_FILENO);
  pipe_ = {};
}

void input_relay::close_child_end() { pipe_.reading.close(); }

bool input_relay::is_short() const { return pipe_.writing && !has_end_ && kept_.size() - forwarded_ < read_ahead; }

void input_relay::add_pollfds(std::vector<pollfd>& polled) const {
  if (is_short()) polled.push_back({STDIN_FILENO, POLLIN, 0});
  if (pipe_.writing && forwarded_ < kept_.size()) polled.push_back({pipe_.writing.number(), POLLOUT, 0});
}

void input_relay::pump() {
  if (!pipe_.writing) return;
  pollfd source{STDIN_FILENO, POLLIN, 0};
  if (is_short() && poll(&source, 1, 0) > 0) {
    char piece[read_ahead];
    const ssize_t count = read(STDIN_FILENO, piece, sizeof piece);
    if (count > 0) kept_.append(piece, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) has_end_ = true;
    if (kept_.size() > max_kept) {
      throw error(exit_code::bad_input,
                  "standard input: more than 256 MiB, which is too much to keep for repeated runs",
                  "Give the program a file: < FILE");
    }
  }
  if (forwarded_ < kept_.size()) {
    const ssize_t count = write(pipe_.writing.number(), kept_.data() + forwarded_, kept_.size() - forwarded_);
    if (count > 0) forwarded_ += static_cast<std::size_t>(count);
    // The program has stopped reading.
    if (count < 0 && errno == EPIPE) pipe_.writing.close();
  }
  if (has_end_ && forwarded_ == kept_.size()) pipe_.writing.close();
}

void input_relay::end() noexcept { pipe_ = {}; }

}  // namespace warpz
