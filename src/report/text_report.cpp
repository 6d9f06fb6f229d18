// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "counters/text.hpp"
#include "findings/symbols.hpp"
#include "report/colored.hpp"
#include "report/details.hpp"
#include "report/finding_places.hpp"
#include "report/report.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

// How many elements of a long list are shown at either end.
constexpr std::size_t end_of_list = 3;

/// A cell of the table, and its width in columns of the terminal.
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

  void begin(const std::vector<std::string>& planned) override { planned_ = planned; }

  void add(const puzzle_outcome& result) override {
    if (!rows_.empty() && !style_.quiet) out_.write("\n");
    const std::string place = run_place(result);
    rows_.push_back({std::string(result.puzzle->flag) + (place.empty() ? "" : ", " + place), result_cell(result.result),
                     time_text(result)});
    if (!style_.quiet) write_data(result);
    const bool passed = result.result == verdict::passed;
    passed_ += passed ? 1 : 0;
    out_.write(fmt::format("{} {} test {}!{}\n", mark(passed), result.puzzle->title, passed ? "passed" : "failed",
                           (style_.quiet || style_.show_backend) && !place.empty() ? " (" + place + ")" : ""));
    if (result.costs && style_.has_costs) out_.write("\n" + fitted(costs_text(*result.costs), style_.out_columns));
    // Where both streams go to one terminal, the result comes before its details.
    out_.flush();
    if (style_.quiet) {
      tell(places_text(result, result.source.empty() ? std::string(result.puzzle->flag) : result.source));
      err_.flush();
      return;
    }
    if (passed && !result.passed_hidden.empty()) {
      const auto is_other = [&](const std::string& each) { return each != result.puzzle->flag; };
      const bool is_one_of_many = std::any_of(planned_.begin(), planned_.end(), is_other);
      tell((is_one_of_many ? result.puzzle->flag + ": " : "") + passed_hidden_text(result.passed_hidden) + "\n");
      err_.flush();
    }
    if (passed && result.findings.empty()) return;
    write_details(result.puzzle->flag, result, details_text(result, details_style()));
    if (result.result == verdict::wrong_result && result.puzzle->style == list_style::host_buffer)
      tell("  HostBuffer([...]) is how the Mojo GPU Puzzles print a list: your kernel has a plain pointer.\n");
    if (!passed) write_next(next_after(result, style_.suggestions));
    write_pictures(pictures_of(result, style_.suggestions));
    err_.flush();
  }

  /// Findings only: the program itself has printed its results.
  void add(const user_program_outcome& result) override {
    if (result.is_started) return;
    const std::string name = printable(file_of_first(result));
    const std::string key = findings_key(result);
    if (style_.quiet) {
      tell(places_text(result, result.files.front()) + count_text(result));
    } else if (!result.findings.empty() && key == earlier_findings_) {
      write_details(name, result,
                    fmt::format("with {} lanes the same, at the same lines\n{}", result.warp_size, count_text(result)));
    } else if (!result.findings.empty()) {
      write_details(name, result, findings_text(result, details_style()));
    }
    earlier_findings_ = key;
    if (result.costs && style_.has_costs) err_.write(fitted(costs_text(*result.costs), style_.command_columns));
    is_clean_program_ =
        is_clean_program_.value_or(true) && result.findings.empty() && result.is_checked && !result.started_broke_rule;
    launched_none_ = launched_none_ && result.launched_none;
    if (result.started_broke_rule)
      tell("warpz: a program that this one has started has broken a rule, as it says above\n");
    if (result.signal != 0) tell(fmt::format("warpz: {}\n", signal_text(result)));
    if (!style_.quiet) write_pictures(pictures_of(result, style_.suggestions));
    err_.flush();
  }

  void add(const refused_run& refused) override {
    if (!rows_.empty() && !style_.quiet) out_.write("\n");
    rows_.push_back({std::string(refused.task->flag), plain_cell("error"), "-"});
    out_.write(fmt::format("{} {} test failed!\n", mark(false), refused.task->title));
    out_.flush();
    err_.write(error_text(refused.reason, style_.columns));
    err_.flush();
  }

  void end(int, const error* stopped_by) override {
    if (planned_.size() > 1 && !rows_.empty() && !style_.quiet) write_table(stopped_by != nullptr);
    if (style_.quiet && style_.counts_all && stopped_by == nullptr)
      out_.write(fmt::format("{} of {} passed\n", passed_, planned_.size()));
    if (is_clean_program_.value_or(false) && stopped_by == nullptr && !style_.quiet)
      err_.write(launched_none_ ? "warpz: nothing found, and no kernel was launched\n" : "warpz: nothing found\n");
    out_.finish();
    err_.flush();
  }

 private:
  text_style details_style() const { return {style_.color_err ? quoting::colored : quoting::plain, style_.columns}; }

  void tell(std::string_view text) { err_.write(fitted(text, style_.columns)); }

  std::string mark(bool passed) const {
    if (style_.emoji) return passed ? "✅" : "❌";
    return passed ? colored("OK", green, style_.color_out) : colored("FAIL", red, style_.color_out);
  }

  /// By what one of several runs of a puzzle is told from the others; empty where nothing has to be.
  std::string run_place(const puzzle_outcome& result) const {
    if (style_.show_backend) return printable(result.backend);
    return style_.show_warp_size ? fmt::format("{} lanes", result.warp_size) : "";
  }

  void write_data(const puzzle_outcome& result) {
    out_.write(fmt::format("WARP_SIZE:  {}\n{}:  {}\n", result.warp_size, result.puzzle->size_label, result.size));
    if (result.output.empty()) return;
    write_list("output: ", result.output.all(), result.puzzle->style);
    write_list("expected: ", result.expected.all(), result.puzzle->style);
    if (result.pivot) {
      out_.write("pivot: ");
      out_.write(*result.pivot);
      out_.write("\n");
    }
    if (result.shape) out_.write(fmt::format("shape: {}\n", text_of(*result.shape)));
    if (!result.path.empty()) out_.write(fmt::format("path: {}\n", result.path));
  }

  void write_list(std::string_view name, std::span<const float> list, list_style style) {
    const std::string_view opening = style == list_style::host_buffer ? "HostBuffer([" : "[";
    out_.write(name);
    out_.write(opening);
    column_ = name.size() + opening.size();
    if (list.size() <= max_listed_elements || style_.full) {
      write_elements(list);
    } else {
      write_elements(list.first(end_of_list));
      write_further_item("...");
      write_further_elements(list.last(end_of_list));
    }
    out_.write(style == list_style::host_buffer ? "])\n" : "]\n");
  }

  void write_elements(std::span<const float> elements) {
    if (elements.empty()) return;
    out_.write(elements.front());
    if (is_out_limited()) column_ += number_text(elements.front()).size();
    write_further_elements(elements.subspan(1));
  }

  void write_further_elements(std::span<const float> elements) {
    for (const float element : elements) {
      if (is_out_limited()) {
        write_further_item(number_text(element));
      } else {
        out_.write(", ");
        out_.write(element);
      }
    }
  }

  /// Of a list. On a terminal, lines are broken before an item, and not within a number.
  void write_further_item(std::string_view item) {
    constexpr std::string_view comma = ", ", comma_and_line = ",\n  ", longest_end = "])";
    const bool fits = column_ + comma.size() + item.size() + longest_end.size() <= style_.out_columns;
    out_.write(fits ? comma : comma_and_line);
    out_.write(item);
    column_ = (fits ? column_ : 0) + comma.size() + item.size();
  }

  bool is_out_limited() const { return style_.out_columns != std::numeric_limits<std::size_t>::max(); }

  /// Writes what is wrong, or the findings that do not fail the run.
  void write_details(std::string_view name, const outcome& result, std::string_view details) {
    std::string label;
    if (result.result != verdict::passed) {
      label = colored(verdict_words(result.result), red, style_.color_err) + ": ";
    } else if (first_reported(result) != nullptr) {
      label = colored("warning", yellow, style_.color_err) + ": ";
    }
    tell(fmt::format("{}{}: {}", label, name, details));
    if (result.findings.empty() || has_said_why_no_lines_ || why_no_lines().empty()) return;
    tell(fmt::format("  {}\n", why_no_lines()));
    has_said_why_no_lines_ = true;
  }

  void write_command(std::string_view label, std::string_view command) {
    err_.write(broken_command(label, command, style_.command_columns) + "\n");
  }

  void write_next(const std::optional<next_step>& next) {
    if (!next) return;
    write_command("next: ", next->command);
    tell(fmt::format("      {}\n", next->why));
  }

  void write_pictures(const std::vector<picture>& all) {
    for (const picture& each : all) {
      write_command("see:  ", each.command);
      if (all.size() > 1) tell(fmt::format("      {}\n", each.shows));
    }
  }

  cell result_cell(verdict result) const {
    const std::string_view words = result == verdict::passed ? "" : verdict_words(result);
    // Both the letters and the pictures of a pass take two columns; so does the picture of a failure.
    const std::size_t mark_width = result == verdict::passed || style_.emoji ? 2 : 4;
    if (words.empty()) return {mark(true), mark_width};
    return {fmt::format("{} {}", mark(false), words), mark_width + 1 + words.size()};
  }

  static std::string time_text(const puzzle_outcome& result) {
    return result.result == verdict::broken_rule ? "-" : fmt::format("{:.3f} ms", result.milliseconds);
  }

  void write_table(bool stopped) {
    std::vector<table_row> rows{{"puzzle", plain_cell("result"), "time"}};
    rows.insert(rows.end(), rows_.begin(), rows_.end());
    for (std::size_t i = rows_.size(); i < planned_.size(); ++i) {
      rows.push_back({planned_[i], plain_cell(stopped && i == rows_.size() ? "error" : "not run"), "-"});
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
  std::vector<std::string> planned_;
  std::vector<table_row> rows_;
  std::size_t passed_ = 0;
  std::size_t column_ = 0;        ///< of `out_`, within a list
  std::string earlier_findings_;  ///< the key of those in the program's run with other lanes
  bool has_said_why_no_lines_ = false;
  bool launched_none_ = true;             ///< in all runs of the user's program
  std::optional<bool> is_clean_program_;  ///< all runs of the user's program so far were checked without a finding
};

}  // namespace

std::unique_ptr<report> make_text_report(const report_style& style, output_stream& out, output_stream& err) {
  return std::make_unique<text_report>(style, out, err);
}

}  // namespace warpz
