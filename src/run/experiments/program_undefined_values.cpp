// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/program_undefined_values.hpp"

#include "run/experiments/kernel_replay.hpp"
#include "run/experiments/undefined_search.hpp"

namespace warpz {
namespace {

class perturbed_program final : public perturbed_run {
 public:
  explicit perturbed_program(const perturbed_program_run& again) : again_(again) {}

  end run(const warpz_perturbation& perturbation, double timeout_seconds) override {
    perturbation_ = perturbation;
    timeout_ = timeout_seconds;
    last_ = again_(perturbation, timeout_seconds);
    return {last_.end.trace, last_.end.base, last_.end.stopped,
            !last_.end.findings.empty() && last_.end.findings.back().kind == WARPZ_NO_PROGRESS};
  }

  void compare_with_last() override {
    ordinary_ = {};
    ordinary_.add(last_);
    // A line that is never the same says nothing.
    ordinary_.add(again_(perturbation_, timeout_));
  }

  bool is_same() override {
    const user_program_end &one = ordinary_.ends.front(), &other = last_.end;
    return lines().empty() && (!other.stopped || same_stop(one.findings, other.findings));
  }
  void tell_difference(located_finding& in) override { in.notes = lines(); }

 private:
  std::vector<std::string> lines() const {
    program_runs varied;
    varied.add(last_);
    return differences("with one value in its place", ordinary_, "with another", varied);
  }

  const perturbed_program_run& again_;
  warpz_perturbation perturbation_{};
  double timeout_ = 0;
  program_result last_;
  program_runs ordinary_;
};

}  // namespace

std::vector<located_finding> find_undefined_values(const perturbed_program_run& again, const warpz_trace& first,
                                                   double timeout_seconds) {
  perturbed_program program(again);
  return search_undefined_values(program, first, timeout_seconds);
}

}  // namespace warpz
