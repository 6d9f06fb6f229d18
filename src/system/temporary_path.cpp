// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/temporary_path.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace os {
namespace {

/// Enough for a few compilers at a time, each with an entry of the cache, and a report.
constexpr int max_entries = 32;
constexpr std::size_t max_length = 4096;

struct shared_list {
  struct entry {
    std::atomic<bool> is_taken;
    std::atomic<bool> is_complete;  ///< the path is written
    char path[max_length];
  } entries[max_entries];
};

shared_list* list = nullptr;

void remove(const char* path) noexcept {
  std::error_code failed;
  // A link is removed itself, not what it leads to.
  std::filesystem::remove_all(path, failed);
}

int take_entry(const std::string& path) {
  if (list == nullptr || path.size() >= max_length) return -1;
  for (int i = 0; i < max_entries; ++i) {
    if (list->entries[i].is_taken.exchange(true)) continue;
    std::memcpy(list->entries[i].path, path.c_str(), path.size() + 1);
    list->entries[i].is_complete = true;
    return i;
  }
  return -1;
}

}  // namespace

temporary_path::temporary_path(std::string path) : path_(std::move(path)), entry_(take_entry(path_)) {}

temporary_path::~temporary_path() {
  if (path_.empty()) return;
  remove(path_.c_str());
  release();
}

void temporary_path::release() {
  path_.clear();
  if (entry_ < 0) return;
  shared_list::entry& own = list->entries[std::exchange(entry_, -1)];
  own.is_complete = false;
  own.is_taken = false;
}

void share_temporary_paths() {
  void* const memory = mmap(nullptr, sizeof(shared_list), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  list = memory != MAP_FAILED ? static_cast<shared_list*>(memory) : nullptr;
}

void withhold_temporary_paths() {
  if (list == nullptr || madvise(list, sizeof *list, MADV_DONTFORK) != 0) return;
  pthread_atfork(nullptr, nullptr, [] { list = nullptr; });
}

void remove_temporary_paths() noexcept {
  if (list == nullptr) return;
  for (const shared_list::entry& each : list->entries) {
    if (each.is_complete) remove(each.path);
  }
}

}  // namespace os
