// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/hidden_judge.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <utility>

#include "process/child_process.hpp"
#include "run/hidden_cases.hpp"
#include "system/shared_memory.hpp"
#include "system/usable_cores.hpp"

namespace warpz {
/// The cases of a puzzle, which this process and forked copies of it take one by one, each when it has time. Each has
/// its part of the cores: a case is so small that one core does it as fast.
class hidden_judge::shared_cases {
 public:
  /// The copies begin at once.
  shared_cases(const puzzle& task, const run_request& request, const std::vector<device_request>& wanted)
      : task_(task), request_(request), processes_(std::clamp(os::usable_cores(), 2U, max_processes)) {
    for (const device_request& each : wanted) lists_.push_back(hidden_cases(task, *each.warp_size));
    if (!shared_) return;
    judge_like(request, assumed_seconds);
    for (std::size_t number = 1; number < processes_; ++number) {
      copies_.emplace_back(child_options{.owns_descendants = true}, [&] {
        os::keep_part_of_cores(number, processes_);
        // On a busy computer the documented input comes first.
        static_cast<void>(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + copy_niceness));
        try {
          for (std::size_t i = 0; i < lists_.size(); ++i) work_on(i, choose_device(wanted[i]), [] {});
        } catch (...) {
          // What it has taken is not judged. The caller will find out why.
          _exit(1);
        }
        _exit(0);
      });
    }
  }

  bool are_of(const puzzle& task) const { return &task_ == &task; }

  /// What is known of how they are to be judged, once the documented one is. A case that has passed while more was
  /// sought passes all the same, and one that has failed is run again.
  void judge_like(const run_request& request, double seconds) {
    if (!shared_) return;
    shared_->seeks_undefined = request.seeks_undefined;
    shared_->seconds = seconds;
  }

  /// Takes cases of this list until one has failed, or there are no more.
  void work_on(std::size_t list, const chosen_device& on, const std::function<void()>& on_case) {
    if (!shared_) return;
    dealt_cases& dealt = shared_->lists[list];
    for (std::uint32_t number = dealt.next++; is_wanted(list, number); number = dealt.next++) {
      for (const std::size_t taken = count_taken(); told_ < taken; ++told_) on_case();
      case_runner runner = runner_for(list, on);
      std::optional<puzzle_outcome> found = runner.failure_of(lists_[list][number]);
      if (runner.is_endless()) dealt.is_endless = true;
      if (!found) continue;
      dealt.add_failure(number);
      own_failures_[list] = {number, std::move(*found)};
      return;
    }
  }

  /// The part of the cores that are this process's own while the copies work.
  os::part_of_cores own_cores() const { return {0, processes_}; }

  /// Waits for the copies. False where one has not done its share.
  bool are_done() {
    return !copies_.empty() && std::all_of(copies_.begin(), copies_.end(), [](child_process& copy) {
      if (copy.start_error() != 0) return false;
      while (!copy.wait()) {
      }
      copy.end();
      return WIFEXITED(copy.status()) && WEXITSTATUS(copy.status()) == 0;
    });
  }

  bool have_failed(std::size_t list) const { return shared_->lists[list].failed != 0; }

  /// The smallest failure of the list's first case that has failed. Nothing where it does not fail again.
  std::optional<puzzle_outcome> smallest_failure(std::size_t list, const chosen_device& on) {
    const std::uint32_t number = shared_->lists[list].failed - 1;
    const hidden_case& one = lists_[list][number];
    case_runner runner = runner_for(list, on);
    std::optional<own_failure>& own = own_failures_[list];
    std::optional<puzzle_outcome> found;
    if (own && own->number == number) {
      found = std::move(own->outcome);
    } else {
      found = runner.failure_of(one);
    }
    if (!found) return {};
    return runner.smallest_failure(one, std::move(*found));
  }

 private:
  static constexpr std::size_t max_warp_sizes = 2;
  static constexpr unsigned max_processes = 4;
  static constexpr double assumed_seconds = 1;
  static constexpr int copy_niceness = 10;

  /// What the processes tell each other of a list. All is 0 at first.
  struct dealt_cases {
    std::atomic<std::uint32_t> next;    ///< the first that none has taken
    std::atomic<std::uint32_t> failed;  ///< one more than the first that has failed; 0: none has
    std::atomic<bool> is_endless;       ///< a case took too long twice

    void add_failure(std::uint32_t number) {
      std::uint32_t first = failed;
      while ((first == 0 || number + 1 < first) && !failed.compare_exchange_weak(first, number + 1)) {
      }
    }
  };

  struct shared_state {
    std::array<dealt_cases, max_warp_sizes> lists;
    std::atomic<bool> seeks_undefined;
    std::atomic<double> seconds;
  };

  struct own_failure {
    std::uint32_t number;
    puzzle_outcome outcome;
  };

  /// Where an earlier case, or one of an earlier list, has failed, it is not.
  bool is_wanted(std::size_t list, std::uint32_t number) const {
    for (std::size_t i = 0; i < list; ++i) {
      if (have_failed(i)) return false;
    }
    const std::uint32_t failed = shared_->lists[list].failed;
    return number < lists_[list].size() && (failed == 0 || number + 1 < failed);
  }

  /// By all processes.
  std::size_t count_taken() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i)
      count += std::min<std::size_t>(shared_->lists[i].next, lists_[i].size());
    return count;
  }

  case_runner runner_for(std::size_t list, const chosen_device& on) {
    request_.seeks_undefined = shared_->seeks_undefined;
    return {task_, request_, on, {shared_->seconds, list + 1 == lists_.size(), shared_->lists[list].is_endless}};
  }

  const puzzle& task_;
  run_request request_;
  std::vector<std::vector<hidden_case>> lists_;  ///< one for each warp size
  os::shared_memory<shared_state> shared_;
  std::array<std::optional<own_failure>, max_warp_sizes> own_failures_;
  std::size_t told_ = 0;         ///< how many of the cases have been told by on_case()
  const std::size_t processes_;  ///< this one and its copies
  std::deque<child_process> copies_;
};

hidden_judge::hidden_judge(std::vector<device_request> devices, bool is_divided)
    : wanted_(std::move(devices)), devices_(wanted_.size()), is_divided_(is_divided) {}
hidden_judge::~hidden_judge() = default;
hidden_judge::hidden_judge(hidden_judge&&) noexcept = default;

void hidden_judge::begin(const puzzle& task, const run_request& request) {
  // Which of the accepted findings occur has to be known in this process.
  if (!is_divided_ || request.findings.accepted != nullptr) return;
  if (begun_ && begun_->are_of(task)) return;
  begun_.reset();
  begun_ = std::make_unique<shared_cases>(task, request, wanted_);
}

void hidden_judge::stop() { begun_.reset(); }

std::optional<puzzle_outcome> hidden_judge::failure(const puzzle& task, const run_request& request, double seconds,
                                                    const std::function<void()>& on_case) {
  begin(task, request);
  if (const std::unique_ptr<shared_cases> shared = std::move(begun_)) {
    shared->judge_like(request, seconds);
    {
      const os::part_of_cores own = shared->own_cores();
      // From the other end: most often only one list is worked on by all, and needs a device in each process.
      for (std::size_t i = wanted_.size(); i-- > 0;) shared->work_on(i, device(i), on_case);
    }
    const bool are_done = shared->are_done();
    bool have_failed = false;
    for (std::size_t i = 0; i < wanted_.size() && are_done && !have_failed; ++i) {
      have_failed = shared->have_failed(i);
      if (!have_failed) continue;
      if (std::optional<puzzle_outcome> found = shared->smallest_failure(i, device(i))) return described(i, *found);
    }
    if (are_done && !have_failed) return {};
  }
  return failure_alone(task, request, seconds, on_case);
}

std::optional<puzzle_outcome> hidden_judge::failure_alone(const puzzle& task, const run_request& request,
                                                          double seconds, const std::function<void()>& on_case) {
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    // Where undefined values do not matter on the documented input, one more search for them is enough.
    case_runner runner(task, request, device(i), {seconds, i + 1 == wanted_.size(), false});
    for (const hidden_case& each : hidden_cases(task, device(i).device.warp_size)) {
      on_case();
      std::optional<puzzle_outcome> found = runner.failure_of(each);
      if (found) return described(i, runner.smallest_failure(each, std::move(*found)));
    }
  }
  return {};
}

puzzle_outcome hidden_judge::described(std::size_t number, puzzle_outcome found) {
  if (number != 0) found.right_with = device(0).device.warp_size;
  return found;
}

const chosen_device& hidden_judge::device(std::size_t number) {
  if (!devices_[number]) devices_[number] = choose_device(wanted_[number]);
  return *devices_[number];
}

std::vector<hidden_inputs> hidden_judge::cases_of(const puzzle& task) const {
  std::vector<hidden_inputs> all;
  for (const device_request& each : wanted_) {
    const unsigned warp_size = each.warp_size.value_or(32);
    all.push_back({warp_size, hidden_cases(task, warp_size).size()});
  }
  return all;
}

}  // namespace warpz
