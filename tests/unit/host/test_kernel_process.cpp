// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The child process as the parent sees it: modules of this test that work, fail, crash, hang and lie.
#include "process/kernel_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>

#include "error.hpp"
#include "error_support.hpp"

namespace {

using namespace warpz;

int one_device(warpz_device* devices, std::uint32_t capacity, std::uint32_t* count, warpz_error*) {
  *count = 1;
  if (capacity > 0) {
    std::snprintf(devices[0].name, sizeof devices[0].name, "a device");
    devices[0].warp_size = 32;
  }
  return WARPZ_OK;
}

int no_device(warpz_device*, std::uint32_t, std::uint32_t*, warpz_error* error) {
  std::snprintf(error->call, sizeof error->call, "hipGetDeviceCount(&found)");
  std::snprintf(error->code, sizeof error->code, "hipErrorNoDevice");
  std::snprintf(error->text, sizeof error->text, "no ROCm-capable device is detected");
  return WARPZ_DEVICE_ERROR;
}

using run_function = int(const warpz_launch*, warpz_result*);

run_function* chosen_run = nullptr;
decltype(warpz_module::devices) chosen_devices = one_device;
std::uint32_t chosen_version = WARPZ_MODULE_VERSION;

warpz_stage chosen_stage = WARPZ_KERNEL_RUNNING;

int run(const warpz_launch* launch, warpz_result* result) {
  result->stage = chosen_stage;
  return chosen_run(launch, result);
}

int prepares(std::uint32_t, warpz_error*) { return WARPZ_OK; }

decltype(warpz_module::prepare) chosen_prepare = prepares;

const warpz_module* module_of_test() {
  static warpz_module self;
  self = {chosen_version,
          "cpu",
          "test",
          [] { return std::uint32_t{1}; },
          [](std::uint32_t) -> const char* { return "kernel"; },
          chosen_devices,
          chosen_prepare,
          run,
          nullptr,
          nullptr};
  return &self;
}

class kernel_process_test : public testing::Test {
 protected:
  kernel_process_test() {
    chosen_devices = one_device;
    chosen_version = WARPZ_MODULE_VERSION;
    chosen_stage = WARPZ_KERNEL_RUNNING;
    chosen_prepare = prepares;
  }

  /// Time enough for a sanitizer's report on a busy machine.
  static constexpr double long_enough = 60;

  kernel_result run_with(run_function* function, double timeout_seconds = long_enough) {
    chosen_run = function;
    kernel_process process({module_of_test, {}});
    const std::uint64_t bytes[] = {16, 16};
    process.allocate(bytes);
    return process.run(request(timeout_seconds));
  }

  static kernel_run request(double timeout_seconds = long_enough) {
    kernel_run wanted;
    wanted.kernel = {"kernel", "mine"};
    wanted.grid[0] = 3;
    wanted.block[0] = 32;
    wanted.arguments = {kernel_argument::output(0), kernel_argument::input(1),
                        kernel_argument::of_scalar(std::int32_t{7})};
    wanted.settings.timeout_seconds = timeout_seconds;
    return wanted;
  }

  /// The message of the error that `action` throws, with the exit code before it.
  template <class Action>
  static std::string error_of(Action action) {
    try {
      action();
    } catch (const error& thrown) {
      return std::to_string(static_cast<int>(thrown.code())) + " " + thrown.what();
    }
    return "no error";
  }
};

TEST_F(kernel_process_test, brings_the_request_to_the_module_and_its_output_back) {
  chosen_run = [](const warpz_launch* launch, warpz_result* result) -> int {
    if (std::strcmp(launch->kernel, "kernel") != 0 || std::strcmp(launch->name, "mine") != 0 || launch->grid[0] != 3 ||
        launch->block[0] != 32)
      return WARPZ_UNKNOWN_KERNEL;
    if (launch->argument_count != 3 || launch->arguments[0].kind != WARPZ_OUTPUT || launch->arguments[1].bytes != 8) {
      return WARPZ_WRONG_ARGUMENTS;
    }
    std::int32_t scalar = 0;
    std::memcpy(&scalar, launch->arguments[2].data, sizeof scalar);
    const auto* const input = static_cast<const float*>(launch->arguments[1].data);
    auto* const output = static_cast<float*>(launch->arguments[0].data);
    output[0] = input[1] * static_cast<float>(scalar);
    result->milliseconds[0] = 1.5F;
    result->repeat_count = 1;
    return WARPZ_OK;
  };
  kernel_process process({module_of_test, {}});
  ASSERT_EQ(process.devices().size(), 1U);
  EXPECT_STREQ(process.devices()[0].name, "a device");
  EXPECT_EQ(process.vendor(), "cpu");
  for (const float x : {2.0F, 3.0F}) {
    const std::uint64_t bytes[] = {4, 8};
    process.allocate(bytes);
    const float input[] = {0, x};
    std::memcpy(process.buffer(1).data(), input, sizeof input);
    const kernel_result result = process.run(request());
    EXPECT_TRUE(result.findings.empty());
    ASSERT_EQ(result.milliseconds.size(), 1U);
    EXPECT_EQ(result.milliseconds[0], 1.5F);
    float output = 0;
    std::memcpy(&output, process.buffer(0).data(), sizeof output);
    EXPECT_EQ(output, 7 * x);
  }
}

TEST_F(kernel_process_test, the_first_byte_behind_a_buffer_is_a_crash_and_the_last_one_is_not) {
  const auto touch = [](int launch_argument) {
    return launch_argument == 0 ? [](const warpz_launch* launch, warpz_result*) -> int {
      static_cast<volatile char*>(launch->arguments[0].data)[launch->arguments[0].bytes - 1] = 1;
      return WARPZ_OK;
    } : [](const warpz_launch* launch, warpz_result*) -> int {
      static_cast<volatile char*>(launch->arguments[0].data)[launch->arguments[0].bytes] = 1;
      return WARPZ_OK;
    };
  };
  EXPECT_TRUE(run_with(touch(0)).findings.empty());
  const kernel_result result = run_with(touch(1));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, WARPZ_CRASH);
  // AddressSanitizer reports the fault itself and exits.
  if (!address_sanitized) {
    EXPECT_EQ(result.findings[0].signal, static_cast<std::uint32_t>(SIGSEGV));
  }
}

TEST_F(kernel_process_test, a_buffer_is_aligned_for_vectors_whatever_its_size) {
  chosen_run = [](const warpz_launch* launch, warpz_result*) -> int {
    return reinterpret_cast<std::uintptr_t>(launch->arguments[0].data) % 16 == 0 ? WARPZ_OK : WARPZ_UNKNOWN_KERNEL;
  };
  kernel_process process({module_of_test, {}});
  for (const std::uint64_t size : {1, 4, 20, 4092, 4096, 4100, 100'000}) {
    const std::uint64_t bytes[] = {size, 4};
    process.allocate(bytes);
    EXPECT_NO_THROW(process.run(request())) << size;
  }
}

TEST_F(kernel_process_test, a_process_that_ends_by_itself_is_a_finding_with_its_exit_code) {
  const kernel_result result = run_with([](const warpz_launch*, warpz_result*) -> int { _exit(42); });
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, WARPZ_CRASH);
  EXPECT_NE(std::string(result.findings[0].message).find("42"), std::string::npos);
}

TEST_F(kernel_process_test, a_run_without_end_is_killed_in_time) {
  const auto begin = std::chrono::steady_clock::now();
  const auto endless = [](const warpz_launch*, warpz_result*) -> int {
    for (;;) pause();
  };
  const kernel_result result = run_with(endless, 0.2);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, WARPZ_NO_PROGRESS);
  EXPECT_GT(seconds, 0.2);
}

TEST_F(kernel_process_test, a_kernel_that_stops_all_signals_and_forks_is_still_killed) {
  const kernel_result result = run_with([](const warpz_launch*, warpz_result*) -> int {
    sigset_t every;
    sigfillset(&every);
    sigprocmask(SIG_BLOCK, &every, nullptr);
    if (fork() == 0) {
      usleep(1'000'000'000);
      _exit(0);
    }
    _exit(9);
  });
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_NE(std::string(result.findings[0].message).find("9"), std::string::npos);
}

TEST_F(kernel_process_test, an_answer_that_the_kernel_gives_itself_does_not_count) {
  const auto answers_itself = [](const warpz_launch*, warpz_result*) -> int {
    // The channel is one of these.
    for (int descriptor = 3; descriptor < 64; ++descriptor) {
      if (send(descriptor, "rrrr", 4, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) continue;
    }
    for (;;) pause();
  };
  const kernel_result result = run_with(answers_itself, 0.2);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, WARPZ_NO_PROGRESS);
}

TEST_F(kernel_process_test, a_kernel_that_becomes_another_program_is_stopped) {
  const kernel_result result = run_with([](const warpz_launch*, warpz_result*) -> int {
    execl("/bin/sleep", "sleep", "1000", nullptr);
    return WARPZ_OK;
  });
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_NE(std::string(result.findings[0].message).find("cut its process off"), std::string::npos);
}

TEST_F(kernel_process_test, a_kernel_that_signals_its_process_group_does_not_reach_the_parent) {
  // In a process and group of its own, so that the signal would reach nobody else.
  const auto signal_the_group = [this] {
    setpgid(0, 0);
    const kernel_result result = run_with([](const warpz_launch*, warpz_result*) -> int {
      kill(0, SIGTERM);
      return WARPZ_OK;
    });
    _exit(result.findings.size() == 1 && result.findings[0].signal == static_cast<std::uint32_t>(SIGTERM) ? 0 : 1);
  };
  EXPECT_EXIT(signal_the_group(), testing::ExitedWithCode(0), "");
}

TEST_F(kernel_process_test, what_a_kernel_starts_ends_with_it) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  run_with([](const warpz_launch*, warpz_result*) -> int {
    if (fork() == 0) {
      usleep(1'000'000'000);
      _exit(0);
    }
    return WARPZ_OK;
  });
  close(ends[1]);
  // The end of the pipe shows that nobody is left who could write to it.
  char nothing = 0;
  EXPECT_EQ(read(ends[0], &nothing, 1), 0);
  close(ends[0]);
}

TEST_F(kernel_process_test, the_memory_of_buffers_cannot_be_resized) {
  kernel_process process({module_of_test, {}});
  const std::uint64_t bytes[] = {16, 16};
  process.allocate(bytes);
  chosen_run = [](const warpz_launch*, warpz_result* result) -> int {
    for (int descriptor = 3; descriptor < 64; ++descriptor) {
      // Others may be files of whoever started this test.
      if (fcntl(descriptor, F_GET_SEALS) < 0) continue;
      if (ftruncate(descriptor, 0) == 0 || ftruncate(descriptor, 1 << 20) == 0) ++result->findings_left_out;
    }
    return WARPZ_OK;
  };
  EXPECT_EQ(process.run(request()).findings_left_out, 0U);
  EXPECT_EQ(process.buffer(0)[0], std::byte{0});
}

TEST_F(kernel_process_test, a_finding_that_was_told_cannot_be_taken_back_and_only_gets_worse) {
  const kernel_result result = run_with([](const warpz_launch* launch, warpz_result* shared) -> int {
    for (warpz_finding& each : {std::ref(shared->findings[0]), std::ref(shared->findings[1])}) {
      each = {};
      each.kind = WARPZ_DATA_RACE;
      each.severity = WARPZ_WARNING;
      ++shared->finding_count;
      launch->settings.on_finding(&each);
    }
    shared->findings[0].severity = WARPZ_ERROR;
    shared->findings[0].repeats = 7;
    std::memset(static_cast<void*>(&shared->findings[1]), 0, sizeof(warpz_finding));
    shared->finding_count = 0;
    return WARPZ_OK;
  });
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].severity, WARPZ_ERROR);
  EXPECT_EQ(result.findings[0].repeats, 7U);
  EXPECT_EQ(result.findings[1].kind, WARPZ_DATA_RACE);
  EXPECT_EQ(result.findings[1].severity, WARPZ_WARNING);
}

TEST_F(kernel_process_test, more_findings_than_there_is_room_for_keep_nobody_waiting) {
  const kernel_result result = run_with([](const warpz_launch* launch, warpz_result* shared) -> int {
    for (int i = 0; i < 3 * WARPZ_MAX_FINDINGS; ++i) launch->settings.on_finding(&shared->findings[0]);
    return WARPZ_OK;
  });
  EXPECT_EQ(result.findings.size(), std::size_t{WARPZ_MAX_FINDINGS});
}

TEST_F(kernel_process_test, a_kernel_that_has_run_is_to_blame_for_the_end_of_its_process) {
  chosen_stage = WARPZ_FETCHING;
  const kernel_result result = run_with([](const warpz_launch*, warpz_result*) -> int { _exit(0); });
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, WARPZ_CRASH);
}

TEST_F(kernel_process_test, an_input_cannot_be_written_to) {
  const kernel_result result = run_with([](const warpz_launch* launch, warpz_result*) -> int {
    static_cast<volatile char*>(launch->arguments[1].data)[0] = 1;
    return WARPZ_OK;
  });
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, WARPZ_CRASH);
}

TEST_F(kernel_process_test, hostile_counts_and_strings_are_bounded) {
  const kernel_result result = run_with([](const warpz_launch*, warpz_result* shared) -> int {
    std::memset(static_cast<void*>(shared), 0xff, sizeof *shared);
    _exit(1);
  });
  EXPECT_EQ(result.findings.size(), std::size_t{WARPZ_MAX_FINDINGS});
  const std::string failed = error_of([&] {
    run_with([](const warpz_launch*, warpz_result* shared) -> int {
      std::memset(static_cast<void*>(shared), 'x', sizeof *shared);
      return WARPZ_DEVICE_ERROR;
    });
  });
  EXPECT_EQ(failed.substr(0, 3), "4 x");
  EXPECT_LT(failed.size(), 600U);
}

TEST_F(kernel_process_test, more_repeats_than_there_is_room_for_are_left_out) {
  const kernel_result result = run_with([](const warpz_launch*, warpz_result* shared) -> int {
    shared->repeat_count = 1'000'000;
    return WARPZ_OK;
  });
  EXPECT_EQ(result.milliseconds.size(), std::size_t{WARPZ_MAX_REPEATS});
}

TEST_F(kernel_process_test, starts_a_new_child_after_a_crash) {
  kernel_process process({module_of_test, {}});
  const std::uint64_t bytes[] = {4, 4};
  process.allocate(bytes);
  chosen_run = [](const warpz_launch*, warpz_result*) -> int { _exit(1); };
  EXPECT_EQ(process.run(request()).findings.size(), 1U);
  chosen_run = [](const warpz_launch* launch, warpz_result*) -> int {
    std::memset(launch->arguments[0].data, 1, 4);
    return WARPZ_OK;
  };
  process.allocate(bytes);
  EXPECT_TRUE(process.run(request()).findings.empty());
  EXPECT_EQ(process.buffer(0)[3], std::byte{1});
}

TEST_F(kernel_process_test, a_device_s_error_is_told_in_the_vendor_s_words) {
  const std::string failed = error_of([&] {
    run_with([](const warpz_launch*, warpz_result* result) -> int {
      std::snprintf(result->error.call, sizeof result->error.call, "hipMalloc(&data_, argument.bytes)");
      std::snprintf(result->error.code, sizeof result->error.code, "hipErrorOutOfMemory");
      std::snprintf(result->error.text, sizeof result->error.text, "out of memory");
      return WARPZ_DEVICE_ERROR;
    });
  });
  EXPECT_NE(failed.find("4 "), std::string::npos);
  for (const char* word : {"hipMalloc", "hipErrorOutOfMemory", "out of memory"})
    EXPECT_NE(failed.find(word), std::string::npos) << failed;
}

TEST_F(kernel_process_test, a_fault_ends_the_child_and_the_next_run_has_a_new_one) {
  kernel_process process({module_of_test, {}});
  const std::uint64_t bytes[] = {4, 4};
  process.allocate(bytes);
  // What a GPU's runtime is after a fault stays in the process.
  chosen_run = [](const warpz_launch*, warpz_result* result) -> int {
    static bool broken = false;
    if (broken) return WARPZ_DEVICE_ERROR;
    broken = true;
    result->findings[0].kind = WARPZ_CRASH;
    std::snprintf(result->findings[0].message, sizeof warpz_finding::message, "the device stopped the kernel");
    result->finding_count = 1;
    return WARPZ_KERNEL_FAULT;
  };
  for (int i = 0; i < 2; ++i) {
    const kernel_result result = process.run(request());
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_STREQ(result.findings[0].message, "the device stopped the kernel");
  }
}

TEST_F(kernel_process_test, a_driver_that_dies_while_no_kernel_runs_is_no_finding) {
  chosen_stage = WARPZ_PREPARING;
  EXPECT_EQ(error_of([&] { run_with([](const warpz_launch*, warpz_result*) -> int { _exit(1); }); }),
            "4 while no kernel was running, the process that was to run mine ended with exit code 1");
}

TEST_F(kernel_process_test, what_comes_before_the_kernel_has_time_of_its_own) {
  chosen_stage = WARPZ_PREPARING;
  const auto slow = [](const warpz_launch*, warpz_result*) -> int {
    usleep(3'000'000);
    return WARPZ_OK;
  };
  EXPECT_EQ(error_of([&] { run_with(slow, 0.1); }), "no error");
}

TEST_F(kernel_process_test, a_device_that_does_not_come_up_is_told_in_the_vendor_s_words) {
  chosen_prepare = [](std::uint32_t device, warpz_error* error) -> int {
    std::snprintf(error->call, sizeof error->call, "hipSetDevice(%u)", device);
    std::snprintf(error->code, sizeof error->code, "hipErrorInvalidDevice");
    std::snprintf(error->text, sizeof error->text, "invalid device ordinal");
    return WARPZ_DEVICE_ERROR;
  };
  kernel_process process({module_of_test, {}});
  EXPECT_EQ(error_of([&] { process.prepare(3); }), "4 hipSetDevice(3): hipErrorInvalidDevice (invalid device ordinal)");
}

TEST_F(kernel_process_test, a_module_without_devices_says_why) {
  chosen_devices = no_device;
  kernel_process process({module_of_test, {}});
  const std::string failed = error_of([&] { process.devices(); });
  EXPECT_EQ(failed.substr(0, 2), "4 ");
  EXPECT_NE(failed.find("hipErrorNoDevice"), std::string::npos) << failed;
}

TEST_F(kernel_process_test, a_kernel_that_the_module_does_not_have_and_other_arguments) {
  EXPECT_EQ(error_of([&] { run_with([](const warpz_launch*, warpz_result*) -> int { return WARPZ_UNKNOWN_KERNEL; }); }),
            "4 the module has no kernel named mine");
  EXPECT_EQ(
      error_of([&] { run_with([](const warpz_launch*, warpz_result*) -> int { return WARPZ_WRONG_ARGUMENTS; }); }),
      "4 the module's kernel mine takes other arguments");
}

TEST_F(kernel_process_test, refuses_another_version_of_the_interface) {
  chosen_version = WARPZ_MODULE_VERSION + 1;
  kernel_process process({module_of_test, {}});
  EXPECT_NE(error_of([&] { process.devices(); }).find("version"), std::string::npos);
}

TEST_F(kernel_process_test, refuses_files_that_are_no_modules) {
  const std::string missing = error_of([] { kernel_process({nullptr, "no-such-module.so"}).devices(); });
  EXPECT_EQ(missing, "4 cannot read 'no-such-module.so': No such file or directory");
  const std::string text_file = testing::TempDir() + "/warpz-no-module.so";
  std::ofstream(text_file) << "this is no shared object\n";
  const std::string wrong = error_of([&] { kernel_process({nullptr, text_file}).devices(); });
  EXPECT_NE(wrong.find("warpz-no-module.so"), std::string::npos) << wrong;
  Dl_info library{};
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(&getppid), &library), 0);
  const std::string other = error_of([&] { kernel_process({nullptr, library.dli_fname}).devices(); });
  EXPECT_NE(other.find("warpz_get_module"), std::string::npos) << other;
  std::remove(text_file.c_str());
}

TEST_F(kernel_process_test, leaves_no_process_behind) {
  chosen_run = [](const warpz_launch*, warpz_result*) -> int { return WARPZ_OK; };
  {
    kernel_process process({module_of_test, {}});
    const std::uint64_t bytes[] = {4, 4};
    process.allocate(bytes);
    process.run(request());
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(kernel_process_test, buffers_are_zeroed_each_time) {
  kernel_process process({module_of_test, {}});
  const std::uint64_t bytes[] = {10000, 3};
  process.allocate(bytes);
  std::memset(process.buffer(0).data(), 0xab, process.buffer(0).size());
  process.allocate(bytes);
  for (const std::byte each : process.buffer(0)) ASSERT_EQ(each, std::byte{0});
  ASSERT_EQ(process.buffer(1).size(), 3U);
}

}  // namespace
