// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child process: how its end is noticed, and that nothing of it is left.
#include "process/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace {

using namespace warpz;

/// Its status once it has ended by itself.
int status_of(child_process& child) {
  while (!child.wait()) {
  }
  child.end();
  return child.status();
}

/// Both ends of a pipe that the test's child processes inherit.
struct inherited_pipe {
  inherited_pipe() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    reading = os::descriptor(ends[0]);
    writing = os::descriptor(ends[1]);
  }

  /// True once no process can write to it any more.
  bool is_closed() {
    writing.close();
    pollfd polled{reading.number(), POLLIN, 0};
    char nothing = 0;
    return poll(&polled, 1, 30'000) == 1 && read(reading.number(), &nothing, 1) == 0;
  }

  os::descriptor reading, writing;
};

void sleep_long() {
  for (;;) pause();
}

TEST(child_process, its_exit_code_and_its_signal) {
  child_process exits({}, [] { _exit(7); });
  EXPECT_EQ(WEXITSTATUS(status_of(exits)), 7);
  child_process dies({}, [] { raise(SIGKILL); });
  EXPECT_EQ(WTERMSIG(status_of(dies)), SIGKILL);
}

TEST(child_process, is_waited_for_where_the_table_of_descriptors_is_full) {
  const auto run = [] {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = static_cast<rlim_t>(fcntl(STDERR_FILENO, F_DUPFD, 0));
    setrlimit(RLIMIT_NOFILE, &limit);
    child_process child({}, [] { _exit(7); });
    _exit(WEXITSTATUS(status_of(child)));
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(7), "");
}

/// Returns once this process has taken so much of the processors.
void compute(double seconds) {
  while (static_cast<double>(std::clock()) < seconds * CLOCKS_PER_SEC) {
  }
}

TEST(child_process, counts_the_time_of_what_it_has_started) {
  constexpr double each = 0.2;
  inherited_pipe pipe;
  child_process child({.own_group = true}, [&] {
    // One has ended, one still computes, and both are children of a child.
    if (const pid_t middle = fork(); middle == 0) {
      if (const pid_t ended = fork(); ended == 0) {
        compute(each);
        _exit(0);
      } else {
        waitpid(ended, nullptr, 0);
      }
      static_cast<void>(!write(pipe.writing.number(), "x", 1));
      if (fork() == 0) compute(1e9);
    }
    sleep_long();
  });
  char one = 0;
  EXPECT_EQ(read(pipe.reading.number(), &one, 1), 1);
  EXPECT_GE(child.processor_seconds(), 0.9 * each);
  while (child.processor_seconds() < 2 * each) child.wait();
  child_process idle({}, sleep_long);
  EXPECT_LT(idle.processor_seconds(), each);
}

TEST(child_process, is_killed_with_its_group) {
  inherited_pipe pipe;
  {
    child_process child({.own_group = true}, [] {
      fork();
      sleep_long();
    });
    child.wait();
  }
  EXPECT_TRUE(pipe.is_closed());
}

TEST(child_process, is_killed_with_what_left_its_group) {
  inherited_pipe pipe;
  // In a process of its own, which then is the one that orphans are given to.
  const auto run = [] {
    child_process child({.own_group = true, .owns_descendants = true}, [] {
      if (fork() == 0) {
        setsid();
        if (fork() == 0) sleep_long();
      }
      _exit(0);
    });
    status_of(child);
    _exit(0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
  EXPECT_TRUE(pipe.is_closed());
}

TEST(child_process, one_that_has_itself_traced_is_ended) {
  child_process stops({}, [] {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    sleep_long();
  });
  EXPECT_EQ(WTERMSIG(status_of(stops)), SIGKILL);
  child_process threads({}, [] {
    std::thread([] { ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }).detach();
    sleep_long();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  threads.end();
  EXPECT_EQ(WTERMSIG(threads.status()), SIGKILL);
}

TEST(child_process, passes_exit_codes_on_after_changing_places) {
  const auto run = [] {
    child_process child({.changes_places = true}, [] { child_process::end_body(7); });
    _exit(WEXITSTATUS(status_of(child)) == 7 ? 9 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(9), "");
}

}  // namespace
