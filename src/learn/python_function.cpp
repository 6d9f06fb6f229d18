// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/python_function.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "compile/command.hpp"
#include "error.hpp"
#include "learn/refused_file.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Loads the file once. For each line from descriptor 4, a forked process calls the function on the numbers in
/// descriptor 0 and writes those that it returns to descriptor 3; the answer is a line with its exit code.
constexpr const char* driver = R"(
import array, inspect, itertools, os, resource, sys

path, max_messages = sys.argv[1], int(sys.argv[2])
names = {"__name__": "reference", "__file__": path}


def load():
    with open(path, "rb") as file:
        exec(compile(file.read(), path, "exec"), names)


def call(outputs, warp_size, pivot, *sizes):
    function = names.get("reference")
    if not callable(function):
        sys.exit("it has no function called reference")
    largest = max(max_messages, 4 * int(outputs))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    os.lseek(0, 0, os.SEEK_SET)
    with open(0, "rb", closefd=False) as file:
        numbers = iter(array.array("f", file.read()))
    given = {"warp_size": int(warp_size), **({"pivot": float(pivot)} if pivot != "-" else {})}
    wanted = {name: given[name] for name in inspect.signature(function).parameters if name in given}
    sys.stdin = open(os.devnull)
    result = array.array("f", function(*(list(itertools.islice(numbers, int(size))) for size in sizes), **wanted))
    if len(result) != int(outputs):
        sys.exit(f"reference returns {len(result)} numbers, and the output has {outputs} elements")
    os.lseek(3, 0, os.SEEK_SET)
    with open(3, "wb", closefd=False) as file:
        file.write(result.tobytes())


def explained(action, *arguments):
    try:
        action(*arguments)
    except Exception as problem:
        import traceback
        frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == path]
        line = getattr(problem, "lineno", None) or (frames[-1].lineno if frames else 0)
        sys.exit((f"line {line}: " if line else "") + f"{type(problem).__name__}: {problem}")


explained(load)
with open(4, "rb", buffering=0) as requests:
    while words := requests.readline().split():
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            explained(call, *(word.decode() for word in words))
            sys.exit(0)
        os.write(4, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
)";

constexpr std::size_t max_memory = std::size_t{2} << 30;
constexpr std::size_t max_messages = std::size_t{1} << 20;
constexpr std::size_t max_lines_shown = 10;
/// Of a call: a machine that is busy makes it wait for a core, which is not its fault.
constexpr rlim_t max_seconds_of_call = 10;
constexpr int result_descriptor = 3, channel_descriptor = 4;

os::descriptor file_in_memory() { return os::descriptor(memfd_create("warpz-reference", MFD_CLOEXEC)); }

/// In the child, where nothing may be allocated.
void become_python(char* const* words, int input, int output, int messages, int channel) {
  const rlimit memory{max_memory, max_memory}, written{max_messages, RLIM_INFINITY};
  const rlimit time{max_seconds_of_call, max_seconds_of_call + 2};
  setrlimit(RLIMIT_DATA, &memory);
  // Each call is a process of its own.
  setrlimit(RLIMIT_CPU, &time);
  // A call has a larger one, for its result.
  setrlimit(RLIMIT_FSIZE, &written);
  // None of the four is one of the descriptors 0 to 4: the ones before them are taken.
  dup2(input, STDIN_FILENO);
  dup2(messages, STDOUT_FILENO);
  dup2(messages, STDERR_FILENO);
  dup2(output, result_descriptor);
  dup2(channel, channel_descriptor);
  for (const int number : {SIGPIPE, SIGXFSZ, SIGXCPU}) std::signal(number, SIG_DFL);
  execv(words[0], words);
  _exit(127);
}

/// The last lines of what it has printed.
std::string end_of(const os::descriptor& messages) {
  lseek(messages.number(), 0, SEEK_SET);
  const std::string all = os::content_of(messages).value_or("");
  std::vector<std::string> lines;
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end != 0) lines.push_back(printable(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto shown = static_cast<std::ptrdiff_t>(std::min(lines.size(), max_lines_shown));
  return fmt::format("{}", fmt::join(lines.end() - shown, lines.end(), "\n"));
}

void replace(const os::descriptor& file, std::span<const std::byte> bytes) {
  bool is_done = ftruncate(file.number(), 0) == 0 && lseek(file.number(), 0, SEEK_SET) == 0;
  for (std::size_t done = 0; is_done && done < bytes.size();) {
    const ssize_t count = write(file.number(), bytes.data() + done, bytes.size() - done);
    is_done = count > 0;
    if (is_done) done += static_cast<std::size_t>(count);
  }
  if (!is_done) throw error(exit_code::no_device, "there is no memory to share");
}

}  // namespace

void python_function::start() {
  const std::string python = find_program("python3");
  if (python.empty()) refuse_file(file_, "python3 is not installed, or not on PATH");
  std::vector<std::string> words{python, "-c", driver, file_, fmt::format("{}", max_messages)};
  std::vector<char*> pointers;
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  // They take 3 and 4, if those are free.
  const os::descriptor first = file_in_memory(), second = file_in_memory();
  input_ = file_in_memory();
  output_ = file_in_memory();
  messages_ = file_in_memory();
  int ends[2];
  const bool is_open = first && second && input_ && output_ && messages_ &&
                       fcntl(messages_.number(), F_SETFL, O_APPEND) == 0 &&
                       socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
  if (!is_open) throw error(exit_code::no_device, "there is no memory to share");
  channel_ = os::descriptor(ends[0]);
  const os::descriptor other_end(ends[1]);
  const child_options options{.own_group = true, .owns_descendants = true};
  child_ = std::make_unique<child_process>(options, [&] {
    become_python(pointers.data(), input_.number(), output_.number(), messages_.number(), other_end.number());
  });
  caller_ = getpid();
  if (const int failed = child_->start_error(); failed != 0) {
    child_.reset();
    throw error(exit_code::no_device, fmt::format("python3 cannot be started: {}", std::strerror(failed)));
  }
}

/// The exit code of the call, or minus the signal that has ended it.
int python_function::answer(std::size_t elements) {
  using clock = std::chrono::steady_clock;
  const auto last = clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds_));
  std::string line;
  for (;;) {
    const bool has_ended = child_->wait({{channel_.number(), POLLIN, 0}});
    char text[16];
    const ssize_t count = recv(channel_.number(), text, sizeof text, MSG_DONTWAIT);
    if (count > 0) line.append(text, static_cast<std::size_t>(count));
    if (line.ends_with('\n')) return std::atoi(line.c_str());
    if (has_ended) {
      child_->end();
      const int status = child_->status();
      child_.reset();
      return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (clock::now() < last) continue;
    child_.reset();
    refuse_file(file_, fmt::format("the reference takes longer than {} s on {} numbers", seconds_, elements));
  }
}

void python_function::call(const python_call& call, std::span<const float> x, std::span<float> result) {
  // A fork of this process has one of its own: with the same one, each would get the other's answers.
  if (caller_ != getpid()) static_cast<void>(child_.release());
  if (!child_) start();
  replace(input_, std::as_bytes(x));
  replace(output_, {});
  replace(messages_, {});
  const std::string request =
      fmt::format("{} {} {} {}\n", result.size(), call.warp_size, call.pivot ? fmt::format("{}", *call.pivot) : "-",
                  fmt::join(call.inputs, " "));
  // Where it has ended, the answer says so.
  static_cast<void>(send(channel_.number(), request.data(), request.size(), MSG_NOSIGNAL));
  const int code = answer(x.size());
  if (code == -SIGXCPU)
    refuse_file(file_, fmt::format("the reference takes longer than {} s of processor time on {} numbers",
                                   max_seconds_of_call, x.size()));
  if (code < 0) refuse_file(file_, fmt::format("python3 was ended by signal {} ({})", -code, strsignal(-code)));
  if (code != 0) {
    const std::string said = end_of(messages_);
    refuse_file(file_, said.empty() ? fmt::format("python3 ended with exit code {}", code) : said);
  }
  lseek(output_.number(), 0, SEEK_SET);
  const std::string bytes = os::content_of(output_).value_or("");
  if (bytes.size() != result.size_bytes()) refuse_file(file_, "python3 ended without a result");
  std::memcpy(result.data(), bytes.data(), bytes.size());
}

}  // namespace warpz
