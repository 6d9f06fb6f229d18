// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <exception>
#include <utility>

#include "report/report.hpp"

namespace warpz {
namespace {

class report_group final : public report {
 public:
  explicit report_group(std::vector<std::unique_ptr<report>> members) : members_(std::move(members)) {}

  void begin(const std::vector<std::string>& planned) override {
    for_each([&](report& member) { member.begin(planned); });
  }
  void add(const puzzle_outcome& result) override {
    for_each([&](report& member) { member.add(result); });
  }
  void add(const user_program_outcome& result) override {
    for_each([&](report& member) { member.add(result); });
  }
  void add(const refused_run& refused) override {
    for_each([&](report& member) { member.add(refused); });
  }
  void end(int code, const error* stopped_by) override {
    for_each([&](report& member) { member.end(code, stopped_by); });
  }

 private:
  template <class Call>
  void for_each(Call call) {
    std::exception_ptr first;
    for (const std::unique_ptr<report>& member : members_) {
      try {
        call(*member);
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    }
    if (first) std::rethrow_exception(first);
  }

  std::vector<std::unique_ptr<report>> members_;
};

}  // namespace

std::unique_ptr<report> make_report_group(std::vector<std::unique_ptr<report>> members) {
  return std::make_unique<report_group>(std::move(members));
}

}  // namespace warpz
