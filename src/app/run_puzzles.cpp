// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/run_puzzles.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "abi/finding_identity.hpp"
#include "app/captured_text.hpp"
#include "app/device_choice.hpp"
#include "app/divided_work.hpp"
#include "app/kernel_folder.hpp"
#include "app/kernel_time.hpp"
#include "app/reports.hpp"
#include "app/sent_outcome.hpp"
#include "app/settings_from_options.hpp"
#include "app/trace_output.hpp"
#include "cli/puzzle_warp_sizes.hpp"
#include "compile/kernel_file.hpp"
#include "error.hpp"
#include "exit_codes.hpp"
#include "input/input.hpp"
#include "learn/working_copy.hpp"
#include "pieces/bytes.hpp"
#include "report/progress_line.hpp"
#include "run/experiments/backends.hpp"
#include "run/experiments/warp_sizes.hpp"
#include "run/hidden_judge.hpp"
#include "run/puzzle_run.hpp"
#include "source/kernel_names.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

/// The flags of the puzzles, each once for each warp size or backend.
std::vector<std::string> planned_runs(const options& command) {
  std::vector<std::string> planned;
  for (const puzzle* const each : command.puzzles) {
    const std::size_t runs = command.device.compared_with_cpu ? 2 : warp_sizes_of(command).size();
    planned.insert(planned.end(), runs, std::string(each->flag));
  }
  return planned;
}

void choose_input(run_request& request, const options& command) {
  if (command.data.input) {
    request.given = shared_numbers(read_input(*command.data.input, command.data.size));
    request.input = {input_source::kind::file, *command.data.input};
  } else if (command.data.seed) {
    request.seed = *command.data.seed;
    request.input = {input_source::kind::random, std::to_string(*command.data.seed)};
  } else if (command.data.pattern) {
    request.input = {input_source::kind::pattern, *command.data.pattern};
  }
}

/// If the user chooses the data, only these are judged.
bool has_hidden_cases(const options& command) {
  const kernel_options& kernel = command.kernel;
  return kernel.file && !kernel.documented_only && !kernel.debugger && command.data == data_options();
}

/// The time limit of a hidden case, by how long the documented one took.
double hidden_seconds(const puzzle_outcome& documented) { return std::max(1.0, documented.milliseconds / 100); }

run_request hidden_request(run_request request, bool has_undefined_values) {
  // A search takes seven runs each time.
  request.seeks_undefined = !has_undefined_values;
  request.on_rerun = {};
  request.on_wait = {};
  request.runner = nullptr;
  request.is_silent = true;
  request.trace.reset();
  request.counts_costs = false;
  return request;
}

/// Throws where the file is not here, and the course's folder has one of this name.
void refuse_file_of_course(const std::string& file) {
  std::error_code failed;
  const std::optional<working_copy> course = working_copy::find({});
  if (!course || std::filesystem::exists(file, failed)) return;
  const std::string there = fmt::format("{}/{}", course->folder(), file);
  if (!std::filesystem::exists(there, failed)) return;
  throw error(exit_code::bad_input, fmt::format("there is no {} here", printable(file)),
              fmt::format("It is in the course: warpz {}", printable(shell_word(there))));
}

/// Where the command line does not say them: keeps the puzzles that the kernel's file is for, and takes the warp size
/// that it mentions.
void follow_source(options& command) {
  std::error_code failed;
  // Not a pipe, which can be read only once.
  if (!command.puzzles_of_kernel && !std::filesystem::is_regular_file(*command.kernel.file, failed)) return;
  refuse_file_of_course(*command.kernel.file);
  const std::string source = read_source(*command.kernel.file);
  if (!command.device.warp_size && !command.device.both_warp_sizes)
    command.device.warp_size = warp_size_said_in(source);
  if (!command.puzzles_of_kernel) return;
  const std::set<std::string> names = kernel_names_in(source);
  std::erase_if(command.puzzles, [&](const puzzle* each) { return !names.contains(std::string(each->kernel)); });
  if (!command.puzzles.empty()) return;
  const std::string file = printable(*command.kernel.file);
  if (has_main(source)) {
    throw error(exit_code::bad_input, fmt::format("{} is a whole program: it has a main", file),
                fmt::format("warpz --run {} runs it.", file));
  }
  throw error(exit_code::bad_input,
              fmt::format("no puzzle is named, and no kernel in {} has the name of a puzzle's kernel", file),
              "Name a puzzle, such as --neighbor: it runs the kernel that takes its arguments. --list shows them.");
}

/// What the puzzles of a command run on.
struct command_setup {
  std::vector<chosen_device> devices;       ///< one for each warp size
  std::optional<user_module> user_kernels;  ///< nothing: the built-in ones
  std::optional<hidden_judge> hidden;
};

struct puzzle_piece {
  const options* command;
  std::size_t number;  ///< of the puzzle in the command
};

/// Runs the puzzles of one or several commands, which differ in their kernels' files.
class puzzle_session {
 public:
  /// Keeps references.
  puzzle_session(const options& command, report& reporter, output_stream& out, output_stream& err, piece_runner* runner)
      : whole_(command),
        accepted_(command),
        traces_(command, out),
        progress_(err, command.output.quiet),
        request_(run_request_of(command, accepted_.choice())),
        reporter_(reporter),
        err_(err) {
    request_.on_rerun = [this] { progress_.count_rerun(); };
    if (divides_schedules(command)) request_.runner = runner;
    if (divides_puzzles(command)) pieces_ = runner;
  }

  /// To be called once. If one of several files can't be used, the others still run.
  exit_code run(std::span<const options> commands) {
    const exit_code worst = pieces_ != nullptr ? run_divided(commands) : run_here(commands);
    traces_.finish();
    accepted_.finish(err_);
    return worst;
  }

 private:
  exit_code run_here(std::span<const options> commands) {
    exit_code worst = exit_code::passed;
    for (const options& command : commands) {
      try {
        worst = first_of(worst, run(command));
      } catch (const error& reason) {
        if (!is_refusal(command, reason)) throw;
        worst = first_of(worst, refuse(command, reason));
      }
    }
    return worst;
  }

  /// Whether the command's file can't be used, and others may be.
  bool is_refusal(const options& command, const error& reason) const {
    const bool is_of_file = reason.code() == exit_code::does_not_compile || reason.code() == exit_code::bad_input;
    return command.kernel.file != whole_.kernel.file && is_of_file;
  }

  exit_code refuse(const options& command, const error& reason) {
    reporter_.add(refused_run{command.puzzles.front(), *command.kernel.file, reason});
    return reason.code();
  }

  /// Each puzzle of each command is a piece.
  exit_code run_divided(std::span<const options> commands) {
    std::vector<puzzle_piece> pieces;
    std::uint64_t identity = 0;
    for (const options& command : commands) {
      if (command.kernel.file) identity = hash_of_files({&*command.kernel.file, 1}, identity);
      for (std::size_t i = 0; i < command.puzzles.size(); ++i) {
        pieces.push_back({&command, i});
        identity = hash_of(command.puzzles[i]->flag, identity);
      }
    }
    exit_code worst = exit_code::passed;
    const auto work = [&](std::size_t i) { return bytes_of(piece_end_of(pieces[i], i == 0)); };
    const auto take = [&](std::size_t i, const std::string& bytes) {
      piece_end end;
      read_bytes(bytes, end);
      worst = first_of(worst, report_piece(*pieces[i].command, std::move(end)));
    };
    pieces_->run({pieces.size(), identity, true}, work, take);
    return worst;
  }

  piece_end piece_end_of(const puzzle_piece& one, bool is_first) {
    piece_end end;
    captured_text messages;
    try {
      if (std::exchange(set_up_for_, one.command) != one.command) set_up_.reset();
      if (!set_up_) set_up_.emplace(set_up(*one.command, is_first, messages.stream()));
      for (judged_run& each : judged_runs(*one.command, one.number, *set_up_)) end.outcomes.emplace_back(each.outcome);
    } catch (const error& reason) {
      end.code = static_cast<int>(reason.code());
      end.what = reason.what();
      end.advice = reason.advice();
    }
    end.messages = messages.take();
    return end;
  }

  exit_code report_piece(const options& command, piece_end end) {
    err_.write(end.messages);
    exit_code worst = exit_code::passed;
    for (sent_outcome& each : end.outcomes) worst = first_of(worst, report_run({each.received(), {}}));
    if (end.code == 0) return worst;
    const error reason(static_cast<exit_code>(end.code), end.what, end.advice);
    if (!is_refusal(command, reason)) throw error(reason);
    return first_of(worst, refuse(command, reason));
  }

  exit_code run(const options& command) {
    if (command.device.compared_with_cpu) return run_compared(command);
    command_setup on = set_up(command, !std::exchange(has_reported_device_, true), err_);
    exit_code worst = exit_code::passed;
    for (std::size_t i = 0; i < command.puzzles.size(); ++i) {
      for (judged_run& each : judged_runs(command, i, on)) worst = first_of(worst, report_run(std::move(each)));
    }
    return worst;
  }

  /// On the CPU machine and on the GPU.
  exit_code run_compared(const options& command) {
    // It is needed first: it has the warp size.
    command_setup gpu = set_up(command, true, err_);
    const options on_cpu = on_cpu_machine(command, gpu.devices.front());
    command_setup cpu = set_up(on_cpu, true, err_);
    exit_code worst = exit_code::passed;
    for (std::size_t i = 0; i < command.puzzles.size(); ++i) {
      std::vector<judged_run> runs = judged_runs(on_cpu, i, cpu);
      runs.push_back(std::move(judged_runs(command, i, gpu).front()));
      compare_outputs(command, *command.puzzles[i], {cpu, gpu, i}, runs);
      for (judged_run& each : runs) worst = first_of(worst, report_run(std::move(each)));
    }
    return worst;
  }

  struct compared_setups {
    const command_setup& cpu;
    const command_setup& gpu;
    std::size_t puzzle_number;
  };

  void compare_outputs(const options& command, const puzzle& task, const compared_setups& on,
                       std::vector<judged_run>& runs) {
    puzzle_outcome &first = runs[0].outcome, &second = runs[1].outcome;
    if (first.output.empty() || second.output.empty()) return;
    // A hidden input on which one of them has failed is compared where it is the other one's, too.
    if (first.judged == second.judged && first.size == second.size &&
        compare_backends(first, second, request_.findings.accepted))
      return;
    const bool have_passed = first.result == verdict::passed && second.result == verdict::passed;
    if (!have_passed || command.data != data_options()) return;
    const auto request_on = [&](const command_setup& setup) {
      return hidden_request(request_with(setup, on.puzzle_number), first.has_undefined_values);
    };
    compare_backends_on_hidden_cases(task, {on.cpu.devices.front(), request_on(on.cpu)},
                                     {on.gpu.devices.front(), request_on(on.gpu)}, second,
                                     [this] { progress_.count_input(); });
    progress_.erase();
  }

  /// For the puzzle of this number.
  run_request request_with(const command_setup& on, std::size_t number) const {
    run_request request = request_;
    if (!on.user_kernels) return request;
    request.kernel = on.user_kernels->kernels()[number];
    request.launch_bound = on.user_kernels->launch_bounds()[number];
    return request;
  }

  /// With `is_reported`, says which device was chosen where the options leave it open.
  command_setup set_up(const options& command, bool is_reported, output_stream& err) {
    command_setup on{choose_devices(command, is_reported, err), {}, {}};
    for (const chosen_device& each : on.devices) check_traced_lanes(command, each.device.warp_size);
    if (!command.kernel.file) return on;
    on.user_kernels.emplace(compile_for(on.devices, command, err));
    if (!has_hidden_cases(command)) return on;
    const bool is_on_cpu = on.devices.front().kernels->vendor() == name_of(backend_choice::cpu);
    on.hidden.emplace(hidden_devices(on.devices.front(), command, *on.user_kernels), is_on_cpu);
    return on;
  }

  /// Runs the command's puzzle of this number with each warp size.
  std::vector<judged_run> judged_runs(const options& command, std::size_t number, command_setup& on) {
    const puzzle& task = *command.puzzles[number];
    run_request request = request_with(on, number);
    suppressions* const accepted = request.findings.accepted;
    std::vector<judged_run> runs;
    if (on.user_kernels) limit_time(request, task, command, on.devices.front());
    request.on_wait = [this, limit = request.settings.time_limit_seconds](double seconds, unsigned line) {
      progress_.show_running(seconds, line, limit);
    };
    // Beside the documented case.
    if (on.hidden) on.hidden->begin(task, hidden_request(request, false));
    std::vector<warp_size_line> lines;
    if (command.kernel.file)
      lines = warp_size_lines_in({on.user_kernels->file(command.kernel.debugger), 0, {*command.kernel.file}});
    for (const chosen_device& each : on.devices) {
      runs.push_back(run_puzzle(task, request, each));
      list_warp_size_assumptions(runs.back().outcome, each.device.warp_size, lines, accepted);
    }
    progress_.erase();
    if (runs.size() > 1) compare_warp_sizes(runs[0].outcome, runs[1].outcome, lines, accepted);
    if (on.hidden) judge_hidden_cases(*on.hidden, task, request, runs);
    return runs;
  }

  /// If all runs have passed: a hidden case that fails replaces one of them.
  void judge_hidden_cases(hidden_judge& hidden, const puzzle& task, const run_request& request,
                          std::vector<judged_run>& runs) {
    const auto has_failed = [](const judged_run& each) { return each.outcome.result != verdict::passed; };
    if (std::any_of(runs.begin(), runs.end(), has_failed)) return hidden.stop();
    const puzzle_outcome& documented = runs.front().outcome;
    const run_request varied = hidden_request(request, documented.has_undefined_values);
    const auto count = [&] { progress_.count_input(); };
    if (auto found = hidden.failure(task, varied, hidden_seconds(documented), count)) {
      const bool is_second = runs.size() > 1 && found->warp_size == runs[1].outcome.warp_size;
      runs[is_second ? 1 : 0].outcome = std::move(*found);
    } else {
      runs.front().outcome.passed_hidden = hidden.cases_of(task);
    }
    progress_.erase();
  }

  exit_code report_run(judged_run judged) {
    if (judged.traced) judged.traced->costs = judged.outcome.costs;
    traces_.add(std::move(judged.traced));
    reporter_.add(judged.outcome);
    return exit_code_of(judged.outcome.result);
  }

  const options& whole_;
  accepted_findings accepted_;
  trace_output traces_;
  progress_line progress_;
  run_request request_;
  bool has_reported_device_ = false;
  piece_runner* pieces_ = nullptr;            ///< who divides the puzzles; null: nobody
  const options* set_up_for_ = nullptr;       ///< the command of the last piece
  std::optional<command_setup> set_up_ = {};  ///< its
  report& reporter_;
  output_stream& err_;
};

struct planned_commands {
  std::vector<options> commands;
  bool is_incomplete = false;  ///< with --all, puzzles have no file
};

/// A command for each file in the folder of kernels. Prints what is left out.
planned_commands commands_for_files(const options& command, output_stream& err) {
  const bool has_chosen = command.all || !command.puzzles_of_kernel;
  const kernel_folder folder(*command.kernel.file, command.puzzles, command.puzzles_of_kernel, has_chosen);
  if (command.kernel.debugger && folder.files().size() > 1)
    throw error(exit_code::bad_input, "--debugger runs one kernel, and --kernel names a folder of several");
  const bool is_incomplete = command.all && folder.is_incomplete();
  if (is_incomplete || !command.output.quiet) write_notice(err, folder.notes());
  std::vector<options> commands;
  for (const puzzle_file& each : folder.files()) {
    options one = command;
    one.kernel.file = each.file;
    one.puzzles = {each.task};
    one.puzzles_of_kernel = false;
    try {
      follow_source(one);
    } catch (const error&) {
      // The file can't be read, which is reported when it is compiled.
    }
    for (options& part : by_warp_size(one)) commands.push_back(std::move(part));
  }
  return {std::move(commands), is_incomplete};
}

/// A command for each puzzle: the solutions of one's own are compiled.
planned_commands commands_for_solutions(const options& command) {
  std::vector<options> commands;
  for (const puzzle* const each : command.puzzles) {
    options one = command;
    one.puzzles = {each};
    if (each->is_own()) one.kernel.file = each->folder + "/solution.hip";
    for (options& part : by_warp_size(one)) commands.push_back(std::move(part));
  }
  return {std::move(commands)};
}

/// A learner may mean the file in this folder that is called as the puzzle is.
void tell_of_own_file(const options& command, output_stream& err) {
  if (command.output.quiet || command.kernel.module || command.puzzles.size() != 1) return;
  const std::string file = command.puzzles.front()->flag + ".hip";
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return;
  write_notice(err, fmt::format("warpz: this is warpz's own solution; your file: warpz {0} {0}.hip\n",
                                command.puzzles.front()->flag));
}

planned_commands commands_of(const options& command, output_stream& err) {
  if (command.kernel.file && is_kernel_folder(*command.kernel.file)) return commands_for_files(command, err);
  const auto is_own = [](const puzzle* each) { return each->is_own(); };
  if (!command.kernel.file && std::any_of(command.puzzles.begin(), command.puzzles.end(), is_own))
    return commands_for_solutions(command);
  options followed = command;
  if (command.kernel.file) {
    follow_source(followed);
  } else {
    tell_of_own_file(command, err);
  }
  return {by_warp_size(followed)};
}

}  // namespace

run_request run_request_of(const options& command, const finding_choice& findings) {
  run_request request;
  request.size = command.data.size;
  request.pivot = command.data.pivot;
  request.shape = command.data.shape;
  request.launches = command.data.launches;
  request.which = command.kernel.variant;
  request.gpus = command.device.gpus;
  request.settings = command.machine.settings;
  request.trace = trace_request_of(command);
  request.counts_costs = command.machine.counters;
  request.schedules = schedules_of(command);
  request.findings = findings;
  request.limits = command.machine.limits;
  choose_input(request, command);
  return request;
}

int run_puzzles(const options& command, report& reporter, output_stream& out, output_stream& err,
                piece_runner* runner) {
  planned_commands todo{{command}};
  std::optional<error> refused;
  try {
    todo = commands_of(command, err);
  } catch (const error& reason) {
    refused = reason;
  }
  std::vector<std::string> planned;
  for (const options& each : todo.commands) {
    for (std::string& run : planned_runs(each)) planned.push_back(std::move(run));
  }
  return report_run(reporter, planned, [&] {
    if (refused) throw error(*refused);
    try {
      const exit_code worst = puzzle_session(command, reporter, out, err, runner).run(todo.commands);
      return static_cast<int>(todo.is_incomplete ? first_of(worst, exit_code::wrong_result) : worst);
    } catch (const std::bad_alloc&) {
      throw error(exit_code::bad_input, "out of memory", "--size takes fewer elements.");
    }
  });
}

}  // namespace warpz
