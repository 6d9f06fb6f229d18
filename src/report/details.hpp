// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong in a run, and the command to run next, as text for a person.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"
#include "report/source_quote.hpp"

namespace warpz {

/// "passed", "wrong result", "broken rule".
std::string_view verdict_words(verdict result);

/// "1 of 32 elements differs", "the only element differs".
std::string mismatch_summary(const puzzle_outcome& result);

/// The number of wrong elements, and a table of the first ones, as lines.
std::string wrong_result_text(const puzzle_outcome& result);

/// What was judged, where it is not the documented input; of a wrong result also the elements and the input, as lines.
std::string result_text(const puzzle_outcome& result);

/// All that is known about an outcome that has not passed, as lines, each ended. The first one continues
/// "wrong result: " or "broken rule: ".
std::string details_text(const puzzle_outcome& result, const text_style& style = {});

/// "right on 144 inputs that you have not seen, with 32 and with 64 lanes"; empty where it was not judged on those.
std::string passed_hidden_text(const std::vector<hidden_inputs>& passed);

/// The kinds, rules, memory and lines of the findings, without lanes and counts: equal where two runs show the same.
std::string findings_key(const outcome& result);

/// The findings, as lines, each ended.
std::string findings_text(const outcome& result, const text_style& style = {});

/// How many findings of each kind there are, errors first, and how many were suppressed, as a line: "found: 2 data
/// races (3 times)". Empty where there is at most one finding.
std::string count_text(const outcome& result);

/// An error as lines, each ended, of at most so many columns: what happened, and what to try. The words of a compiler
/// keep their lines.
std::string error_text(const error& reason, std::size_t columns);

/// The file in which the first reported finding is; where it has no place, the program's first file.
std::string file_of_first(const user_program_outcome& result);

/// The files of a program, fit for a report.
std::vector<std::string> printable_files(const user_program_outcome& result);

/// The signal that ended the user's program, in words; empty where it ended by itself.
std::string signal_text(const user_program_outcome& result);

/// The first finding that no line of a --suppress file accepts; null where there is none.
const symbolized_finding* first_reported(const outcome& result);

/// The command to run next, and what it shows.
struct next_step {
  std::string command;
  std::string why;
};

/// For an outcome that has not passed. Nothing where another run would show nothing new.
std::optional<next_step> next_after(const puzzle_outcome& result, const suggestion_style& style);

/// A command that draws a block, and what is found there: "data race at mine.hip:6, and 2 more findings".
struct picture {
  std::string command;
  std::string shows;
};

/// The commands that draw the findings and the first wrong element, each once, in the order of the findings. Findings
/// that no trace would show have none.
std::vector<picture> pictures_of(const puzzle_outcome& result, const suggestion_style& style);
std::vector<picture> pictures_of(const user_program_outcome& result, const suggestion_style& style);

}  // namespace warpz
