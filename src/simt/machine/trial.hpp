// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trial of an observed launch: its blocks run on all cores, each observed as if it were alone. A trial only ever
// shows that a launch is clean: no block has had a finding, done what cannot be undone, or met another one in memory.
// Then each block has done what it would have done in the fixed order. Otherwise the memory is as before, and the
// launch has still to be run, in that order.
//
// The trial's threads are its own, so that what it leaves on them, such as the contents of shared memory, does not
// show in a launch that is run in the fixed order.
#pragma once

#include <atomic>
#include <mutex>
#include <set>

#include "simt/machine/observer.hpp"
#include "simt/machine/worker_pool.hpp"

namespace simt {

class launch_trial final : worker_pool {
 public:
  /// Whether the launch has been run, and is clean. One call at a time.
  bool run(const launch_request& request, unsigned warp_size, launch_observer& observer);

 private:
  bool run_all(job& work, std::size_t workers);
  void run_blocks(worker& self, job& work, std::unique_lock<std::mutex>& lock) override;
  static void run_blocks(worker& self, job& work, std::size_t allowed);
  bool has_ended(const job& work) const;
  void supervise(job& work, std::unique_lock<std::mutex>& lock);
  void part_with_stuck_workers();

  std::set<kernel_function> failed_;  ///< kernels that have no further trial
};

/// A trial has failed: its blocks are to end.
inline std::atomic<bool> trial_has_failed{false};

/// In a lane of a trial: ends the trial, which has failed, and does not return. Does nothing elsewhere.
void leave_trial();

}  // namespace simt
