// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/memory_limit.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "error.hpp"
#include "text/number.hpp"

namespace warpz {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
// Below this many bytes no machine that can start warpz at all is worth asking.
constexpr std::uint64_t always_affordable = std::uint64_t{16} << 20;

// The files of /proc and /sys that are read here are short.
std::string contents(const std::string& file) {
  std::string text;
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  char piece[4096];
  for (ssize_t count; (count = ::read(fd, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(count));
  ::close(fd);
  return text;
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t\n")); }

// The number behind a line's first word, as in "MemAvailable:   123 kB" and "inactive_file 123".
std::optional<std::uint64_t> entry(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (first_word(line) != name) continue;
    line.remove_prefix(name.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return parse_whole(first_word(line));
  }
  return {};
}

struct group_files {
  std::string_view mount;
  std::string_view limit;
  std::string_view usage;
  std::string_view droppable;
};

constexpr group_files version_1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                   "total_inactive_file"};
constexpr group_files version_2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

// What the group and those above it leave. In a container the group's path may be the host's: then only the mount's root
// is there, and it is the container's group.
std::uint64_t left_in_group(const std::string& root, const group_files& files, std::string_view group) {
  std::uint64_t least = unlimited;
  while (true) {
    while (!group.empty() && group.back() == '/') group.remove_suffix(1);
    const std::string folder = fmt::format("{}{}{}/", root, files.mount, group);
    const auto limit = parse_whole(first_word(contents(fmt::format("{}{}", folder, files.limit))));
    if (limit) {
      const auto usage = parse_whole(first_word(contents(fmt::format("{}{}", folder, files.usage)))).value_or(0);
      const auto droppable = entry(contents(folder + "memory.stat"), files.droppable).value_or(0);
      const std::uint64_t used = usage - std::min(usage, droppable);
      least = std::min(least, *limit - std::min(*limit, used));
    }
    if (group.empty()) return least;
    const std::size_t slash = group.rfind('/');
    group = slash == std::string_view::npos ? std::string_view() : group.substr(0, slash);
  }
}

std::uint64_t left_in_groups(const std::string& root) {
  std::uint64_t least = unlimited;
  const std::string groups = contents(root + "/proc/self/cgroup");
  std::string_view rest = groups;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    const std::string_view path = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, left_in_group(root, version_2, path));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, left_in_group(root, version_1, path));
  }
  return least;
}

std::uint64_t left_in_address_space(const std::string& root) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const auto pages = parse_whole(first_word(contents(root + "/proc/self/statm"))).value_or(0);
  const std::uint64_t used = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

}  // namespace

std::uint64_t available_memory(const std::string& root) {
  const auto kilobytes = entry(contents(root + "/proc/meminfo"), "MemAvailable:");
  const std::uint64_t machine = kilobytes ? *kilobytes * 1024 : unlimited;
  return std::min({machine, left_in_groups(root), left_in_address_space(root)});
}

std::uint64_t affordable_elements() {
  const std::uint64_t available = available_memory();
  return (available - std::min(available, bytes_beside)) / bytes_per_element;
}

void check_elements(std::uint64_t elements, const std::string& what) {
  if (elements > most_elements)
    throw error(exit_code::bad_input,
                fmt::format("{} is too large: a kernel takes the size as an int, so at most {} elements", what,
                            most_elements));
  if (elements * bytes_per_element <= always_affordable) return;
  const std::uint64_t affordable = affordable_elements();
  if (elements <= affordable) return;
  constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
  throw error(exit_code::bad_input,
              fmt::format("{} needs {} MiB of memory ({} bytes per element and {} MiB), and {} MiB are free", what,
                          elements * bytes_per_element / mebi + bytes_beside / mebi, bytes_per_element,
                          bytes_beside / mebi, available_memory() / mebi),
              fmt::format("This machine has room for about {} elements: --size takes fewer.", affordable));
}

}  // namespace warpz
