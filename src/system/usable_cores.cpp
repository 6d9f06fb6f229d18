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

void keep_part_of_cores(std::size_t number, std::size_t parts) {
  cpu_set_t usable, part;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return;
  const auto cores = static_cast<std::size_t>(CPU_COUNT(&usable));
  if (cores < parts) return;
  const std::size_t begin = cores * number / parts, end = cores * (number + 1) / parts;
  CPU_ZERO(&part);
  for (std::size_t core = 0, passed = 0; passed < end; ++core) {
    if (!CPU_ISSET(core, &usable)) continue;
    if (passed++ >= begin) CPU_SET(core, &part);
  }
  sched_setaffinity(0, sizeof part, &part);
}

part_of_cores::part_of_cores(std::size_t number, std::size_t parts) {
  if (sched_getaffinity(0, sizeof before_, &before_) != 0) CPU_ZERO(&before_);
  keep_part_of_cores(number, parts);
}

part_of_cores::~part_of_cores() {
  if (CPU_COUNT(&before_) > 0) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace os
