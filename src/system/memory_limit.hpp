// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that this process may use. Linux grants more than there is, and kills a process later.
#pragma once

#include <cstdint>
#include <string>

namespace os {

/// In bytes: the lowest limit of the machine, the process's control groups and its address space.
struct memory_limit {
  std::uint64_t total;
  std::uint64_t available;
};

/// `root` is the folder of proc and sys.
memory_limit read_memory_limit(const std::string& root = "");

}  // namespace os
