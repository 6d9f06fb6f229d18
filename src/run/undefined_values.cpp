// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/undefined_values.hpp"

#include <optional>

#include "run/undefined_search.hpp"

namespace warpz {
namespace {

class varied_kernel final : public varied_run {
 public:
  varied_kernel(session& on, const kernel_run& what, const kernel_result& first) : again_(on, what, first) {}

  bool possible() const { return again_.possible(); }

  end run(const warpz_variation& vary, double timeout_seconds) override {
    last_ = again_.run(vary, timeout_seconds);
    return {last_.trace, last_.module_base, last_.stopped,
            !last_.findings.empty() && last_.findings.back().kind == WARPZ_NO_PROGRESS};
  }
  void compare_with_last() override { again_.compare_with(last_); }
  bool is_same() override { return again_.is_same(last_); }
  void tell_difference(located_finding& in) override {
    if (const std::optional<data_difference> where = again_.difference()) set_element(in.record, *where);
  }

 private:
  reruns again_;
  kernel_result last_;
};

}  // namespace

std::vector<located_finding> find_undefined_values(session& on, const kernel_run& what, const kernel_result& first) {
  if (first.trace.events == 0 || !may_be_searched(first.stopped, first.findings)) return {};
  varied_kernel again(on, what, first);
  if (!again.possible()) return {};
  return search_undefined_values(again, first.trace, what.timeout_seconds);
}

}  // namespace warpz
