// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "findings/kinds.hpp"
#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "report/output_file.hpp"
#include "report/report.hpp"
#include "text/printable.hpp"
#include "text/xml.hpp"

namespace warpz {
namespace {

class junit_report final : public report {
 public:
  explicit junit_report(const std::string& file) : file_("--junit", file) {}

  void begin(const std::vector<std::string>& planned) override {
    planned_ = planned;
    file_.check();
  }

  void add(const puzzle_outcome& result) override {
    ++done_;
    open_case(fmt::format("warpz.{}.warp{}", result.backend, result.warp_size), result.puzzle->flag,
              result.milliseconds / 1000);
    switch (result.result) {
      case verdict::passed:
        close_passed();
        break;
      case verdict::wrong_result:
        close_failure("wrong_result", mismatch_summary(result), details_text(result));
        break;
      case verdict::broken_rule:
        close_broken_rule(result, details_text(result));
        break;
    }
  }

  /// A program without findings fails by its own exit code.
  void add(const user_program_outcome& result) override {
    ++done_;
    open_case(fmt::format("warpz.cpu.warp{}", result.warp_size), printable(result.files.front()), result.seconds);
    if (result.result != verdict::passed) {
      close_broken_rule(result, findings_text(result));
    } else if (result.signal != 0) {
      close_error(signal_name(result.signal), signal_text(result), "");
    } else if (result.exit_code != 0) {
      close_failure(fmt::format("exit_code_{}", result.exit_code),
                    fmt::format("{} ended with exit code {}", printable(result.files.front()), result.exit_code), "");
    } else {
      close_passed();
    }
  }

  void add(const refused_run& refused) override {
    ++done_;
    open_case("warpz", refused.task->flag, 0);
    close_error(refused.reason);
  }

  void end(int, const error* stopped_by) override {
    for (std::size_t i = done_; i < planned_.size(); ++i) {
      open_case("warpz", planned_[i], 0);
      if (stopped_by != nullptr && i == done_) {
        close_error(*stopped_by);
      } else {
        ++skipped_;
        cases_ += ">\n      <skipped/>\n    </testcase>\n";
      }
    }
    const std::string counts = fmt::format("name=\"warpz\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"",
                                           planned_.size(), failures_, errors_, seconds_);
    // Jenkins's schema counts skipped tests for each suite only.
    file_.replace(
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
                    "  <testsuite {0} skipped=\"{1}\">\n{2}  </testsuite>\n</testsuites>\n",
                    counts, skipped_, cases_));
  }

 private:
  void open_case(std::string_view group, std::string_view name, double seconds) {
    seconds_ += seconds;
    fmt::format_to(std::back_inserter(cases_), "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                   xml_text(group), xml_text(name), seconds);
  }

  void close_passed() { cases_ += "/>\n"; }

  void close_failure(std::string_view type, std::string_view message, std::string_view text) {
    ++failures_;
    close_case("failure", type, message, text);
  }

  void close_error(std::string_view type, std::string_view message, std::string_view text) {
    ++errors_;
    close_case("error", type, message, text);
  }

  void close_error(const error& reason) {
    close_error(fmt::format("exit_code_{}", static_cast<int>(reason.code())), reason.what(), reason.advice());
  }

  void close_broken_rule(const outcome& result, std::string_view text) {
    const symbolized_finding* const first = first_reported(result);
    const warpz_finding record = first != nullptr ? first->record : warpz_finding{};
    const std::string rule = first != nullptr ? rule_text(record) : "the kernel was stopped";
    close_error(kind_of(record.kind).name, rule, text);
  }

  void close_case(std::string_view element, std::string_view type, std::string_view message, std::string_view text) {
    fmt::format_to(std::back_inserter(cases_),
                   ">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n", element, xml_text(type),
                   xml_text(message), xml_text(text));
  }

  output_file file_;
  std::vector<std::string> planned_;
  std::size_t done_ = 0, failures_ = 0, errors_ = 0, skipped_ = 0;
  double seconds_ = 0;
  std::string cases_;
};

}  // namespace

std::unique_ptr<report> make_junit_report(const std::string& file) { return std::make_unique<junit_report>(file); }

}  // namespace warpz
