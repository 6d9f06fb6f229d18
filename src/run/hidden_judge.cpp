// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/hidden_judge.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "process/child_process.hpp"
#include "run/hidden_cases.hpp"

namespace warpz {
namespace {

/// A forked copy of this process that finds the answer to a question, while this one does something else.
class scout {
 public:
  explicit scout(const std::function<bool()>& question)
      : process_({.owns_descendants = true}, [&] {
          bool answer = false;
          try {
            answer = question();
          } catch (...) {
            // The answer is no, and the caller finds out why.
          }
          _exit(answer ? 0 : 1);
        }) {}

  /// Waits for the answer. False also where there is none.
  bool says_yes() {
    if (process_.start_error() != 0) return false;
    while (!process_.wait()) {
    }
    process_.end();
    return WIFEXITED(process_.status()) && WEXITSTATUS(process_.status()) == 0;
  }

 private:
  child_process process_;
};

}  // namespace

hidden_judge::hidden_judge(std::vector<device_request> devices)
    : wanted_(std::move(devices)), devices_(wanted_.size()) {}

std::optional<puzzle_outcome> hidden_judge::failure(const puzzle& task, const run_request& request, double seconds,
                                                    const std::function<void()>& on_case) {
  const std::size_t last = wanted_.size() - 1;
  const auto try_on = [&](const chosen_device& on, std::size_t number, const std::function<void()>& before_case) {
    // Where undefined values do not matter on the documented input, one more search for them is enough.
    const hidden_runs runs{on.device.warp_size, seconds, number == last};
    return smallest_failure(task, request, on, runs, before_case);
  };
  std::optional<scout> second;
  // Not with accepted findings: which of them occur has to be known in this process.
  if (wanted_.size() == 2 && request.findings.accepted == nullptr) {
    second.emplace([&] { return !try_on(choose_device(wanted_[last]), last, [] {}); });
  }
  for (std::size_t i = 0; i <= last; ++i) {
    if (i == last && second && second->says_yes()) break;
    if (!devices_[i]) devices_[i] = choose_device(wanted_[i]);
    if (auto found = try_on(*devices_[i], i, on_case)) return found;
  }
  return {};
}

}  // namespace warpz
