// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/own_starts.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr const char* report_variable = "WARPZ_REPORT_OF_STARTER";

/// The program of this process; null: none is loaded.
const own_start* program = nullptr;

/// Leads to warpz, whose path a program may have read here.
constexpr const char* own_executable = "/proc/self/exe";

/// Not any file that is warpz: a compiler's name may lead there, too.
bool is_own(const char* file) {
  return program != nullptr &&
         (program->name == file || program->words.front() == file || std::strcmp(file, own_executable) == 0);
}

/// What is started in the program's place.
class started_again {
 public:
  started_again(char* const* arguments, char* const* environment)
      : report_(fmt::format("{}={}", report_variable, program->report)), variables_{report_.data()} {
    for (const std::string& each : program->words) words_.push_back(const_cast<char*>(each.c_str()));
    words_.push_back(separator_);
    if (*arguments != nullptr) ++arguments;
    for (; *arguments != nullptr; ++arguments) words_.push_back(*arguments);
    words_.push_back(nullptr);
    for (; environment != nullptr && *environment != nullptr; ++environment) {
      if (std::strncmp(*environment, report_variable, std::strlen(report_variable)) != 0)
        variables_.push_back(*environment);
    }
    variables_.push_back(nullptr);
  }

  char* const* words() const { return words_.data(); }
  char* const* variables() const { return variables_.data(); }

 private:
  char separator_[3] = "--";
  std::string report_;
  std::vector<char*> words_, variables_;
};

/// The words that a variadic function has been given, the null pointer among them.
std::vector<char*> words_of(const char* first, std::va_list more) {
  std::vector<char*> words{const_cast<char*>(first)};
  while (words.back() != nullptr) words.push_back(va_arg(more, char*));
  return words;
}

/// The command for a shell, where it begins with the program's name; empty: it does not.
std::string command_again(std::string_view command) {
  if (program == nullptr) return {};
  const std::string& link = program->words.front();
  for (const std::string& name : {program->name, "./" + program->name, shell_word(program->name), link}) {
    if (!command.starts_with(name)) continue;
    const std::string_view rest = command.substr(name.size());
    if (!rest.empty() && std::string_view(" \t\n;&|<>)").find(rest.front()) == rest.npos) continue;
    std::string text;
    for (const std::string& each : program->words) text += shell_word(each) + " ";
    return text + "--" + std::string(rest);
  }
  return {};
}

/// The function that this one stands before.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int start(const char* file, char* const* words, char* const* variables) {
  return static_cast<int>(syscall(SYS_execve, file, words, variables));
}

}  // namespace

void follow_own_starts(own_start start) {
  setenv(report_variable, start.report.c_str(), 1);
  // Never destroyed: static objects of the program may start it late.
  program = new own_start(std::move(start));
}

started_reports::started_reports()
    : file_(memfd_create("warpz-report", MFD_CLOEXEC)),
      path_(fmt::format("/proc/{}/fd/{}", getpid(), file_.number())) {}

std::string started_reports::filed() const { return os::content_of(path_).value_or(""); }

void started_reports::file(std::string_view report) {
  const char* const path = std::getenv(report_variable);
  if (path == nullptr) return;
  const os::descriptor file(open(path, O_WRONLY | O_APPEND | O_CLOEXEC));
  // In one piece, as others may file theirs. Who has started the program may be gone.
  if (file) static_cast<void>(!write(file.number(), report.data(), report.size()));
}

}  // namespace warpz

// The C library's functions, as it declares them.
#define WARPZ_IN_FRONT extern "C" __attribute__((visibility("default")))

WARPZ_IN_FRONT int execve(const char* file, char* const* words, char* const* variables) noexcept {
  if (!warpz::is_own(file)) return warpz::start(file, words, variables);
  const warpz::started_again again(words, variables);
  return warpz::start(warpz::own_executable, again.words(), again.variables());
}

WARPZ_IN_FRONT int execv(const char* file, char* const* words) noexcept { return execve(file, words, environ); }

WARPZ_IN_FRONT int execvpe(const char* file, char* const* words, char* const* variables) noexcept {
  if (warpz::is_own(file)) return execve(file, words, variables);
  return warpz::next<int(const char*, char* const*, char* const*)>("execvpe")(file, words, variables);
}

WARPZ_IN_FRONT int execvp(const char* file, char* const* words) noexcept { return execvpe(file, words, environ); }

WARPZ_IN_FRONT int execl(const char* file, const char* first, ...) noexcept {
  std::va_list more;
  va_start(more, first);
  const std::vector<char*> words = warpz::words_of(first, more);
  va_end(more);
  return execve(file, words.data(), environ);
}

WARPZ_IN_FRONT int execlp(const char* file, const char* first, ...) noexcept {
  std::va_list more;
  va_start(more, first);
  const std::vector<char*> words = warpz::words_of(first, more);
  va_end(more);
  return execvpe(file, words.data(), environ);
}

WARPZ_IN_FRONT int execle(const char* file, const char* first, ...) noexcept {
  std::va_list more;
  va_start(more, first);
  const std::vector<char*> words = warpz::words_of(first, more);
  char* const* const variables = va_arg(more, char* const*);
  va_end(more);
  return execve(file, words.data(), variables);
}

namespace {

int spawn(const char* function, pid_t* id, const char* file, const posix_spawn_file_actions_t* actions,
          const posix_spawnattr_t* attributes, char* const* words, char* const* variables) {
  auto* const real = warpz::next<decltype(posix_spawn)>(function);
  if (!warpz::is_own(file)) return real(id, file, actions, attributes, words, variables);
  const warpz::started_again again(words, variables);
  return real(id, warpz::own_executable, actions, attributes, again.words(), again.variables());
}

}  // namespace

WARPZ_IN_FRONT int posix_spawn(pid_t* id, const char* file, const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const* words, char* const* variables) {
  return spawn("posix_spawn", id, file, actions, attributes, words, variables);
}

WARPZ_IN_FRONT int posix_spawnp(pid_t* id, const char* file, const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const* words, char* const* variables) {
  return spawn("posix_spawnp", id, file, actions, attributes, words, variables);
}

WARPZ_IN_FRONT int system(const char* command) {
  const std::string again = command != nullptr ? warpz::command_again(command) : "";
  return warpz::next<int(const char*)>("system")(again.empty() ? command : again.c_str());
}

WARPZ_IN_FRONT FILE* popen(const char* command, const char* mode) {
  const std::string again = warpz::command_again(command);
  return warpz::next<FILE*(const char*, const char*)>("popen")(again.empty() ? command : again.c_str(), mode);
}
