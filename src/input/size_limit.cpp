// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input/size_limit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"
#include "system/memory_limit.hpp"

namespace warpz {
namespace {

// Every machine that can start warpz has this many bytes: no need to ask.
constexpr std::uint64_t always_affordable = std::uint64_t{16} << 20;

}  // namespace

std::uint64_t affordable_elements(std::uint64_t bytes_each) {
  const std::uint64_t available = os::read_memory_limit().available;
  return (available - std::min(available, bytes_beside)) / bytes_each;
}

void check_elements(std::uint64_t elements, const std::string& subject, std::uint64_t bytes_each) {
  if (elements > max_elements)
    throw error(exit_code::bad_input,
                fmt::format("{} is too large: a kernel takes the size as an int, so at most {} elements", subject,
                            max_elements));
  if (elements * bytes_each <= always_affordable) return;
  const std::uint64_t affordable = affordable_elements(bytes_each);
  if (elements <= affordable) return;
  constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
  throw error(exit_code::bad_input,
              fmt::format("{} needs {} MiB of memory ({} bytes per element and {} MiB), and {} MiB are free", subject,
                          elements * bytes_each / mebi + bytes_beside / mebi, bytes_each, bytes_beside / mebi,
                          os::read_memory_limit().available / mebi),
              fmt::format("This machine has room for about {} elements: --size takes fewer.", affordable));
}

}  // namespace warpz
