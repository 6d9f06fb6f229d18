// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How another program is run: its words and its end, and that nothing of it is left.
#include "compile/command.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#include "compile/compiler_runner.hpp"
#include "host/error_support.hpp"

namespace {

using namespace warpz;
using cause = command_end::cause;

command shell_command(const std::string& text) { return {{"/bin/sh", "-c", text}, {}}; }

bool is_alive(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t state = text.rfind(')') + 2;
  return file && state < text.size() && text[state] != 'Z';
}

/// Signals take a moment.
bool ends(pid_t process) {
  for (int i = 0; i < 1000 && is_alive(process); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !is_alive(process);
}

TEST(command, what_it_prints_and_its_exit_code) {
  const command_end ended = run_command(shell_command("echo one; echo two >&2; exit 7"));
  EXPECT_EQ(ended.end, cause::exited);
  EXPECT_EQ(ended.number, 7);
  EXPECT_EQ(ended.output, "one\ntwo\n");
  EXPECT_FALSE(ended.succeeded());
  EXPECT_TRUE(run_command(shell_command(":")).succeeded());
}

TEST(command, its_environment_and_its_empty_input) {
  const command echo{{"/bin/sh", "-c", "echo $GIVEN; cat"}, {"GIVEN=this"}};
  // It would read what is here for this process.
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "that", 4), 4);
  close(ends[1]);
  const int before = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  EXPECT_EQ(run_command(echo).output, "this\n");
  dup2(before, STDIN_FILENO);
  close(before);
  close(ends[0]);
  EXPECT_EQ(std::getenv("GIVEN"), nullptr);
}

TEST(command, the_signal_that_ended_it) {
  const command_end ended = run_command(shell_command("kill -SEGV $$"));
  EXPECT_EQ(ended.end, cause::killed);
  EXPECT_EQ(ended.number, SIGSEGV);
}

TEST(command, a_program_that_cannot_be_started) {
  const command_end ended = run_command({{"/no/such/program"}, {}});
  EXPECT_EQ(ended.end, cause::not_started);
  EXPECT_EQ(ended.number, ENOENT);
}

TEST(command, output_is_cut) {
  const command_end ended = run_command(shell_command("head -c 3000000 /dev/zero; exit 3"));
  EXPECT_EQ(ended.output.size(), max_output);
  EXPECT_EQ(ended.number, 3);
}

TEST(command, what_it_reads_has_an_end) {
  for (const char* const script : {"exec cat /dev/urandom > /dev/null", "cat /dev/urandom > /dev/null; exit 0"}) {
    const command_end ended = run_command(shell_command(script));
    EXPECT_EQ(ended.end, cause::too_much_read);
    EXPECT_EQ(ended.number, 1024);
  }
}

TEST(command, who_waits_is_told_for_how_long) {
  std::vector<double> told;
  const command_end ended =
      run_command(shell_command("sleep 0.5; echo done"), [&told](double s) { told.push_back(s); });
  EXPECT_EQ(ended.output, "done\n");
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_GE(told.front(), 0);
}

TEST(command, a_long_compilation_is_told_once_a_minute) {
  std::string told;
  const auto on_wait = compilation_notice([&told](std::string_view line) { told += line; });
  for (const double seconds : {1.0, 59.9}) on_wait("a.hip", seconds);
  EXPECT_EQ(told, "");
  for (const double seconds : {60.1, 60.2, 119.0}) on_wait("a.hip", seconds);
  on_wait("b.hip", 61);
  EXPECT_EQ(told, "warpz: a.hip is still being compiled, after 60 seconds; ^C ends it\n");
  on_wait("b.hip", 121);
  EXPECT_EQ(told.substr(told.find('\n') + 1), "warpz: b.hip is still being compiled, after 120 seconds; ^C ends it\n");
}

TEST(command, what_outlives_it_is_ended_and_not_waited_for) {
  const command_end ended = run_command(shell_command("sleep 1000 & echo $!"));
  EXPECT_EQ(ended.end, cause::exited);
  EXPECT_TRUE(ends(std::atoi(ended.output.c_str())));
}

TEST(command, sigpipe_ends_it_as_usual) {
  std::signal(SIGPIPE, SIG_IGN);
  const command_end ended = run_command(shell_command("kill -PIPE $$; echo survived"));
  std::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(ended.end, cause::killed);
}

TEST(command, programs_are_found_on_the_path_and_then_in_the_folders) {
  const error_support::folder folder;
  for (const char* const name : {"first/tool", "second/tool", "second/other"}) {
    ASSERT_EQ(chmod(folder.file(name, "#!/bin/sh\n").c_str(), 0700), 0);
  }
  folder.file("first/text", "no program");
  folder.file("first/other/inside", "a folder");
  const std::string before = std::getenv("PATH");
  setenv("PATH", ("::" + folder.path() + "/none:" + folder.path() + "/first").c_str(), 1);
  const std::vector<std::string> folders = {folder.path() + "/second"};
  EXPECT_EQ(find_program("tool", folders), folder.path() + "/first/tool");
  EXPECT_EQ(find_program("other", folders), folder.path() + "/second/other");
  EXPECT_EQ(find_program("other"), "");
  EXPECT_EQ(find_program("text"), "");
  EXPECT_EQ(find_program(folder.path() + "/second/tool"), folder.path() + "/second/tool");
  EXPECT_EQ(find_program(folder.path() + "/second/none"), "");
  unsetenv("PATH");
  EXPECT_EQ(find_program("tool"), "");
  setenv("PATH", before.c_str(), 1);
}

}  // namespace
