// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <utility>

#include "findings/kinds.hpp"
#include "report/details.hpp"
#include "report/finding_places.hpp"
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
    const std::string group = fmt::format("warpz.{}.warp{}", result.backend, result.warp_size);
    open_case(group, result.puzzle->flag, result.milliseconds / 1000);
    switch (result.result) {
      case verdict::passed:
        close_passed();
        break;
      case verdict::wrong_result:
        close_failure("wrong_result", mismatch_summary(result), result_text(result));
        break;
      case verdict::broken_rule:
        close_broken_rule(result, result_text(result));
        break;
    }
    const std::string flag(result.puzzle->flag);
    add_findings(result, group, flag + ": ", result.source.empty() ? flag : result.source);
  }

  /// A program without findings fails by its own exit code.
  void add(const user_program_outcome& result) override {
    if (!result.is_started) ++done_;
    const std::string group = fmt::format("warpz.cpu.warp{}", result.warp_size);
    const std::string name = printable(result.files.front());
    open_case(group, name, result.seconds);
    if (result.result != verdict::passed) {
      close_broken_rule(result, "");
    } else if (result.signal != 0) {
      close_error(signal_name(result.signal), signal_text(result), "");
    } else if (result.exit_code != 0) {
      close_failure(fmt::format("exit_code_{}", result.exit_code),
                    fmt::format("{} ended with exit code {}", name, result.exit_code), "");
    } else {
      close_passed();
    }
    add_findings(result, group, "", name);
  }

  void add(const refused_run& refused) override {
    ++done_;
    open_case("warpz", refused.task->flag, 0);
    close_error(refused.reason);
  }

  void end(int, const error* stopped_by) override {
    if (dynamic_cast<const compiled_file_kept*>(stopped_by) != nullptr) return;
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
                                           count_, failures_, errors_, seconds_);
    // Jenkins's schema counts skipped tests for each suite only.
    file_.replace(
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
                    "  <testsuite {0} skipped=\"{1}\">\n{2}  </testsuite>\n</testsuites>\n",
                    counts, skipped_, cases_));
  }

 private:
  void open_case(std::string_view group, std::string_view name, double seconds) {
    ++count_;
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

  /// The findings' own cases say the rest.
  void close_broken_rule(const outcome& result, const std::string& text) {
    const symbolized_finding* const first = first_reported(result);
    const warpz_finding record = first != nullptr ? first->record : warpz_finding{};
    const std::string rule = first != nullptr ? rule_text(*first) : "the kernel was stopped";
    close_error(kind_of(record.kind).name, rule, text + count_text(result));
  }

  /// A case for each finding, in the class of the run's own case. One that does not fail the run passes.
  void add_findings(const outcome& result, std::string_view group, std::string_view task, const std::string& file) {
    for (const symbolized_finding& each : result.findings) {
      if (each.suppressed || each.shown_on_purpose) continue;
      std::string name = fmt::format("{}{}", task, place_and_kind(each, file));
      if (const unsigned number = ++named_[fmt::format("{}.{}", group, name)]; number > 1)
        name += fmt::format(" ({})", number);
      open_case(group, name, 0);
      std::string text = finding_text(each);
      if (const std::string fix = fix_text(each); !fix.empty()) text += fmt::format("  {}\n", fix);
      if (each.record.severity == WARPZ_WARNING) {
        cases_ += fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", xml_text(text));
      } else {
        close_error(kind_of(each.record.kind).name, rule_text(each), text);
      }
    }
  }

  void close_case(std::string_view element, std::string_view type, std::string_view message, std::string_view text) {
    fmt::format_to(std::back_inserter(cases_),
                   ">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n", element, xml_text(type),
                   xml_text(message), xml_text(text));
  }

  output_file file_;
  std::vector<std::string> planned_;
  std::map<std::string, unsigned> named_;  ///< findings' cases, by class and name
  std::size_t done_ = 0, count_ = 0, failures_ = 0, errors_ = 0, skipped_ = 0;
  double seconds_ = 0;
  std::string cases_;
};

}  // namespace

std::unique_ptr<report> make_junit_report(const std::string& file) { return std::make_unique<junit_report>(file); }

}  // namespace warpz
