// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/undefined_values.hpp"

#include <optional>

#include "run/experiments/undefined_search.hpp"

namespace warpz {
namespace {

class perturbed_kernel final : public perturbed_run {
 public:
  perturbed_kernel(kernel_process& on, const kernel_run& what, const kernel_result& first) : again_(on, what, first) {}

  bool possible() const { return again_.possible(); }

  end run(const warpz_perturbation& perturbation, double timeout_seconds) override {
    last_ = again_.run(perturbation, timeout_seconds);
    return {last_.trace, last_.module_base, last_.stopped,
            !last_.findings.empty() && last_.findings.back().kind == WARPZ_NO_PROGRESS};
  }
  void compare_with_last() override { again_.compare_with(last_); }
  bool is_same() override { return again_.is_same(last_); }
  void tell_difference(located_finding& in) override {
    if (const std::optional<data_difference> where = again_.difference()) set_element(in.record, *where);
  }

 private:
  kernel_replay again_;
  kernel_result last_;
};

}  // namespace

std::vector<located_finding> find_undefined_values(kernel_process& on, const kernel_run& what,
                                                   const kernel_result& first) {
  if (first.trace.events == 0 || !may_be_searched(first.stopped, first.findings)) return {};
  perturbed_kernel again(on, what, first);
  if (!again.possible()) return {};
  return search_undefined_values(again, first.trace, what.settings.timeout_seconds);
}

}  // namespace warpz
