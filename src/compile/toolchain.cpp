// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/toolchain.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "error.hpp"
#include "system/installed.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr int clang_major = WARPZ_CLANG_MAJOR;

std::string installation_advice() {
  return fmt::format("On Debian and Ubuntu: sudo apt-get install clang-{}", clang_major);
}

/// 0 where the macros are another compiler's.
int clang_major_in(std::string_view macros) {
  constexpr std::string_view words = "#define __clang_major__ ";
  const std::size_t at = macros.find(words);
  int major = 0;
  if (at != macros.npos) std::from_chars(macros.data() + at + words.size(), macros.data() + macros.size(), major);
  return major;
}

}  // namespace

std::string identity_of(const std::string& file) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(file, failed);
  struct stat found {};
  if (failed || stat(real.c_str(), &found) != 0) return file;
  return fmt::format("{} {} {} {}.{:09}", file, real.string(), found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

cpu_compiler find_cpu_compiler(const std::optional<std::string>& requested, std::string_view option) {
  const char* const variable = std::getenv("WARPZ_CXX");
  const std::string chosen = requested.value_or(variable != nullptr ? variable : "");
  if (!chosen.empty()) {
    if (const std::string file = find_program(chosen); !file.empty()) return {file, identity_of(file)};
    throw error(
        exit_code::bad_input,
        fmt::format("{}: cannot find the program '{}'", requested ? "--compiler" : "WARPZ_CXX", printable(chosen)),
        fmt::format("It takes one word, a Clang's name or path: clang++-{0} or /usr/bin/clang++-{0}.", clang_major));
  }
  // Where it was when warpz was built, or wherever PATH has it now.
  for (const std::string& name : {std::string(WARPZ_CLANG), fmt::format("clang++-{}", clang_major)}) {
    if (const std::string file = find_program(name); !file.empty()) return {file, identity_of(file)};
  }
  throw error(exit_code::no_device,
              fmt::format("{} needs Clang {}, for which this warpz was built, and it is missing", option, clang_major),
              installation_advice());
}

command macros_command(const cpu_compiler& compiler) {
  return {{compiler.file, "-dM", "-E", "-x", "c++", "/dev/null"}, {}};
}

void check_macros(const cpu_compiler& compiler, std::string_view macros) {
  const int major = clang_major_in(macros);
  if (major == clang_major) return;
  throw error(exit_code::no_device,
              fmt::format("{} is {}, and this warpz compiles kernels by Clang {}", printable(compiler.file),
                          major != 0 ? fmt::format("Clang {}", major) : "no Clang", clang_major),
              installation_advice());
}

std::string toolchain_part(std::string_view name, std::string_view option) {
  const std::string folder = first_existing(places_of("toolchain"));
  std::string path = fmt::format("{}/{}", folder, name);
  if (!folder.empty() && !first_existing({path}).empty()) return path;
  const std::vector<std::string> places = places_of("toolchain");
  throw error(exit_code::no_device,
              fmt::format("{} needs {}, and it is missing", option,
                          folder.empty() ? (places.empty() ? "toolchain" : places.back()) : path),
              "It is part of warpz: build or install warpz again.");
}

}  // namespace warpz
