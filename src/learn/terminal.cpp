// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/terminal.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>
#include <utility>

#include "error.hpp"

namespace warpz {
namespace {

/// The terminal's other page, without the cursor and without a break at the last column.
constexpr std::string_view enter_sequence = "\x1b[?1049h\x1b[?25l\x1b[?7l";
constexpr std::string_view leave_sequence = "\x1b[?7h\x1b[?25h\x1b[?1049l";

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno != EINTR) return;
    text.remove_prefix(static_cast<std::size_t>(count > 0 ? count : 0));
  }
}

/// What makes keys come one by one, and unseen.
termios key_settings(termios settings) {
  settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  return settings;
}

bool are_equal(const termios& a, const termios& b) {
  return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_cflag == b.c_cflag && a.c_lflag == b.c_lflag &&
         std::equal(std::begin(a.c_cc), std::end(a.c_cc), std::begin(b.c_cc));
}

void give_back(const termios& before) {
  write_all(leave_sequence);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
}

}  // namespace

terminal::terminal() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0 || tcgetattr(STDIN_FILENO, &before_) != 0) {
    throw error(exit_code::bad_input, "watch needs a terminal, for its keys and its screen",
                "Without one, judge a file: warpz FILE.hip");
  }
  start_guard();
  enter();
}

terminal::~terminal() {
  give_back(before_);
  // A word that all is well; otherwise the guard would do it again, over what is printed next.
  static_cast<void>(write(alive_.number(), "", 1));
  alive_.close();
  while (guard_ > 0 && waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// A process of its own is left when this one is killed.
void terminal::start_guard() {
  auto pipe = os::open_pipe();
  if (!pipe) return;
  alive_ = std::move(pipe->writing);
  guard_ = fork();
  if (guard_ != 0) return;
  alive_.close();
  // In the background, out of reach of the keys that end this process.
  setpgid(0, 0);
  for (const int number : {SIGTTOU, SIGTTIN, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) signal(number, SIG_IGN);
  char word = 0;
  ssize_t count = 0;
  while ((count = read(pipe->reading.number(), &word, 1)) < 0 && errno == EINTR) {
  }
  if (count == 0) {
    termios now{};
    // A shell may already have made its own settings for its next line.
    const bool is_left = tcgetattr(STDIN_FILENO, &now) == 0 && are_equal(now, key_settings(before_));
    if (is_left) {
      give_back(before_);
    } else {
      write_all(leave_sequence);
    }
  }
  _exit(0);
}

void terminal::enter() const {
  const termios keys = key_settings(before_);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
  write_all(enter_sequence);
}

void terminal::leave() const { give_back(before_); }

terminal::extent terminal::size() const {
  winsize found{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &found) != 0 || found.ws_row == 0 || found.ws_col == 0) return {24, 80};
  return {found.ws_row, found.ws_col};
}

void terminal::show(const std::vector<std::string>& lines) const {
  std::string text = "\x1b[H";
  const std::size_t rows = size().rows;
  for (std::size_t i = 0; i < lines.size() && i < rows; ++i) {
    text += "\x1b[K" + lines[i] + "\x1b[0m";
    if (i + 1 < rows) text += "\r\n";
  }
  if (lines.size() < rows) text += "\x1b[J";
  write_all(text);
}

}  // namespace warpz
