// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that this process may use. Linux grants more than there is, and kills a process later.
#pragma once

#include <cstdint>
#include <string>

namespace os {

/// In bytes: the least that the machine, the process's control groups and the limit of its address space allow.
struct memory_limit {
  std::uint64_t total;
  std::uint64_t available;
};

/// `root` is the folder of proc and sys.
memory_limit read_memory_limit(const std::string& root = "");

}  // namespace os
