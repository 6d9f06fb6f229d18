// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What parent and child share: one block of memory for the request and the answer, and one-byte messages.
//
// The child runs a kernel that may write anywhere, so the parent bounds whatever it reads from here.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "abi/module.h"
#include "process/kernel_process.hpp"

namespace warpz {

inline constexpr std::size_t max_arguments = 16;
inline constexpr std::size_t max_devices = 16;

namespace command {
inline constexpr char list_devices = 'd';
inline constexpr char prepare = 'p';
inline constexpr char run = 'r';
}  // namespace command

/// A buffer within the arena file. It has pages of its own and lies at their end, so that whoever runs past it leaves
/// them; it begins at a multiple of what the widest vector type needs.
struct shared_buffer {
  std::uint64_t offset;  ///< of its pages
  std::uint64_t bytes;

  static constexpr std::uint64_t alignment = 16;

  /// Bytes of its pages.
  std::uint64_t room() const {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
  }
  /// Unused bytes of its pages before it.
  std::uint64_t lead() const { return room() - (bytes + alignment - 1) / alignment * alignment; }
};

/// The status of a command that is not done.
inline constexpr int no_status = -1;

struct shared_pages {
  // from the parent
  warpz_launch launch;  ///< its pointers are set by the child: to the next two
  char kernel[64];
  kernel_argument arguments[max_arguments];
  shared_buffer buffers[max_arguments];
  std::uint32_t buffer_count;
  bool quiet;  ///< what the kernel prints is dropped
  // from the child
  int status;            ///< enum warpz_status
  char load_error[512];  ///< why the module could not be loaded; empty if it was
  char vendor[16];
  std::uint64_t module_base;  ///< where a loaded module lies in the child; 0 for the embedded one
  std::uint32_t device_count;
  warpz_device devices[max_devices];
  warpz_result result;
};

/// The child's whole life: loads the module, obeys the commands that come through `channel`, ends with it.
[[noreturn]] void child_main(const module_source& source, shared_pages& shared, int channel, int arena_file);

}  // namespace warpz
