// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reports of a run of warpz: text, JSON, JUnit's XML and SARIF. Each of them reports puzzles as well as user
// programs.
//
// A report knows neither backends nor options, runs nothing and decides nothing. It never loses output silently: a
// failed write is an error.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "error.hpp"
#include "findings/outcome.hpp"
#include "report/output_stream.hpp"

namespace warpz {

/// A planned run that was skipped because its kernel's file cannot be used. Other runs go on.
struct refused_run {
  const puzzle* task;
  std::string file;
  error reason;
};

class report {
 public:
  report() = default;
  report(const report&) = delete;
  report& operator=(const report&) = delete;
  virtual ~report() = default;

  /// Once, before the first run. `planned` names each run to come, in that order: by the puzzle's flag or the user
  /// program's first file. Throws where the report could not be written.
  virtual void begin(const std::vector<std::string>& planned) = 0;

  /// After each run.
  virtual void add(const puzzle_outcome& result) = 0;
  virtual void add(const user_program_outcome& result) = 0;
  virtual void add(const refused_run& refused) = 0;

  /// Once, at the end, also when an error stopped the work before all planned runs. `code` is warpz's exit code. main
  /// prints the error; reports in files contain it, too.
  virtual void end(int code, const error* stopped_by) = 0;
};

/// The parts of a suggested command that are not in the outcome.
struct suggestion_style {
  std::string program = "warpz";   ///< as a shell word
  std::string kept_options;        ///< shell words to repeat, other than those of data, device, warp size and schedules
  std::string schedule_options;    ///< shell words of the schedules that the user chose
  std::string device_options;      ///< shell words of the backend and device that the user chose
  std::string cpu_options;         ///< shell words of the CPU machine, which checks every lane
  bool is_fixed_module = false;    ///< the kernels are a compiled file, which runs only on the device it is built for
  bool can_trace = false;          ///< the same run can be traced
  std::string picture = {};        ///< the file that a trace is drawn to
  std::string program_files = {};  ///< for a user's program: shell words from --run to its last file
  std::string program_words = {};  ///< shell words from --cxxflags, or from --, to the end, after a blank
};

struct report_style {
  bool full = false;            ///< long lists in full
  bool quiet = false;           ///< only the last line of each puzzle, and a line for each finding
  bool counts_all = false;      ///< with `quiet`: a last line says how many have passed
  bool show_warp_size = false;  ///< as it differs between the runs
  bool show_backend = false;    ///< likewise
  bool emoji = false;
  bool color_out = false;
  bool color_err = false;
  bool has_costs = true;                                          ///< with the counts of --counters
  std::size_t columns = std::numeric_limits<std::size_t>::max();  ///< of what goes to `err`, but for commands
  /// Of commands that are to be copied, and of costs: their lines are broken only where the terminal is narrower.
  std::size_t command_columns = std::numeric_limits<std::size_t>::max();
  std::size_t out_columns = std::numeric_limits<std::size_t>::max();  ///< the same, on `out`
  suggestion_style suggestions = {};
};

/// Lists with more elements are shortened to their ends, unless style.full.
inline constexpr std::size_t max_listed_elements = 1024;

/// Text: results on `out`, in the format of expected/; what went wrong on `err`. Keeps references.
std::unique_ptr<report> make_text_report(const report_style& style, output_stream& out, output_stream& err);

/// The version of all that --format json prints. It grows when a key changes its meaning or goes away, not when one is
/// added.
inline constexpr int json_format_version = 1;

/// The verdict's name in JSON: "wrong_result".
std::string_view verdict_name(verdict result);

/// One JSON object on `out`, as docs/output.schema.json describes. Keeps a reference.
std::unique_ptr<report> make_json_report(output_stream& out, bool full = false);

/// JUnit's XML in a file. After end() the file is complete, or as it was before.
std::unique_ptr<report> make_junit_report(const std::string& file);

/// SARIF 2.1.0 in a file. After end() the file is complete, or as it was before.
std::unique_ptr<report> make_sarif_report(const std::string& file);

/// Passes everything on to several reports, also after one of them has failed; then throws the first error.
std::unique_ptr<report> make_report_group(std::vector<std::unique_ptr<report>> members);

}  // namespace warpz
