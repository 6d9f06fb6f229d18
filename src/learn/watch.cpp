// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/watch.hpp"

#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <utility>

#include "error.hpp"
#include "learn/hints.hpp"
#include "learn/judge_command.hpp"
#include "learn/terminal.hpp"
#include "learn/watch_view.hpp"
#include "process/another_warpz.hpp"
#include "report/progress_line.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::string_view ending = ".hip";

/// The signals that a screen has to know of, taken from a descriptor.
class screen_signals {
 public:
  screen_signals() {
    sigemptyset(&set_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH}) sigaddset(&set_, number);
    block();
    taken_ = os::descriptor(signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  ~screen_signals() { unblock(); }
  screen_signals(const screen_signals&) = delete;
  screen_signals& operator=(const screen_signals&) = delete;

  void block() const { sigprocmask(SIG_BLOCK, &set_, nullptr); }
  void unblock() const { sigprocmask(SIG_UNBLOCK, &set_, nullptr); }
  int number() const { return taken_.number(); }

  /// 0: there is none.
  int take() const {
    signalfd_siginfo info{};
    return read(taken_.number(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  sigset_t set_{};
  os::descriptor taken_;
};

/// Tells which puzzles' files were written.
class saved_files {
 public:
  explicit saved_files(const std::string& folder) : events_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    // Editors write a file, or put a new one in its place.
    const std::uint32_t wanted = IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR;
    if (!events_ || inotify_add_watch(events_.number(), folder.c_str(), wanted) < 0) {
      throw error(exit_code::bad_input, fmt::format("cannot watch {}: {}", printable(folder), std::strerror(errno)));
    }
  }

  int number() const { return events_.number(); }

  /// The puzzle whose file was saved last; null where none was.
  const puzzle* take() const {
    const puzzle* saved = nullptr;
    alignas(inotify_event) std::array<char, 16 * (sizeof(inotify_event) + NAME_MAX + 1)> events;
    for (ssize_t count = 0; (count = read(events_.number(), events.data(), events.size())) > 0;) {
      for (const char* place = events.data(); place < events.data() + count;) {
        const auto* const event = reinterpret_cast<const inotify_event*>(place);
        if ((event->mask & IN_IGNORED) != 0) throw error(exit_code::bad_input, "the folder that is watched is gone");
        const std::string_view name = event->len != 0 ? event->name : "";
        const bool is_kernel = name.ends_with(ending);
        const puzzle* const task = is_kernel ? find_puzzle(name.substr(0, name.size() - ending.size())) : nullptr;
        if (task != nullptr) saved = task;
        place += sizeof(inotify_event) + event->len;
      }
    }
    return saved;
  }

 private:
  os::descriptor events_;
};

class watch_session {
 public:
  watch_session(const course& all, const working_copy& copy, std::string program, bool has_color)
      : all_(all),
        copy_(copy),
        program_(std::move(program)),
        done_(fmt::format("{}/{}", copy.folder(), progress::file_name)),
        saved_(copy.folder()) {
    state_.has_color = has_color;
    select(current_lesson(all, done_));
  }

  int run() {
    while (!exit_code_) {
      show();
      wait();
    }
    return *exit_code_;
  }

 private:
  void show() const {
    const auto [rows, columns] = terminal_.size();
    terminal_.show(watch_lines(all_, done_, state_, rows, columns));
  }

  /// Goes to a puzzle, and judges its file if there is something to judge.
  void select(const lesson& chosen) {
    judging_.reset();
    state_.running.reset();
    if (state_.current != &chosen) {
      const solution_run solution = run_solution(program_, *chosen.task);
      state_.solution = solution.costs;
      state_.limit = solution.limit;
    }
    state_.current = &chosen;
    state_.page.clear();
    state_.last.reset();
    const std::string file = copy_.file_of(*chosen.task);
    state_.file = printable(shell_word(file));
    state_.is_begun = copy_.is_begun(*chosen.task);
    state_.note = note_on_file();
    if (!state_.is_begun) return;
    judging_ = std::make_unique<another_warpz>(judge_command(program_, *chosen.task, file, state_.limit),
                                               std::vector{fmt::format("{}=1", progress_variable)});
    state_.running_text.clear();
    began_ = clock::now();
    state_.running = 0;
  }

  std::string note_on_file() const {
    const puzzle& task = *state_.current->task;
    const std::string file = copy_.file_of(task);
    if (access(file.c_str(), F_OK) == 0) return fmt::format("judged when you save it: {}", printable(file));
    return fmt::format("{} is not there: warpz reset {}{} writes it", printable(file), task.flag, puzzles_option());
  }

  void take_result() {
    state_.last = read_judgement(judging_->output(), without_progress(judging_->messages()));
    apply_goals(*state_.last, state_.solution, state_.current->goals);
    judging_.reset();
    state_.running.reset();
    const puzzle& task = *state_.current->task;
    if (state_.last->outcome != "error") done_.add_attempt(task, state_.last->outcome);
    if (all_left_.empty() && summary_.empty()) return;
    summary_ += fmt::format("  {:<32}{}\n", task.flag, outcome_words(state_.last->outcome));
    judge_next_of_all();
  }

  void judge_next_of_all() {
    if (!all_left_.empty()) {
      const lesson& next = *all_left_.front();
      all_left_.pop_front();
      select(next);
      state_.page = summary_;
      if (judging_) return;
      // The learner's own puzzle, which is not begun: the next session is to find it all the same.
      if (done_.last() != next.task) done_.add_choice(*next.task);
    }
    state_.page = std::exchange(summary_, {});
    state_.note = "all that is begun was judged";
  }

  /// The puzzle that the screen shows comes last, so that it stays there.
  void judge_all() {
    all_left_.clear();
    for (const lesson& each : all_.lessons()) {
      if (&each != state_.current && copy_.is_begun(*each.task)) all_left_.push_back(&each);
    }
    const bool is_none = all_left_.empty() && !copy_.is_begun(*state_.current->task);
    summary_ = is_none ? "Nothing is begun.\n" : "All that is begun:\n";
    all_left_.push_back(state_.current);
    judge_next_of_all();
  }

  void wait() {
    std::vector<pollfd> polled{{STDIN_FILENO, POLLIN, 0}, {signals_.number(), POLLIN, 0}, {saved_.number(), POLLIN, 0}};
    if (judging_) {
      if (judging_->is_over(polled)) take_result();
      if (judging_) state_.running = std::chrono::duration<double>(clock::now() - began_).count();
      if (judging_) state_.running_text = running_text(judging_->messages());
    }
    if (poll(polled.data(), polled.size(), judging_ ? 0 : -1) <= 0) return;
    if (polled[1].revents != 0) take_signal();
    if (polled[0].revents != 0) take_keys();
    if (polled[2].revents == 0) return;
    if (const puzzle* const task = saved_.take()) {
      all_left_.clear();
      summary_.clear();
      select(all_.lesson_of(*task));
    }
  }

  void take_signal() {
    const int number = signals_.take();
    if (number == SIGTSTP) {
      terminal_.leave();
      raise(SIGSTOP);
      terminal_.enter();
    } else if (number != 0 && number != SIGWINCH) {
      exit_code_ = 128 + number;
    }
  }

  void take_keys() {
    std::array<char, 64> typed;
    const ssize_t count = read(STDIN_FILENO, typed.data(), typed.size());
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) exit_code_ = 0;
    // An arrow, or another key that sends several characters.
    if (count <= 0 || typed[0] == '\x1b') return;
    for (ssize_t i = 0; i < count; ++i) take_key(typed[static_cast<std::size_t>(i)]);
  }

  void take_key(char key) {
    switch (key) {
      case 'h':
        return show_hint();
      case 'k':
        return show_task();
      case 't':
        return show_trace();
      case 'p':
        return write_page();
      case 'a':
        return judge_all();
      case 'n':
        if (const lesson* const next = next_open(all_, done_, state_.current)) go_on_to(*next);
        return;
      case 'q':
        exit_code_ = 0;
        return;
      default:
        // Any other key leads back to the verdict.
        state_.page.clear();
        state_.note = note_on_file();
    }
  }

  /// Also the next time.
  void go_on_to(const lesson& next) {
    done_.add_choice(*next.task);
    select(next);
  }

  void show_hint() {
    const lesson& current = *state_.current;
    const std::optional<std::size_t> number = next_hint(current, done_.of(*current.task));
    if (!number) {
      state_.note = fmt::format("That were all hints. warpz hint {} --solution{} shows the solution",
                                current.task->flag, puzzles_option());
      return;
    }
    done_.add_hint(*current.task, *number);
    state_.page = hint_text(current, *number, done_.of(*current.task).hints.size(), terminal_.size().columns);
    state_.note = "any other key: back";
  }

  void show_task() {
    state_.page.clear();
    for (const std::string& line : task_lines(all_, *state_.current, SIZE_MAX, terminal_.size().columns))
      state_.page += line + "\n";
    state_.note =
        fmt::format("any other key: back; all of it: {}", printable(copy_.task_file_of(*state_.current->task)));
  }

  std::string trace_command() const {
    const puzzle& task = *state_.current->task;
    std::error_code failed;
    std::string words = shell_word(std::filesystem::read_symlink("/proc/self/exe", failed).string());
    for (const std::string& each : words_for(task)) words += " " + shell_word(each);
    // On the input of the verdict that the screen shows.
    const std::string judged = state_.last ? state_.last->trace_options : "";
    return fmt::format("{} --kernel {} --backend cpu --timeout 5 --time-limit 5 {}", words,
                       shell_word(copy_.file_of(task)), judged);
  }

  /// In the terminal's own pager.
  void show_trace() {
    terminal_.leave();
    signals_.unblock();
    // less says at its end how one gets back. A small system may lack it.
    constexpr std::string_view choice = "command -v less >/dev/null || : \"${PAGER:=more}\"";
    constexpr std::string_view pager = "${PAGER:-less -R '-Psarrows\\: move, q\\: back to warpz watch'}";
    const std::string command = fmt::format("{}; {} --trace text 2>&1 | {}", choice, trace_command(), pager);
    const int status = std::system(command.c_str());
    signals_.block();
    terminal_.enter();
    state_.note = status == 0 ? note_on_file() : "the pager could not be started: set PAGER";
  }

  void write_page() {
    state_.note = "writing the page ...";
    show();
    const std::string page = fmt::format("{}/{}.html", copy_.folder(), state_.current->task->flag);
    const std::string command = fmt::format("{} --trace html -o {} >/dev/null 2>&1", trace_command(), shell_word(page));
    static_cast<void>(std::system(command.c_str()));
    const bool has_desktop = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
    const std::string open = fmt::format("xdg-open {} >/dev/null 2>&1 &", shell_word(page));
    if (has_desktop) static_cast<void>(std::system(open.c_str()));
    state_.note = access(page.c_str(), F_OK) == 0
                      ? fmt::format("the lanes, step by step, for a browser: {}", printable(page))
                      : "there is no page: the file does not compile";
  }

  const course& all_;
  const working_copy& copy_;
  const std::string program_;
  progress done_;
  saved_files saved_;
  watch_state state_;
  std::unique_ptr<another_warpz> judging_;
  clock::time_point began_;
  std::deque<const lesson*> all_left_;  ///< to be judged, too
  std::string summary_;                 ///< how many files were judged, and how they ended
  std::optional<int> exit_code_;
  screen_signals signals_;
  terminal terminal_;  ///< the last: what goes wrong before is told on the usual screen
};

}  // namespace

int watch(const course& all, const working_copy& copy, const std::string& program, bool has_color) {
  return watch_session(all, copy, program, has_color).run();
}

}  // namespace warpz
