// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/another_warpz.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "error.hpp"

namespace warpz {
namespace {

/// Of each stream, what is more is dropped.
constexpr std::size_t max_text = std::size_t{1} << 24;

output_relay relay_to(std::string& out, std::string& err) {
  const auto keep = [](std::string& text) {
    return [&text](std::string_view piece) { text += piece.substr(0, max_text - std::min(max_text, text.size())); };
  };
  output_relay relay;
  relay.add({STDOUT_FILENO}, keep(out));
  relay.add({STDERR_FILENO}, keep(err));
  return relay;
}

/// Longer than a warpz takes that was asked to end; a user's program in it has two seconds.
constexpr std::chrono::seconds grace{6};

/// In the child. Nothing is allocated: another thread may have held the allocator's lock.
[[noreturn]] void run_again(output_relay& relay, char* const* words, char* const* environment) {
  relay.enter_child();
  if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve("/proc/self/exe", words, environment);
  _exit(static_cast<int>(exit_code::no_device));
}

/// To these, and to those of `others`, which ends with a null pointer.
std::vector<char*> pointers_to(std::vector<std::string>& words, char* const* others = nullptr) {
  std::vector<char*> pointers;
  for (std::string& each : words) pointers.push_back(each.data());
  for (; others != nullptr && *others != nullptr; ++others) pointers.push_back(*others);
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

another_warpz::another_warpz(std::vector<std::string> words, std::vector<std::string> variables)
    : relay_(relay_to(output_, messages_)),
      child_({.own_group = true}, [this, pointers = pointers_to(words), all = pointers_to(variables, environ)] {
        run_again(relay_, pointers.data(), all.data());
      }) {
  if (child_.start_error() != 0) {
    throw error(exit_code::no_device,
                fmt::format("warpz cannot start another warpz: {}", std::strerror(child_.start_error())));
  }
  relay_.close_child_ends();
}

another_warpz::~another_warpz() {
  child_.send(SIGTERM);
  const auto last = std::chrono::steady_clock::now() + grace;
  while (!child_.wait() && std::chrono::steady_clock::now() < last) relay_.pump();
}

double another_warpz::processor_seconds() {
  constexpr std::chrono::seconds interval{1};
  if (std::chrono::steady_clock::now() < next_look_) return processor_seconds_;
  next_look_ = std::chrono::steady_clock::now() + interval;
  return processor_seconds_ = child_.processor_seconds();
}

bool another_warpz::is_over(std::vector<pollfd> polled) {
  relay_.add_pollfds(polled);
  const bool has_ended = child_.wait(std::move(polled));
  has_ended ? relay_.finish() : relay_.pump();
  return has_ended;
}

}  // namespace warpz
