// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>

#include "report/colored.hpp"
#include "report/details.hpp"
#include "report/report.hpp"

namespace warpz {
namespace {

// How many elements of a long list are shown at either end.
constexpr std::size_t end_of_list = 3;

/// A cell of the table, and how many columns of the terminal it takes.
struct cell {
  std::string text;
  std::size_t width = 0;
};

cell plain_cell(std::string_view words) { return {std::string(words), words.size()}; }

struct table_row {
  std::string puzzle;
  cell result;
  std::string time;
};

class text_report final : public report {
 public:
  text_report(const report_style& style, output_stream& out, output_stream& err)
      : style_(style), out_(out), err_(err) {}

  void begin(std::span<const puzzle* const> planned) override { planned_ = planned; }

  void add(const outcome& of) override {
    if (!rows_.empty() && !style_.quiet) out_.write("\n");
    const std::string lanes = style_.tell_warp_size ? fmt::format(", {} lanes", of.warp_size) : "";
    rows_.push_back({std::string(of.of->flag) + lanes, result_cell(of.result), time_text(of)});
    if (!style_.quiet) write_data(of);
    const bool passed = of.result == verdict::passed;
    out_.write(fmt::format("{} {} test {}!{}\n", mark(passed), of.of->title, passed ? "passed" : "failed",
                           style_.quiet && style_.tell_warp_size ? fmt::format(" ({} lanes)", of.warp_size) : ""));
    // Where both go to one terminal, the result comes before what is said about it.
    out_.flush();
    if (!passed && !style_.quiet) write_details(of);
    if (passed && !of.findings.empty() && !style_.quiet) write_warnings(of);
  }

  void end(exit_code, const error* stopped_by) override {
    if (planned_.size() > 1 && !rows_.empty() && !style_.quiet) write_table(stopped_by != nullptr);
    out_.finish();
    err_.flush();
  }

 private:
  std::string mark(bool passed) const {
    if (style_.emoji) return passed ? "✅" : "❌";
    return passed ? colored("OK", green, style_.color_out) : colored("FAIL", red, style_.color_out);
  }

  void write_data(const outcome& of) {
    out_.write(fmt::format("WARP_SIZE:  {}\n{}:  {}\n", of.warp_size, of.of->size_label, of.size));
    if (of.output.empty()) return;
    write_list("output: ", of.output, of.of->style);
    write_list("expected: ", of.expected, of.of->style);
    if (of.pivot) {
      out_.write("pivot: ");
      out_.write(*of.pivot);
      out_.write("\n");
    }
    if (of.shape) out_.write(fmt::format("shape: {}\n", text_of(*of.shape)));
    if (!of.path.empty()) out_.write(fmt::format("path: {}\n", of.path));
  }

  void write_list(std::string_view name, std::span<const float> list, list_style how) {
    out_.write(name);
    out_.write(how == list_style::host_buffer ? "HostBuffer([" : "[");
    if (list.size() <= max_listed_elements || style_.full) {
      write_elements(list);
    } else {
      write_elements(list.first(end_of_list));
      out_.write(", ..., ");
      write_elements(list.last(end_of_list));
    }
    out_.write(how == list_style::host_buffer ? "])\n" : "]\n");
  }

  void write_elements(std::span<const float> elements) {
    if (elements.empty()) return;
    out_.write(elements.front());
    for (const float element : elements.subspan(1)) {
      out_.write(", ");
      out_.write(element);
    }
  }

  void write_details(const outcome& of) {
    const next_step next = next_after(of, style_.suggestions);
    err_.write(fmt::format("{}: {}: {}next: {}\n      {}\n", colored(verdict_words(of.result), red, style_.color_err),
                           of.of->flag, details_text(of), next.command, next.why));
    err_.flush();
  }

  /// What was found and fails nothing.
  void write_warnings(const outcome& of) {
    const std::string label = first_told(of) == nullptr ? "" : colored("warning", yellow, style_.color_err) + ": ";
    err_.write(fmt::format("{}{}: {}", label, of.of->flag, details_text(of)));
    err_.flush();
  }

  cell result_cell(verdict result) const {
    const std::string_view words = result == verdict::passed ? "" : verdict_words(result);
    // Both the letters and the pictures of a pass take two columns; so does the picture of a failure.
    const std::size_t mark_width = result == verdict::passed || style_.emoji ? 2 : 4;
    if (words.empty()) return {mark(true), mark_width};
    return {fmt::format("{} {}", mark(false), words), mark_width + 1 + words.size()};
  }

  static std::string time_text(const outcome& of) {
    return of.result == verdict::broken_rule ? "-" : fmt::format("{:.3f} ms", of.milliseconds);
  }

  void write_table(bool stopped) {
    std::vector<table_row> rows{{"puzzle", plain_cell("result"), "time"}};
    rows.insert(rows.end(), rows_.begin(), rows_.end());
    for (std::size_t i = rows_.size(); i < planned_.size(); ++i) {
      rows.push_back(
          {std::string(planned_[i]->flag), plain_cell(stopped && i == rows_.size() ? "error" : "not run"), "-"});
    }
    std::size_t puzzle_width = 0, result_width = 0, time_width = 0;
    for (const table_row& each : rows) {
      puzzle_width = std::max(puzzle_width, each.puzzle.size());
      result_width = std::max(result_width, each.result.width);
      time_width = std::max(time_width, each.time.size());
    }
    out_.write("\n");
    for (const table_row& each : rows) {
      out_.write(fmt::format("{:{}}  {}{:{}}  {:>{}}\n", each.puzzle, puzzle_width, each.result.text, "",
                             result_width - each.result.width, each.time, time_width));
    }
  }

  report_style style_;
  output_stream& out_;
  output_stream& err_;
  std::span<const puzzle* const> planned_;
  std::vector<table_row> rows_;
};

}  // namespace

std::unique_ptr<report> make_text_report(const report_style& style, output_stream& out, output_stream& err) {
  return std::make_unique<text_report>(style, out, err);
}

}  // namespace warpz
