// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/compiler_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "abi/launcher.h"
#include "cli/color.hpp"
#include "compile/driver.hpp"
#include "compile/user_flags.hpp"
#include "error.hpp"
#include "process/supervisor.hpp"
#include "system/installed.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// What build systems ask hipcc and nvcc.
std::string driver_version_text(std::string_view name) {
  const std::string own =
      fmt::format("warpz-hipcc of warpz {}, which compiles for warpz's CPU machine\n", WARPZ_VERSION);
  if (name == "nvcc")
    return "nvcc: NVIDIA (R) Cuda compiler driver, as far as builds ask\n" + own +
           "Cuda compilation tools, release 12.4, V12.4.131\n";
  return "HIP version: 6.2.0\n" + own;
}

}  // namespace

int run_compiler_driver(std::span<const char* const> words, output_stream& out, output_stream& err) {
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  const std::string name = std::filesystem::path(words.front()).filename().native();
  const auto is_there = [&arguments](std::string_view word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
  };
  if (is_there("--version") || is_there("-V")) {
    out.write(driver_version_text(name));
    return 0;
  }
  const driver_job job = parse_driver_words(name, arguments);
  driver_settings settings;
  if (variable("WARPZ_WARP_SIZE") == "64") settings.warp_size = 64;
  settings.cache_folder = default_cache_folder();
  settings.compiling.color = use_color(color_choice::automatic, 2);
  settings.compiling.tell = [&err](std::string_view messages) { err.write(messages); };
  if (job.result != driver_result::clangs_own) work_supervised();
  run_driver(job, settings);
  return 0;
}

std::string toolchain_file_text() {
  const std::vector<std::string> places = places_of("platform/warpz.cmake");
  const std::string file = first_existing(places);
  if (!file.empty()) return std::filesystem::path(file).lexically_normal().native() + "\n";
  throw error(exit_code::no_device, fmt::format("{} is missing", places.empty() ? "the toolchain file" : places.back()),
              "It is part of warpz: build or install warpz again.");
}

std::vector<std::string> words_of_started_program(std::span<const char* const> words) {
  if (words.size() < 4 || words[1] != std::string_view(WARPZ_LAUNCHER_COMMAND)) return {words.begin(), words.end()};
  std::vector<std::string> all = {words[0], "--run", words[2]};
  if (const std::string size = variable("WARPZ_WARP_SIZE"); !size.empty()) {
    all.insert(all.end(), {"--warp-size", size});
  }
  for (std::string& each : option_words(variable("WARPZ_OPTIONS"))) all.push_back(std::move(each));
  all.emplace_back("--");
  all.insert(all.end(), words.begin() + 4, words.end());
  return all;
}

}  // namespace warpz
