// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <thread>
#include <vector>

namespace warpz {
namespace {

struct step_end {
  std::string messages;
  std::string shown;
  std::exception_ptr failure;
};

step_end run_step(compiler_settings settings, const compilation_step& step) {
  step_end end;
  settings.tell = [&end](std::string_view text) { end.shown += text; };
  try {
    end.messages = step(settings);
  } catch (...) {
    end.failure = std::current_exception();
  }
  return end;
}

}  // namespace

std::string run_side_by_side(const compiler_settings& settings, std::span<const compilation_step> steps) {
  std::vector<step_end> ends(steps.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  const auto work = [&] {
    // Those before a failed one run to their end: the first failure is the same one each time.
    for (std::size_t i = 0; !has_failed && (i = next++) < steps.size();) {
      ends[i] = run_step(settings, steps[i]);
      if (ends[i].failure) has_failed = true;
    }
  };
  const std::size_t cores = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, steps.size());
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < cores; ++i) others.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& each : others) each.get();

  std::string messages;
  for (const step_end& each : ends) {
    if (each.failure) {
      tell(settings, messages);
      if (!each.shown.empty()) settings.tell(each.shown);
      std::rethrow_exception(each.failure);
    }
    messages += each.messages;
  }
  return messages;
}

}  // namespace warpz
