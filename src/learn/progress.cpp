// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/progress.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <sstream>
#include <utility>

#include "error.hpp"
#include "findings/kinds.hpp"
#include "system/descriptor.hpp"
#include "system/file_content.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::string_view hint_event = "hint";
constexpr std::string_view reset_event = "reset";
constexpr std::string_view choice_event = "chosen";

}  // namespace

std::string outcome_words(std::string_view outcome) {
  if (outcome == outcome_passed) return "right";
  if (outcome == outcome_cost) return "right, but too costly";
  if (outcome == "wrong_result") return "wrong";
  if (outcome == "hidden_case") return "wrong on another input";
  if (const finding_kind* const kind = kind_named(outcome)) return std::string(kind->noun);
  std::string words(outcome);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

progress::progress(std::string file) : file_(std::move(file)) {
  std::istringstream lines(os::content_of(file_).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    // The line that a crash cut off is the last one.
    if (lines.eof()) break;
    std::istringstream words(line);
    std::string date, time, flag, event;
    words >> date >> time >> flag >> std::ws;
    std::getline(words, event);
    const puzzle* const task = find_puzzle(flag);
    if (task != nullptr && !event.empty()) apply(*task, event);
  }
}

const puzzle_progress& progress::of(const puzzle& task) const {
  static const puzzle_progress none;
  const auto found = puzzles_.find(&task);
  return found == puzzles_.end() ? none : found->second;
}

void progress::apply(const puzzle& task, const std::string& event) {
  puzzle_progress& one = puzzles_[&task];
  last_ = &task;
  if (event == choice_event) return;
  if (event == reset_event) {
    one = {};
  } else if (event.starts_with(hint_event)) {
    const auto number = parse_whole(event.substr(std::min(hint_event.size() + 1, event.size())));
    if (number) one.hints.insert(*number);
  } else {
    ++one.attempts;
    one.last = event;
    one.is_done |= event == outcome_passed;
  }
}

void progress::add_attempt(const puzzle& task, std::string_view outcome) { add(task, std::string(outcome)); }

void progress::add_hint(const puzzle& task, std::size_t number) { add(task, fmt::format("{} {}", hint_event, number)); }

void progress::add_choice(const puzzle& task) { add(task, std::string(choice_event)); }

void progress::add_reset(const puzzle& task) { add(task, std::string(reset_event)); }

void progress::add(const puzzle& task, const std::string& event) {
  const os::descriptor file(open(file_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  const off_t size = file ? lseek(file.number(), 0, SEEK_END) : -1;
  char last = '\n';
  if (size > 0 && pread(file.number(), &last, 1, size - 1) != 1) last = '\n';
  const std::string line = fmt::format("{}{:%F %T} {} {}\n",
                                       size == 0      ? first_line
                                       : last != '\n' ? "\n"
                                                      : "",
                                       fmt::localtime(std::time(nullptr)), task.flag, event);
  if (size < 0 || write(file.number(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    throw error(exit_code::bad_input, fmt::format("cannot write {}: {}", printable(file_), std::strerror(errno)),
                "It keeps what you have done.");
  }
  fdatasync(file.number());
  apply(task, event);
}

}  // namespace warpz
