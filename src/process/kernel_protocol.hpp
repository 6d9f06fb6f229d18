// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel_process shares with its child: a block of memory for the request and the reply, and one-byte messages.
//
// The child runs a kernel that may write anywhere, so the parent checks the bounds of all that it reads from here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/module.h"
#include "process/kernel_buffers.hpp"
#include "process/kernel_process.hpp"

namespace warpz {

inline constexpr std::size_t max_arguments = WARPZ_MAX_ARGUMENTS;
inline constexpr std::size_t max_devices = 16;

namespace message {
inline constexpr char list_devices = 'd';
inline constexpr char prepare = 'p';
inline constexpr char run = 'r';
inline constexpr char find_kernel = 'f';  ///< is the request's kernel there? WARPZ_OK or WARPZ_UNKNOWN_KERNEL
}  // namespace message

/// The status while a request is not done.
inline constexpr int no_status = -1;

struct kernel_protocol {
  // from the parent
  warpz_launch launch;  ///< the child sets its pointers to the next three members
  char kernel[4096];    ///< its identity in the module: a user's kernel may have a long name
  char name[sizeof warpz_finding::kernel];
  kernel_argument arguments[max_arguments];
  buffer_pages buffers[max_arguments];
  std::uint32_t buffer_count;
  bool quiet;  ///< what the kernel prints is dropped
  // from the child
  int status;            ///< enum warpz_status
  char load_error[512];  ///< why the module could not be loaded; empty if it was
  char unconfined[128];  ///< why the child could not be confined; empty if it is, or was not to be
  char reads_all[128];   ///< why a confined child can still read all that the user can
  char vendor[16];
  std::uint64_t module_base;  ///< address of a loaded module in the child; 0 for the embedded one
  bool is_as_new;             ///< the next run begins as in a new process
  std::uint32_t device_count;
  warpz_device devices[max_devices];
  warpz_result result;
};

/// In the child: loads the module, and serves the requests that come through `channel`, where the file of the buffers
/// comes once, until the parent closes it. `findings` is the descriptor for those.
void serve_kernels(const module_source& source, kernel_protocol& shared, int channel, int findings);

}  // namespace warpz
