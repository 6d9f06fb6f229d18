// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which module and device a run gets, with stand-in modules and files that stand for device nodes.
#include "run/backend.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "error.hpp"

namespace {

using namespace warpz;

class backend : public testing::Test {
 protected:
  ~backend() override { unsetenv("WARPZ_STAND_IN"); }

  static void behave(const char* as) { setenv("WARPZ_STAND_IN", as, 1); }

  /// A vendor whose device node is this file, and whose module this one.
  static vendor known(backend_choice which, const char* node, const char* module) {
    return {which, {"/nonexistent/first", node}, {"/nonexistent/module.so", module}};
  }

  static constexpr const char* there = "/dev/null";
  static constexpr const char* missing = "/nonexistent/node";
  static constexpr const char* amd_module = WARPZ_TEST_MODULES "/stand-in-amd.so";
  static constexpr const char* nvidia_module = WARPZ_TEST_MODULES "/stand-in-nvidia.so";

  static std::vector<vendor> both() {
    return {known(backend_choice::nvidia, there, nvidia_module), known(backend_choice::amd, there, amd_module)};
  }

  template <class Action>
  static std::string error_of(Action action) {
    try {
      action();
    } catch (const error& thrown) {
      return std::to_string(static_cast<int>(thrown.code())) + " " + thrown.what() + " | " + thrown.advice();
    }
    return "no error";
  }
};

TEST_F(backend, auto_takes_the_first_vendor_whose_device_works) {
  const chosen_device chosen = choose_device({}, both());
  EXPECT_EQ(chosen.kernels->vendor(), "nvidia");
  EXPECT_EQ(chosen.number, 0U);
  EXPECT_STREQ(chosen.device.name, "stand-in A");
  EXPECT_TRUE(chosen.passed_over.empty());
}

TEST_F(backend, auto_does_not_load_the_module_of_a_vendor_without_a_device_node) {
  // This one would abort, and be told of.
  behave("driver-aborts");
  const chosen_device chosen = choose_device({}, {known(backend_choice::nvidia, missing, nvidia_module)});
  EXPECT_EQ(chosen.kernels->vendor(), "cpu");
  EXPECT_TRUE(chosen.passed_over.empty());
}

TEST_F(backend, auto_goes_on_after_each_kind_of_failure_and_tells_it) {
  for (const auto& [how, word] :
       {std::pair{"no-device", "hipErrorNoDevice"}, std::pair{"old-driver", "cudaErrorInsufficientDriver"},
        std::pair{"driver-aborts", "was ended by signal 6"}, std::pair{"none-listed", "there is no nvidia device"},
        std::pair{"no-code", "hipErrorNoBinaryForGpu"}}) {
    behave(how);
    const chosen_device chosen = choose_device({}, {known(backend_choice::nvidia, there, nvidia_module)});
    EXPECT_EQ(chosen.kernels->vendor(), "cpu") << how;
    ASSERT_EQ(chosen.passed_over.size(), 1U) << how;
    EXPECT_EQ(chosen.passed_over[0].substr(0, 8), "nvidia: ") << how;
    EXPECT_NE(chosen.passed_over[0].find(word), std::string::npos) << chosen.passed_over[0];
  }
}

TEST_F(backend, auto_passes_over_a_module_that_is_not_built) {
  const chosen_device chosen =
      choose_device({}, {known(backend_choice::nvidia, there, missing), known(backend_choice::amd, there, amd_module)});
  EXPECT_EQ(chosen.kernels->vendor(), "amd");
  const chosen_device cpu = choose_device({}, {known(backend_choice::nvidia, there, missing)});
  ASSERT_EQ(cpu.passed_over.size(), 1U);
  EXPECT_NE(cpu.passed_over[0].find("/nonexistent/module.so is missing"), std::string::npos) << cpu.passed_over[0];
}

TEST_F(backend, a_warp_size_picks_the_device_and_under_auto_the_backend) {
  device_request asked;
  asked.warp_size = 32;
  EXPECT_EQ(choose_device(asked, both()).number, 1U);
  asked.backend = backend_choice::cpu;
  asked.warp_size = 64;
  EXPECT_EQ(choose_device(asked, both()).device.warp_size, 64U);
}

TEST_F(backend, the_first_device_that_works_is_taken) {
  behave("no-code-for-first");
  device_request asked;
  asked.backend = backend_choice::amd;
  EXPECT_EQ(choose_device(asked, both()).number, 1U);
  asked.number = 0;
  EXPECT_NE(error_of([&] { choose_device(asked, both()); }).find("hipErrorNoBinaryForGpu"), std::string::npos);
}

TEST_F(backend, what_was_passed_over_is_told_when_the_cpu_cannot_either) {
  behave("no-device");
  device_request asked;
  asked.number = 7;
  const std::string told = error_of([&] { choose_device(asked, both()); });
  EXPECT_NE(told.find("--device 7: cpu has 2 devices"), std::string::npos) << told;
  EXPECT_NE(told.find("\n  not on nvidia: hipGetDeviceCount"), std::string::npos) << told;
}

TEST_F(backend, a_number_picks_the_device) {
  device_request asked;
  asked.backend = backend_choice::amd;
  asked.number = 1;
  EXPECT_STREQ(choose_device(asked, both()).device.name, "stand-in B");
  asked.number = 2;
  EXPECT_EQ(error_of([&] { choose_device(asked, both()); }),
            "4 --device 2: amd has 2 devices, numbers 0 to 1 | --devices lists them.");
  asked.number = 1;
  asked.warp_size = 64;
  EXPECT_EQ(error_of([&] { choose_device(asked, both()); }),
            "4 stand-in B has 32 lanes per warp, but --warp-size asks for 64 | ");
}

TEST_F(backend, one_asked_for_by_name_is_tried_without_a_device_node) {
  device_request asked;
  asked.backend = backend_choice::amd;
  EXPECT_EQ(choose_device(asked, {known(backend_choice::amd, missing, amd_module)}).kernels->vendor(), "amd");
}

TEST_F(backend, one_asked_for_by_name_fails_in_the_vendor_s_words_with_what_to_try) {
  device_request asked;
  asked.backend = backend_choice::nvidia;
  behave("old-driver");
  EXPECT_EQ(error_of([&] { choose_device(asked, both()); }),
            "4 hipGetDeviceCount(&found): cudaErrorInsufficientDriver (CUDA driver version is insufficient for CUDA "
            "runtime version) | Look at the driver's own tool (nvidia-smi), or try --backend cpu.");
  asked.backend = backend_choice::amd;
  behave("no-code");
  EXPECT_EQ(error_of([&] { choose_device(asked, both()); }),
            "4 first->find_code(): hipErrorNoBinaryForGpu (no kernel image is available for execution) | The kernel "
            "module has no code for this device: build it again with -DWARPZ_AMD_ARCHS=... for the architecture that "
            "--devices shows.");
  const std::string absent = error_of([&] { choose_device(asked, {known(backend_choice::amd, there, missing)}); });
  EXPECT_EQ(absent.substr(0, 2), "4 ");
  EXPECT_NE(absent.find("scripts/warpz --backend amd"), std::string::npos) << absent;
}

TEST_F(backend, a_module_given_as_a_file_has_to_be_for_the_backend_asked_for) {
  device_request asked;
  asked.module = amd_module;
  EXPECT_EQ(choose_device(asked, {}).kernels->vendor(), "amd");
  asked.backend = backend_choice::nvidia;
  const std::string told = std::string("4 the kernel module ") + amd_module + " is for amd, not for nvidia | ";
  EXPECT_EQ(error_of([&] { choose_device(asked, both()); }).substr(0, told.size()), told);
  EXPECT_EQ(error_of([&] { devices_text(list_devices(asked, both())); }).substr(0, told.size()), told);
}

TEST_F(backend, a_module_is_for_the_vendor_that_its_file_s_name_says) {
  const std::vector<vendor> renamed{known(backend_choice::nvidia, there, amd_module)};
  const std::string told = std::string("the kernel module ") + amd_module + " is for amd, not for nvidia";
  const std::string advice = "scripts/warpz --backend nvidia builds one that is.";
  device_request asked;
  EXPECT_EQ(devices_text(list_devices(asked, renamed)).find("stand-in A"), std::string::npos);
  EXPECT_NE(devices_text(list_devices(asked, renamed)).find("nvidia   not usable: " + told + ". " + advice),
            std::string::npos)
      << devices_text(list_devices(asked, renamed));
  const chosen_device chosen = choose_device(asked, renamed);
  EXPECT_EQ(chosen.kernels->vendor(), "cpu");
  EXPECT_EQ(chosen.passed_over, std::vector<std::string>{"nvidia: " + told + ". " + advice});
  asked.backend = backend_choice::nvidia;
  EXPECT_EQ(error_of([&] { choose_device(asked, renamed); }), "4 " + told + " | " + advice);
  EXPECT_EQ(error_of([&] { devices_text(list_devices(asked, renamed)); }), "4 " + told + " | " + advice);
}

TEST_F(backend, devices_lists_every_backend_and_why_one_is_not_usable) {
  behave("no-code-for-first");
  const std::string text = devices_text(list_devices(
      {}, {known(backend_choice::nvidia, missing, nvidia_module), known(backend_choice::amd, there, amd_module)}));
  EXPECT_NE(text.find("nvidia   not usable: no such GPU here: /nonexistent/first and "
                      "/nonexistent/node are missing\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("amd      0       64         gfx90a        1.0 GiB"), std::string::npos) << text;
  EXPECT_NE(text.find("\n         not usable: first->find_code(): hipErrorNoBinaryForGpu"), std::string::npos) << text;
  EXPECT_NE(text.find("6.1       stand-in B\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ncpu      1       64"), std::string::npos) << text;
}

TEST_F(backend, vendors_are_looked_for_beside_the_program_and_where_it_is_installed) {
  const std::vector<vendor> known = vendors();
  ASSERT_EQ(known.size(), 2U);
  EXPECT_EQ(known[0].backend, backend_choice::nvidia);
  EXPECT_EQ(known[1].backend, backend_choice::amd);
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  EXPECT_EQ(known[1].module_files[0], folder / "libwarpz-amd.so");
  const std::filesystem::path installed = known[0].module_files[1];
  EXPECT_EQ(installed.filename(), "libwarpz-nvidia.so");
  EXPECT_EQ(installed.parent_path().filename(), "warpz");
}

}  // namespace
