// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sched.h>

#include <cstddef>

namespace os {

/// The cores that the process may use; at least 1.
unsigned usable_cores();

/// Leaves the process one of `parts` parts of these cores, that of this number from 0 on; all of them where there are
/// fewer cores than parts.
void keep_part_of_cores(std::size_t number, std::size_t parts);

/// Does so for the calling thread, and what it starts, during its lifetime.
class part_of_cores {
 public:
  part_of_cores(std::size_t number, std::size_t parts);
  ~part_of_cores();
  part_of_cores(const part_of_cores&) = delete;
  part_of_cores& operator=(const part_of_cores&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace os
