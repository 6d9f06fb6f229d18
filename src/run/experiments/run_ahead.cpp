// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/run_ahead.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "system/usable_cores.hpp"

namespace warpz {
namespace {

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

run_ahead::run_ahead(std::size_t part, std::size_t parts, const std::function<std::string()>& run)
    : part_(part), pipe_(os::open_pipe()) {
  if (!pipe_) return;
  os::set_nonblocking(pipe_->reading);
  child_.emplace(child_options{.owns_descendants = true}, [&] {
    os::keep_part_of_cores(part, parts);
    try {
      if (write_all(pipe_->writing.number(), run())) _exit(0);
    } catch (...) {
      // Who asks for the run makes it then, and finds out why.
    }
    _exit(1);
  });
  pipe_->writing.close();
}

std::optional<std::string> run_ahead::take() {
  if (!child_ || child_->start_error() != 0) return {};
  while (!child_->wait({{pipe_->reading.number(), POLLIN, 0}})) read_more();
  child_->end();
  read_more();
  if (!WIFEXITED(child_->status()) || WEXITSTATUS(child_->status()) != 0) return {};
  return std::move(bytes_);
}

void run_ahead::read_more() {
  char piece[1 << 16];
  for (ssize_t count; (count = read(pipe_->reading.number(), piece, sizeof piece)) > 0;) {
    bytes_.append(piece, static_cast<std::size_t>(count));
  }
}

}  // namespace warpz
