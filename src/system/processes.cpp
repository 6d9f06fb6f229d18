// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/processes.hpp"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace os {
namespace {

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> threads;
  DIR* const folder = opendir((folder_of(process) + "/task").c_str());
  if (folder == nullptr) return threads;
  while (const dirent* const entry = readdir(folder)) {
    if (entry->d_name[0] != '.') threads.push_back(std::atoi(entry->d_name));
  }
  closedir(folder);
  return threads;
}

/// Each thread has children of its own.
void add_children(pid_t process, std::vector<pid_t>& found) {
  for (const pid_t thread : threads_of(process)) {
    std::ifstream list(folder_of(process) + "/task/" + std::to_string(thread) + "/children");
    for (pid_t each = 0; list >> each;) found.push_back(each);
  }
}

/// The process and those below it.
std::vector<pid_t> with_descendants(pid_t process) {
  std::vector<pid_t> all{process};
  for (std::size_t i = 0; i < all.size(); ++i) add_children(all[i], all);
  return all;
}

/// The sum of some lines of the form "RssAnon:   12 kB", or "Threads:  1".
std::uint64_t sum_of_lines(const std::string& file, std::initializer_list<const char*> names) {
  std::ifstream lines(file);
  std::uint64_t sum = 0;
  for (std::string line; std::getline(lines, line);) {
    for (const char* const name : names) {
      const std::string begin = std::string(name) + ":";
      if (line.compare(0, begin.size(), begin) == 0) sum += std::strtoull(line.c_str() + begin.size(), nullptr, 10);
    }
  }
  return sum;
}

/// Bytes of the files in memory that the processes have open, and of what has been added to /dev/shm. Mapped parts of
/// them count as shared memory of the processes, too.
std::uint64_t memory_in_files(const std::vector<pid_t>& processes, std::uint64_t before) {
  std::map<ino_t, std::uint64_t> files;
  for (const pid_t each : processes) {
    const std::string path = folder_of(each) + "/fd";
    DIR* const folder = opendir(path.c_str());
    if (folder == nullptr) continue;
    while (const dirent* const entry = readdir(folder)) {
      const std::string file = path + "/" + entry->d_name;
      constexpr std::string_view in_memory = "/memfd:";
      char target[in_memory.size()];
      const ssize_t length = readlink(file.c_str(), target, sizeof target);
      struct stat found {};
      if (length != sizeof target || std::string_view(target, sizeof target) != in_memory) continue;
      if (stat(file.c_str(), &found) == 0) files[found.st_ino] = static_cast<std::uint64_t>(found.st_blocks) * 512;
    }
    closedir(folder);
  }
  const std::uint64_t used = used_shared_memory();
  std::uint64_t sum = used - std::min(used, before);
  for (const auto& [inode, bytes] : files) sum += bytes;
  return sum;
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  add_children(getpid(), found);
  return found;
}

std::vector<pid_t> descendants(const std::vector<pid_t>& kept) {
  std::vector<pid_t> found = children();
  const auto is_kept = [&](pid_t each) { return std::find(kept.begin(), kept.end(), each) != kept.end(); };
  found.erase(std::remove_if(found.begin(), found.end(), is_kept), found.end());
  for (std::size_t i = 0; i < found.size(); ++i) add_children(found[i], found);
  return found;
}

double processor_seconds_of(pid_t process) {
  std::uint64_t ticks = 0;
  for (const pid_t each : with_descendants(process)) {
    std::ifstream file(folder_of(each) + "/stat");
    std::string text;
    std::getline(file, text);
    // Behind the program's name in parentheses: the state, ten numbers, and then its own two and those of children
    // that have ended.
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    for (std::uint64_t taken = 0, i = 0; i < 4 && fields >> taken; ++i) ticks += taken;
  }
  return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::uint64_t bytes_read_by(pid_t process) {
  std::uint64_t sum = 0;
  for (const pid_t each : with_descendants(process)) sum += sum_of_lines(folder_of(each) + "/io", {"rchar"});
  return sum;
}

std::size_t threads_of_each(const std::vector<pid_t>& processes) {
  std::size_t count = 0;
  for (const pid_t each : processes) count += sum_of_lines(folder_of(each) + "/status", {"Threads"});
  return count;
}

std::uint64_t used_shared_memory() {
  struct statvfs found {};
  if (statvfs("/dev/shm", &found) != 0) return 0;
  return (found.f_blocks - found.f_bfree) * found.f_frsize;
}

std::uint64_t memory_of_each(const std::vector<pid_t>& processes, std::uint64_t before) {
  std::uint64_t own = 0, shared = 0;
  for (const pid_t each : processes) {
    own += sum_of_lines(folder_of(each) + "/status", {"RssAnon", "VmSwap"});
    shared += sum_of_lines(folder_of(each) + "/status", {"RssShmem"});
  }
  return own * 1024 + std::max(shared * 1024, memory_in_files(processes, before));
}

std::uint64_t memory_of(const std::vector<pid_t>& processes, std::uint64_t before) {
  std::uint64_t own = 0, shared = 0;
  for (const pid_t each : processes) {
    own += sum_of_lines(folder_of(each) + "/smaps_rollup", {"Pss_Anon", "SwapPss"});
    shared += sum_of_lines(folder_of(each) + "/smaps_rollup", {"Pss_Shmem"});
  }
  // Older kernels do not have the file.
  if (own == 0) return memory_of_each(processes, before);
  return own * 1024 + std::max(shared * 1024, memory_in_files(processes, before));
}

void reap_threads(pid_t child) {
  for (const pid_t thread : threads_of(child)) {
    if (thread != child) waitpid(thread, nullptr, WNOHANG | __WALL);
  }
}

void end_descendants(const std::vector<pid_t>& kept) noexcept {
  // All at once, round after round: killed one by one, they could start others faster. Each round finds only those that
  // were started since the last one, and so fewer.
  for (;;) {
    std::vector<pid_t> left = descendants(kept);
    // Another user's processes can't be killed.
    left.erase(std::remove_if(left.begin(), left.end(), [](pid_t each) { return kill(each, SIGKILL) != 0; }),
               left.end());
    if (left.empty()) return;
    bool any_ended = false;
    for (const pid_t each : left) any_ended = waitpid(each, nullptr, WNOHANG | __WALL) == each || any_ended;
    constexpr timespec a_moment{0, 1000000};
    if (!any_ended) nanosleep(&a_moment, nullptr);
  }
}

}  // namespace os
