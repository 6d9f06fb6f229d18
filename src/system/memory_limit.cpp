// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string_view>

#include "system/file_content.hpp"

namespace os {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The first number in a file; `otherwise` if there is none, as in "max".
std::uint64_t number_in(const std::string& path, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : otherwise;
}

/// The number after a name and blanks at the beginning of a line.
std::uint64_t entry(std::string_view text, std::string_view name, std::uint64_t otherwise) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.substr(0, name.size()) != name) continue;
    line.remove_prefix(name.size());
    const std::size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
    std::uint64_t value = 0;
    const auto read = std::from_chars(line.data() + blanks, line.data() + line.size(), value);
    if (blanks != 0 && read.ec == std::errc()) return value;
  }
  return otherwise;
}

struct group_files {
  const char* mount;
  const char* limit;
  const char* usage;
  const char* droppable;
};

constexpr group_files version_1 = {"/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                   "total_inactive_file"};
constexpr group_files version_2 = {"/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file"};

/// Lowers `least` to what a control group and the groups above it allow. In a container only the mount's root may be
/// visible.
void narrow_by_group(memory_limit& least, const std::string& root, const group_files& files, std::string group) {
  for (;;) {
    while (!group.empty() && group.back() == '/') group.pop_back();
    const std::string folder = root + files.mount + group;
    const std::uint64_t limit = number_in(folder + files.limit, unlimited);
    // The usage takes long to compute, and most groups need none, as they have no limit. Version 1 writes a number of
    // 63 bits for that.
    if (limit < unlimited / 4) {
      const std::uint64_t used = number_in(folder + files.usage, 0);
      const std::uint64_t held =
          used - std::min(used, entry(content_of(folder + "/memory.stat").value_or(""), files.droppable, 0));
      least.total = std::min(least.total, limit);
      least.available = std::min(least.available, limit - std::min(limit, held));
    }
    if (group.empty()) return;
    group.resize(std::min(group.rfind('/'), group.size() - 1));
  }
}

void narrow_by_groups(memory_limit& least, const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  // Each line: number, controllers, path, with colons between.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") narrow_by_group(least, root, version_2, path);
    if (controllers.find(",memory,") != std::string::npos) narrow_by_group(least, root, version_1, path);
  }
}

}  // namespace

memory_limit read_memory_limit(const std::string& root) {
  const std::string machine = content_of(root + "/proc/meminfo").value_or("");
  memory_limit least{unlimited, unlimited};
  const std::uint64_t total = entry(machine, "MemTotal:", unlimited);
  const std::uint64_t available = entry(machine, "MemAvailable:", unlimited);
  if (total != unlimited) least.total = total * 1024;
  if (available != unlimited) least.available = available * 1024;
  narrow_by_groups(least, root);
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    const std::uint64_t pages = number_in(root + "/proc/self/statm", 0);
    const std::uint64_t most = space.rlim_cur;
    const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    least.total = std::min(least.total, most);
    least.available = std::min(least.available, most - std::min(most, used));
  }
  return least;
}

}  // namespace os
