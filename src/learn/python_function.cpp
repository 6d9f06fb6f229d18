// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/python_function.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>

#include "compile/command.hpp"
#include "error.hpp"
#include "learn/refused_file.hpp"
#include "process/child_process.hpp"
#include "system/descriptor.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Calls the function on the numbers in descriptor 0, and writes those that it returns to descriptor 3.
constexpr const char* driver = R"(
import array, inspect, itertools, os, sys, traceback
path, outputs, warp_size, pivot, *sizes = sys.argv[1:]
numbers = iter(array.array("f", sys.stdin.buffer.read()))
given = {"warp_size": int(warp_size), **({"pivot": float(pivot)} if pivot else {})}
sys.stdin = open(os.devnull)
names = {"__name__": "reference", "__file__": path}
try:
    with open(path, "rb") as file:
        exec(compile(file.read(), path, "exec"), names)
    function = names.get("reference")
    if not callable(function):
        sys.exit("it has no function called reference")
    wanted = {name: given[name] for name in inspect.signature(function).parameters if name in given}
    result = array.array("f", function(*(list(itertools.islice(numbers, int(size))) for size in sizes), **wanted))
except Exception as problem:
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == path]
    line = getattr(problem, "lineno", None) or (frames[-1].lineno if frames else 0)
    sys.exit((f"line {line}: " if line else "") + f"{type(problem).__name__}: {problem}")
if len(result) != int(outputs):
    sys.exit(f"reference returns {len(result)} numbers, and the output has {outputs} elements")
with os.fdopen(3, "wb") as file:
    file.write(result.tobytes())
)";

constexpr std::size_t max_memory = std::size_t{2} << 30;
constexpr std::size_t max_messages = std::size_t{1} << 20;
constexpr std::size_t max_lines_shown = 10;
constexpr int result_descriptor = 3;

os::descriptor file_in_memory(std::span<const std::byte> bytes) {
  os::descriptor file(memfd_create("warpz-reference", MFD_CLOEXEC));
  for (std::size_t done = 0; file && done < bytes.size();) {
    const ssize_t count = write(file.number(), bytes.data() + done, bytes.size() - done);
    if (count <= 0) return os::descriptor();
    done += static_cast<std::size_t>(count);
  }
  if (file) lseek(file.number(), 0, SEEK_SET);
  return file;
}

/// In the child, where nothing may be allocated.
void become_python(char* const* words, int input, int output, int messages, std::size_t max_written) {
  const rlimit memory{max_memory, max_memory}, written{max_written, max_written};
  setrlimit(RLIMIT_DATA, &memory);
  setrlimit(RLIMIT_FSIZE, &written);
  // None of the three is one of the descriptors 0 to 3: main has seen to the first ones, and the input came first.
  dup2(input, STDIN_FILENO);
  dup2(messages, STDOUT_FILENO);
  dup2(messages, STDERR_FILENO);
  dup2(output, result_descriptor);
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_DFL);
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

}  // namespace

void call_python(const python_call& call, std::span<const float> x, std::span<float> result) {
  using clock = std::chrono::steady_clock;
  const std::string python = find_program("python3");
  if (python.empty()) refuse_file(call.file, "python3 is not installed, or not on PATH");
  std::vector<std::string> words{python,
                                 "-c",
                                 driver,
                                 call.file,
                                 fmt::format("{}", result.size()),
                                 fmt::format("{}", call.warp_size),
                                 call.pivot ? fmt::format("{}", *call.pivot) : ""};
  for (const std::size_t each : call.inputs) words.push_back(fmt::format("{}", each));
  std::vector<char*> pointers;
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  const os::descriptor first(memfd_create("warpz-reference", MFD_CLOEXEC));  // takes 3, if that is free
  const os::descriptor input = file_in_memory(std::as_bytes(x)), output = file_in_memory({}),
                       messages = file_in_memory({});
  if (!first || !input || !output || !messages) throw error(exit_code::no_device, "there is no memory to share");

  const auto last =
      clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(call.seconds));
  child_process child({.own_group = true, .owns_descendants = true}, [&] {
    become_python(pointers.data(), input.number(), output.number(), messages.number(),
                  std::max(max_messages, result.size_bytes()));
  });
  if (child.start_error() != 0)
    throw error(exit_code::no_device, fmt::format("python3 cannot be started: {}", std::strerror(child.start_error())));
  while (!child.wait()) {
    if (clock::now() < last) continue;
    child.end();
    refuse_file(call.file, fmt::format("the reference takes longer than {} s on {} numbers", call.seconds, x.size()));
  }
  child.end();
  const int status = child.status();
  if (WIFSIGNALED(status))
    refuse_file(call.file,
                fmt::format("python3 was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
  if (status != 0) {
    const std::string said = end_of(messages);
    refuse_file(call.file, said.empty() ? fmt::format("python3 ended with exit code {}", WEXITSTATUS(status)) : said);
  }
  lseek(output.number(), 0, SEEK_SET);
  const std::string bytes = os::content_of(output).value_or("");
  if (bytes.size() != result.size_bytes()) refuse_file(call.file, "python3 ended without a result");
  std::memcpy(result.data(), bytes.data(), bytes.size());
}

}  // namespace warpz
