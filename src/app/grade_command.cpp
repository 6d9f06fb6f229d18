// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/grade_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/own_puzzles.hpp"
#include "app/puzzle_named.hpp"
#include "error.hpp"
#include "learn/grade_report.hpp"
#include "report/output_file.hpp"
#include "system/usable_cores.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// The puzzles in lists and folders, each once.
std::vector<const puzzle*> puzzles_asked_for(std::span<const std::string> values) {
  std::vector<const puzzle*> wanted;
  for (const std::string& each : values) {
    for (const puzzle* const one : is_puzzle_folder_value(each) ? own_puzzles_in(each) : puzzles_named(each)) {
      if (std::find(wanted.begin(), wanted.end(), one) == wanted.end()) wanted.push_back(one);
    }
  }
  return wanted;
}

/// A file that is written at the end, and can be: an hour's work is not lost to a wrong name.
struct wanted_file {
  output_file file;
  std::string (*text)(const class_results& results);
};

std::vector<wanted_file> wanted_files(const word_command& command) {
  std::vector<wanted_file> wanted;
  const auto add = [&](const char* option, const std::optional<std::string>& path,
                       std::string (*text)(const class_results&)) {
    if (path) wanted.push_back({output_file(option, *path), text});
  };
  add("--csv", command.csv, class_csv);
  add("--json", command.json, class_json);
  add("--junit", command.junit, class_junit);
  add("--html", command.html, class_html);
  for (wanted_file& each : wanted) each.file.check();
  return wanted;
}

}  // namespace

int run_grade_command(const word_command& command, const std::string& program, output_stream& out,
                      piece_runner* files) {
  if (files != nullptr && command.jobs != 0)
    throw error(exit_code::bad_input,
                "--jobs: each worker judges one file at a time, and mpirun or WARPZ_WORKERS says how many there are");
  class_results results;
  results.tasks = command.puzzles.empty() ? puzzles_in(command.operands) : puzzles_asked_for(command.puzzles);
  const std::vector<submission> all = find_submissions(command.operands, results.tasks);
  if (results.tasks.empty() || all.empty()) {
    throw error(exit_code::bad_input, "no student has a file for any puzzle",
                "Each student has a folder, and in it files such as neighbor.hip.");
  }
  const bool is_helper = files != nullptr && files->is_helper();
  std::vector<wanted_file> written = is_helper ? std::vector<wanted_file>() : wanted_files(command);
  const class_table table(results.tasks, all);
  out.write(table.head());
  out.flush();
  threads_runner here(command.jobs != 0 ? command.jobs : os::usable_cores());
  const grading request{program, command.limit, files != nullptr ? files : &here};
  grade(request, all, results.tasks, [&](const graded_student& one) {
    out.write(table.row(one));
    out.flush();
    results.students.push_back(one);
  });
  results.copies = find_copies(all, results.tasks);
  out.write(left_out_text(results.students));
  out.write(copies_text(results.copies));
  for (wanted_file& each : written) each.file.replace(each.text(results));
  const auto is_all_right = [](const graded_student& one) { return one.right() == one.files.size(); };
  return std::all_of(results.students.begin(), results.students.end(), is_all_right) ? 0 : 1;
}

}  // namespace warpz
