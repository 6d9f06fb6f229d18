// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>

#include "process/child_process.hpp"
#include "system/descriptor.hpp"
#include "system/memory_limit.hpp"

namespace warpz {
namespace {

/// A compiler's memory in huge pages, where the system has them on request: two thirds of its page faults are spared.
constexpr const char* huge_pages = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";

/// What execve() takes. Made before the fork: a child of a process with several threads may not allocate.
struct exec_arguments {
  explicit exec_arguments(const command& request) {
    for (const std::string& word : request.words) words.push_back(const_cast<char*>(word.c_str()));
    for (const std::string& each : request.environment) environment.push_back(const_cast<char*>(each.c_str()));
    const auto is_given = [&](std::string_view inherited) {
      const std::string_view name = inherited.substr(0, inherited.find('=') + 1);
      return std::any_of(request.environment.begin(), request.environment.end(),
                         [name](const std::string& each) { return each.starts_with(name); });
    };
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
      if (!is_given(*each)) environment.push_back(*each);
    }
    if (std::getenv("GLIBC_TUNABLES") == nullptr) environment.push_back(const_cast<char*>(huge_pages));
    words.push_back(nullptr);
    environment.push_back(nullptr);
  }

  std::vector<char*> words;
  std::vector<char*> environment;
};

/// What a process of a command may take.
struct command_limits {
  command_limits() {
    constexpr std::uint64_t most = std::uint64_t{4} << 30;
    getrlimit(RLIMIT_DATA, &memory);
    memory.rlim_cur = std::min<rlim_t>({memory.rlim_cur, most, os::read_memory_limit().available / 10 * 9});
    // A few words of a source make an object of any size.
    constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;
    getrlimit(RLIMIT_FSIZE, &file);
    file.rlim_cur = std::min<rlim_t>(file.rlim_cur, largest_file);
  }

  rlimit memory{}, file{};
};

/// Many times what sources, headers and what comes with a compiler have, and more than a linker reads of large
/// libraries. Many read files by mapping them, which does not count.
constexpr std::uint64_t most_read = std::uint64_t{1} << 30;

/// Compilers say so in their own ways.
bool says_out_of_memory(std::string_view text) {
  constexpr std::array<std::string_view, 3> words{"out of memory", "bad_alloc", "memory exhausted"};
  return std::any_of(words.begin(), words.end(), [text](auto each) { return text.find(each) != text.npos; });
}

/// A compiler that starts others says what ended them.
bool says_too_large(std::string_view text) { return text.find("File size limit exceeded") != text.npos; }

/// In the child: runs the command in place of this program, or writes the errno to `failure`.
void execute(const exec_arguments& arguments, const command_limits& limits, const os::descriptor& output,
             const os::descriptor& failure) {
  setrlimit(RLIMIT_DATA, &limits.memory);
  setrlimit(RLIMIT_FSIZE, &limits.file);
  dup2(output.number(), STDOUT_FILENO);
  dup2(output.number(), STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  for (const int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_DFL);
  execve(arguments.words[0], arguments.words.data(), arguments.environment.data());
  const int reason = errno;
  static_cast<void>(!write(failure.number(), &reason, sizeof reason));
}

/// Reads a piece of what can be read at once; false if there is nothing.
bool take(os::descriptor& source, std::string& text) {
  std::array<char, 65536> piece;
  const ssize_t count = read(source.number(), piece.data(), piece.size());
  if (count == 0) source.close();
  if (count > 0) text.append(piece.data(), std::min(static_cast<std::size_t>(count), max_output - text.size()));
  return count > 0;
}

/// Reads what the command prints until it ends or has to be ended.
command_end::cause follow(const child_process& child, os::descriptor& output,
                          const std::function<void(double)>& on_wait, std::string& text) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  while (!child.wait({{output.number(), POLLIN, 0}})) {
    take(output, text);
    if (child.bytes_read() > most_read) return command_end::cause::too_much_read;
    if (on_wait) on_wait(std::chrono::duration<double>(clock::now() - begin).count());
  }
  return command_end::cause::exited;
}

}  // namespace

command_end run_command(const command& request, const std::function<void(double)>& on_wait) {
  const auto not_started = [](int reason) { return command_end{command_end::cause::not_started, reason, {}}; };
  std::optional<os::pipe_ends> output = os::open_pipe(), failure = os::open_pipe();
  if (!output || !failure) return not_started(errno);
  os::set_nonblocking(output->reading);
  const exec_arguments arguments(request);
  const command_limits limits;
  child_process child({.own_group = true}, [&] { execute(arguments, limits, output->writing, failure->writing); });
  if (child.start_error() != 0) return not_started(child.start_error());
  output->writing.close();
  failure->writing.close();

  command_end result;
  result.end = follow(child, output->reading, on_wait, result.output);
  child.end();
  // Where a process that left the group keeps the pipe open, only what is there already counts.
  while (result.output.size() < max_output && take(output->reading, result.output)) {
  }
  int reason = 0;
  if (read(failure->reading.number(), &reason, sizeof reason) == sizeof reason) return not_started(reason);
  const int status = child.status();
  if (result.end == command_end::cause::too_much_read) {
    result.number = static_cast<int>(most_read >> 20);
    return result;
  }
  if (WIFSIGNALED(status)) result.end = command_end::cause::killed;
  result.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  const bool failed =
      result.end == command_end::cause::killed || (result.end == command_end::cause::exited && result.number != 0);
  const bool is_too_large = result.end == command_end::cause::killed && result.number == SIGXFSZ;
  if (is_too_large || (failed && says_too_large(result.output))) {
    result.end = command_end::cause::too_large_file;
    result.number = static_cast<int>(limits.file.rlim_cur >> 20);
  } else if (failed && says_out_of_memory(result.output)) {
    result.end = command_end::cause::out_of_memory;
    result.number = static_cast<int>(limits.memory.rlim_cur >> 20);
  }
  return result;
}

std::string find_program(std::string_view word, const std::vector<std::string>& folders) {
  const auto is_program = [](const std::string& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && access(path.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string_view::npos) return is_program(std::string(word)) ? std::string(word) : "";
  std::vector<std::string> searched;
  const char* const path = std::getenv("PATH");
  for (std::string_view rest = path != nullptr ? path : ""; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    // An empty entry is the current folder, which no compiler should come from.
    if (!folder.empty()) searched.emplace_back(folder);
  }
  searched.insert(searched.end(), folders.begin(), folders.end());
  for (const std::string& folder : searched) {
    std::string candidate = folder + "/" + std::string(word);
    if (is_program(candidate)) return candidate;
  }
  return {};
}

}  // namespace warpz
