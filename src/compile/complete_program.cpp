// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/complete_program.hpp"

#include <dlfcn.h>

#include <sstream>
#include <string_view>

#include "compile/command.hpp"

namespace warpz {

std::string missing_function(const std::string& shared_object) {
  const std::string ldd = find_program("ldd");
  if (ldd.empty()) return {};
  std::istringstream lines(run_command({{ldd, "-r", shared_object}, {}}).output);
  constexpr std::string_view label = "undefined symbol: ";
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(label);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + label.size();
    std::string name = line.substr(begin, line.find_first_of(", \t(", begin) - begin);
    if (dlsym(RTLD_DEFAULT, name.c_str()) == nullptr) return name;
  }
  return {};
}

}  // namespace warpz
