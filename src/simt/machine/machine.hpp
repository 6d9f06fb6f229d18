// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU machine: runs kernels as a GPU of 32 or 64 lanes would, blocks spread over the cores.
//
// Owns worker threads, lanes' stacks and the rules of collectives and barriers. Knows nothing of puzzles, of
// HIP's names, of processes or of the checks behind it (observer.hpp): it reports a broken rule as a finding and ends
// the process through the sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "abi/module.h"
#include "simt/lane.hpp"
#include "simt/machine/fifo_lock.hpp"
#include "simt/machine/work_order.hpp"

struct warpz_kernel_code;
struct warpz_lane_loops;

namespace simt {

/// Set before a launch, from the thread that launches.
SIMT_API warpz_settings& current_settings();

/// The name by which findings call the kernels of later launches; null: their names in the source. The caller keeps the
/// text.
SIMT_API void name_launches(const char* name);

/// Blocks that can be alive at once, as long as they have no more than max_lanes_alive lanes (stacks.hpp).
inline constexpr std::size_t max_blocks_alive = 2048;

/// Sets the warp size of the launches that follow: 32 or 64.
SIMT_API void set_warp_size(unsigned warp_size);

/// From now on there is one device, of this warp size, instead of one of 32 and one of 64 lanes.
SIMT_API void offer_one_device(unsigned warp_size);

/// Receives findings. Its functions may be called from a signal handler, by any thread, by one at a time; after a
/// finding that stops the kernel the machine ends the process at once with `_exit(stopped_exit_code)`.
struct sink {
  warpz_finding* (*next_finding)();             ///< a record to clear and to fill; never null
  void (*publish)(warpz_finding*);              ///< the record is complete
  std::uint64_t* progress;                      ///< counts finished blocks
  std::uint32_t* left_out = nullptr;            ///< counts findings for which there was no room
  std::uint32_t* abandoned_launches = nullptr;  ///< counts launches that a divergence has ended
  warpz_digest* digest = nullptr;               ///< receives the digest of a checked launch
  std::size_t room = 16;                        ///< the number of records
  std::uint32_t* stage = nullptr;               ///< receives the enum warpz_stage of a user's program
  std::uint64_t* sampled = nullptr;             ///< receives WARPZ_SAMPLES words, if a launch takes long
};

SIMT_API void set_sink(const sink& receiver);
SIMT_API const sink& current_sink();

/// Reports the stage to the sink, if that wants it. A signal handler may call it.
void report_stage(warpz_stage stage);

/// The exit code of a process that the machine ended after a finding.
inline constexpr int stopped_exit_code = 112;

/// No launch begins as long as it is held; and none is under way, but one that has outlasted its call. That one stands
/// still.
using launch_pause = std::unique_lock<fifo_lock>;
launch_pause between_launches();
/// The same, without waiting: it may not be held.
launch_pause try_between_launches();

/// A further block of the launch, with a worker of its own, as the one that runs waits; false: there is none.
bool begin_another_block();

/// Whether a launch runs on that has outlasted its call.
bool is_launch_under_way();
/// Waits for its end.
void wait_for_launch();

/// The most shared memory of a block.
inline constexpr std::size_t max_shared_bytes = 64 * 1024;
/// The most shared memory that NVIDIA's devices give a block: static; and static and dynamic together, unless
/// hipFuncSetAttribute has allowed more.
inline constexpr std::size_t unasked_shared_bytes = 48 * 1024;

using kernel_function = void (*)(const void* arguments);

struct launch_request {
  const char* name;  ///< the kernel's name in findings
  index3 grid;
  index3 block;
  std::size_t dynamic_shared_bytes;
  kernel_function entry;  ///< called by each lane, once for each of its blocks; or calls run_lane, and never returns
  const void* arguments;
  bool cooperative = false;                 ///< its blocks may wait for each other at a barrier of the grid
  std::uint32_t number = 0;                 ///< among the launches of a user's program, from 1; 0: it is in none
  std::size_t allowed_shared_bytes = 0;     ///< dynamic ones, by hipFuncSetAttribute
  const warpz_lane_loops* loops = nullptr;  ///< how it runs as loops over lanes; null: not at all
  bool as_loops = false;                    ///< so it does, in this run; the machine decides
  const ordered_work* work = nullptr;       ///< its place in the order of the program's work; null: it has none
  std::uintptr_t caller_stack = 0;          ///< launch() fills it in: what called it has its local variables above
  const warpz_kernel_code* code = nullptr;  ///< what its arguments are; null: unknown
  std::shared_ptr<const void> arguments_owner = nullptr;  ///< keeps `arguments`; null: it must not outlast the call
};

/// Whether the launch runs as loops over lanes: lane_loops.cpp.
bool runs_as_loops(const launch_request& request);

/// Runs a kernel to its end, or until all of its blocks wait for what only the host can do: if its arguments have an
/// owner, it then runs on behind the call. The caller has checked the geometry. False where there is no memory for the
/// stacks of even one block; nothing has run then.
SIMT_API bool launch(const launch_request& request);

}  // namespace simt
