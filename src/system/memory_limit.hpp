// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory the process may have: Linux grants more than there is, and kills somebody later.
#pragma once

#include <cstdint>
#include <string>

namespace os {

/// Bytes, each the least of what the machine, the process's control groups and its address space limit say.
struct memory_limit {
  std::uint64_t total;
  std::uint64_t available;
};

/// `root` is where /proc and /sys are found.
memory_limit read_memory_limit(const std::string& root = "");

}  // namespace os
