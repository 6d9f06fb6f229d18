// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/input_relay.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "error.hpp"
#include "system/close_once.hpp"

namespace warpz {
namespace {

constexpr std::size_t max_kept = std::size_t{256} << 20;

/// So much is read before the program asks for it: less than a pipe holds.
constexpr std::size_t read_ahead = 4096;

}  // namespace

input_relay::input_relay() : begin_(lseek(STDIN_FILENO, 0, SEEK_CUR)) {}

input_relay::~input_relay() { end(); }

void input_relay::begin() {
  if (is_file()) {
    lseek(STDIN_FILENO, begin_, SEEK_SET);
    return;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw error(exit_code::no_device,
                fmt::format("no pipe for the program's standard input: {}", std::strerror(errno)));
  }
  from_ = ends[0];
  to_ = ends[1];
  fcntl(to_, F_SETFL, O_NONBLOCK);
  passed_ = 0;
}

void input_relay::become() const {
  if (is_file()) return;
  dup2(from_, STDIN_FILENO);
  close(from_);
  close(to_);
}

void input_relay::is_taken() { os::close_once(from_); }

bool input_relay::is_short() const { return to_ >= 0 && !has_end_ && kept_.size() - passed_ < read_ahead; }

void input_relay::await(std::vector<pollfd>& into) const {
  if (is_short()) into.push_back({STDIN_FILENO, POLLIN, 0});
  if (to_ >= 0 && passed_ < kept_.size()) into.push_back({to_, POLLOUT, 0});
}

void input_relay::pass_on() {
  if (to_ < 0) return;
  pollfd from{STDIN_FILENO, POLLIN, 0};
  if (is_short() && poll(&from, 1, 0) > 0) {
    char piece[read_ahead];
    const ssize_t count = read(STDIN_FILENO, piece, sizeof piece);
    if (count > 0) kept_.append(piece, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) has_end_ = true;
    if (kept_.size() > max_kept) {
      throw error(exit_code::bad_input, "standard input: more than 256 MiB, which a repeated run cannot be given again",
                  "Give the program a file: < FILE");
    }
  }
  if (passed_ < kept_.size()) {
    const ssize_t count = write(to_, kept_.data() + passed_, kept_.size() - passed_);
    if (count > 0) passed_ += static_cast<std::size_t>(count);
    // The program reads no more.
    if (count < 0 && errno == EPIPE) os::close_once(to_);
  }
  if (has_end_ && passed_ == kept_.size()) os::close_once(to_);
}

void input_relay::end() noexcept {
  os::close_once(from_);
  os::close_once(to_);
}

}  // namespace warpz
