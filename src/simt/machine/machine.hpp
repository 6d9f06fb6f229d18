// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU machine: runs kernels as a GPU of 32 or 64 lanes would, blocks spread over the cores.
//
// Owns worker threads, lanes' stacks and the rules of collectives and barriers. Knows nothing of puzzles, of
// HIP's names or of processes: it reports a broken rule as a finding and ends the process through the sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "abi/module.h"
#include "simt/lane.hpp"

namespace simt {

/// Set before a launch, from the thread that launches.
SIMT_API warpz_settings& current_settings();

/// Blocks that can be alive at once, as long as they have no more than max_lanes_alive lanes (stacks.hpp).
inline constexpr std::size_t max_blocks_alive = 2048;

/// Sets the warp size of the launches that follow: 32 or 64.
SIMT_API void set_warp_size(unsigned lanes);

/// From now on there is one device, with so many lanes, instead of one with 32 and one with 64.
SIMT_API void offer_one_device(unsigned lanes);

/// Receives findings. `report` may be called from a signal handler, by any thread, by one at a time; after a
/// finding that stops the kernel the machine ends the process at once with `_exit(stopped_exit_code)`.
struct sink {
  warpz_finding* (*next_finding)();   ///< a record to clear and to fill; never null
  void (*publish)(warpz_finding*);    ///< the record is complete
  std::uint64_t* progress;            ///< counts finished blocks
  std::uint32_t* left_out = nullptr;  ///< counts findings for which there was no room
  warpz_trace* trace = nullptr;       ///< takes what a watched launch tells of itself
  std::size_t room = 16;              ///< records that there are
};

SIMT_API void set_sink(const sink& receiver);
const sink& current_sink();

/// The exit code of a process that the machine ended after a finding.
inline constexpr int stopped_exit_code = 112;

/// The kernels to come are given this buffer as their argument number `number`: its accesses are watched, where
/// everything is. So many bytes before and behind it are nobody else's. Until forget_arguments(). False where there is
/// no address space for what has to be remembered.
SIMT_API bool watch_argument(std::uint32_t number, void* data, std::size_t bytes, std::size_t guard, bool initialised,
                             bool writable);
SIMT_API void forget_arguments();

/// From now on what the program allocates is watched, where everything is: its bounds, what was never written, what was
/// given back; and what never was, at the end of the process.
SIMT_API void watch_allocations();

/// No launch begins or is under way as long as it is held.
std::unique_lock<std::mutex> between_launches();

using kernel_function = void (*)(const void* arguments);

struct launch_request {
  const char* name;  ///< of the kernel, for findings
  index3 grid;
  index3 block;
  std::size_t dynamic_shared_bytes;
  kernel_function entry;  ///< called by each lane, once for each of its blocks; or has run_lane do that, and stays
  const void* arguments;
  bool cooperative = false;  ///< its blocks may wait for each other as a grid
};

/// Runs a kernel to its end. The caller has checked the geometry. False where there is no memory for the stacks
/// of even one block; nothing has run then.
SIMT_API bool launch(const launch_request& request);

}  // namespace simt
