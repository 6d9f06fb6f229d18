// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that a process has loaded from a file.
#pragma once

#include <cstdint>
#include <string>

namespace os {

struct mapped_file {
  std::string path;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool holds(std::uint64_t address) const { return begin <= address && address < end; }
};

}  // namespace os
