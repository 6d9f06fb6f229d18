// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "exit_codes.hpp"
#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "report/output_file.hpp"
#include "report/report.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Text for an element's content or an attribute's value. XML 1.0 has no way at all to hold most control characters
/// or bytes that are no UTF-8; they become \xNN.
std::string xml(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    for (const char c : printable(line, line.size())) {
      switch (c) {
        case '&':
          escaped += "&amp;";
          break;
        case '<':
          escaped += "&lt;";
          break;
        case '>':
          escaped += "&gt;";
          break;
        case '"':
          escaped += "&quot;";
          break;
        default:
          escaped += c;
          break;
      }
    }
    // As a reference it survives in an attribute, where a plain one is read as a blank.
    if (line.size() != text.size()) escaped += "&#10;";
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return escaped;
}

class junit_report final : public report {
 public:
  explicit junit_report(const std::string& file) : file_("--junit", file) {}

  void begin(std::span<const puzzle* const> planned) override {
    planned_ = planned;
    file_.check();
  }

  void add(const outcome& of) override {
    ++done_;
    seconds_ += of.milliseconds / 1000;
    const std::string group = fmt::format("warpz.{}.warp{}", of.backend, of.warp_size);
    open_case(group, of.of->flag, of.milliseconds / 1000);
    switch (of.result) {
      case verdict::passed:
        cases_ += "/>\n";
        break;
      case verdict::wrong_result:
        ++failures_;
        close_case("failure", "wrong_result", mismatch_summary(of), details_text(of));
        break;
      case verdict::broken_rule: {
        ++errors_;
        const symbolized_finding* const told = first_told(of);
        const std::string rule = told != nullptr ? rule_text(told->record) : "the kernel was stopped";
        close_case("error", told != nullptr ? kind_name(told->record.kind) : "unknown", rule, details_text(of));
        break;
      }
    }
  }

  void end(exit_code, const error* stopped_by) override {
    for (std::size_t i = done_; i < planned_.size(); ++i) {
      open_case("warpz", planned_[i]->flag, 0);
      if (stopped_by != nullptr && i == done_) {
        ++errors_;
        close_case("error", fmt::format("exit_code_{}", static_cast<int>(stopped_by->code())), stopped_by->what(),
                   stopped_by->advice());
      } else {
        ++skipped_;
        cases_ += ">\n      <skipped/>\n    </testcase>\n";
      }
    }
    const std::string counts =
        fmt::format("name=\"warpz\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"",
                    planned_.size(), failures_, errors_, skipped_, seconds_);
    file_.replace(
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite {0}>\n{1}"
                    "  </testsuite>\n</testsuites>\n",
                    counts, cases_));
  }

 private:
  void open_case(std::string_view group, std::string_view name, double seconds) {
    fmt::format_to(std::back_inserter(cases_), "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\"", xml(group),
                   xml(name), seconds);
  }

  void close_case(std::string_view element, std::string_view type, std::string_view message, std::string_view text) {
    fmt::format_to(std::back_inserter(cases_),
                   ">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n", element, xml(type),
                   xml(message), xml(text));
  }

  output_file file_;
  std::span<const puzzle* const> planned_;
  std::size_t done_ = 0, failures_ = 0, errors_ = 0, skipped_ = 0;
  double seconds_ = 0;
  std::string cases_;
};

}  // namespace

std::unique_ptr<report> make_junit_report(const std::string& file) { return std::make_unique<junit_report>(file); }

}  // namespace warpz
