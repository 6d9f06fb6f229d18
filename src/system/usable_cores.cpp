// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/usable_cores.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace os {

unsigned usable_cores() {
  cpu_set_t cores;
  const int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
  return count > 0 ? static_cast<unsigned>(count) : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace os
