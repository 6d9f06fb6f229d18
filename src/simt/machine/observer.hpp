// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be plugged in behind the machine: it reports launches, blocks, collectives and barriers to an observer, and
// hands a whole program's allocations over to one.
//
// The machine knows no more of its observers than this. The checks of --check all are one (simt/check/plugin.cpp);
// they get accesses, atomics and fences from the code that the compiler instruments, not from the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "simt/lane.hpp"
#include "simt/machine/work_order.hpp"

namespace simt {

class block;
struct fiber;
struct launch_request;
struct pending_collective;

/// How a trial has ended.
enum class trial_end {
  clean,    ///< all its blocks have run, and each to the same effect as if they had run one after the other
  unclear,  ///< it has to be repeated, as it was not followed closely enough; the memory is as it was before
  failed,   ///< the memory is as it was before
};

/// Follows the blocks of one worker, one after the other. Observed blocks run one at a time, whichever worker runs
/// them, but for those of a trial (trial.hpp).
class block_observer {
 public:
  virtual ~block_observer() = default;

  /// `number` counts the blocks of the grid.
  virtual void begin_block(const block& current, std::uint64_t number) = 0;
  /// False: it is the block of a trial that has failed.
  virtual bool end_block() = 0;

  /// All threads of the block that have not returned have arrived at one barrier.
  virtual void pass_barrier() = 0;

  /// The lanes `met.arrived` of the warp meet in a collective; the results are computed next.
  virtual void begin_collective(warp& current_warp, const pending_collective& met) = 0;
  virtual void end_collective(const warp& current_warp, const pending_collective& met) = 0;

  /// The lane has accessed the memory by an atomic or a volatile access.
  virtual void note_access(const fiber& self, std::uintptr_t address, access_effect effect) = 0;
};

class launch_observer {
 public:
  virtual ~launch_observer() = default;

  virtual std::unique_ptr<block_observer> observe_worker(bool in_trial) = 0;
  virtual void begin_launch(const launch_request& request, unsigned warp_size) = 0;

  /// A trial of the launch, with at most so many workers, may begin. False: it would fail, or could not be undone.
  virtual bool begin_trial(const launch_request& request, std::size_t workers) = 0;
  /// The workers of the trial wait. It was unclear a few times at most for each launch.
  virtual trial_end end_trial(bool have_all_run) = 0;
  virtual void end_launch(const launch_request& request, unsigned warp_size) = 0;

  /// The launch has been ended early: what it might have written is unknown.
  virtual void abandon_launch() = 0;

  /// Findings go to another sink from now on.
  virtual void change_sink() = 0;
};

/// What can be done at reserved addresses (hipMemAddressReserve).
enum class address_state {
  reserved,
  mapped,    ///< there is memory, which cannot be accessed
  readable,  ///< and not writable
  writable,
  unmapped,  ///< there was memory
  given_back,
};

/// Allocates a program's memory in place of the C library.
class memory_observer {
 public:
  virtual ~memory_observer() = default;

  /// Memory aligned to a page; null where there is no address space. `host_can_write`: it may hold anything.
  virtual void* allocate(std::size_t bytes, bool host_can_write) = 0;

  /// Frees memory that allocate() returned.
  virtual void free(void* begin) = 0;

  // Memory of a graph, which allocate() has just returned: it is not there before allocate_planned(), nor from
  // free_planned() on, and keeps its address until it is freed. allocate_planned() returns false where it cannot be.
  virtual void plan(void* begin) = 0;
  virtual bool allocate_planned(void* begin) = 0;
  virtual void free_planned(void* begin) = 0;

  // Memory apart from its addresses. It begins, and is gone. The addresses are in this state from now on; unset memory
  // was never accessible.
  virtual void create_memory(const void* handle, std::size_t bytes) = 0;
  virtual void release_memory(const void* handle) = 0;
  virtual void change_addresses(void* begin, std::size_t bytes, address_state state, bool is_unset) = 0;

  /// The program frees what is not allocated.
  virtual void fail_to_free(void* pointer) = 0;

  /// The host has written there.
  virtual void write_from_host(const void* begin, std::size_t bytes) = 0;

  /// The program copies these bytes to the device, or fills them. False where they have to be what they are.
  virtual bool may_vary(const void* begin, std::size_t bytes) = 0;

  /// A word of them has been varied.
  virtual void vary_input() = 0;

  /// A launch of the program breaks this rule: some devices would refuse it.
  virtual void fault_launch(const char* kernel, const char* rule) = 0;

  /// A call of the program has failed, and the program ignores its result. `memory`: a buffer that it is about; null:
  /// none is known. `is_invalid_launch`: a launch of more than a block can have. Returns a number for withdraw().
  virtual std::uint32_t fault_ignored(const char* kernel, const char* rule, const void* memory,
                                      bool is_invalid_launch) = 0;

  /// Whether the program has looked at that error later.
  virtual void withdraw(std::uint32_t number, bool is_withdrawn) = 0;

  /// These bytes are copied to the host; or they are freed, and the host could have read them before.
  virtual void read_from_host(const void* begin, std::size_t bytes) = 0;

  // Accesses that have to be ordered (work_order.hpp).

  /// The work that runs now reads or writes these bytes.
  virtual void access_by_work(const row_range& bytes, bool is_written, work_kind kind) = 0;

  /// The host has waited for so much.
  virtual void note_waited(const work_clock& host) = 0;

  /// Whether no work that the host has not waited for may use the memory near there: a fast answer, which may be false
  /// for want of a better one.
  virtual bool is_free_for_host(std::uintptr_t address, std::size_t bytes) = 0;

  /// The host, which has waited for so much, is about to access these bytes. Returns the work that it should have
  /// waited for.
  virtual work_clock access_from_host(std::uintptr_t address, std::size_t bytes, bool is_written,
                                      const work_clock& host) = 0;

  /// The host is about to look at these bytes in a way that a running kernel may answer: the work that has written
  /// them.
  virtual work_clock seen_by_host(std::uintptr_t address, std::size_t bytes) = 0;
};

/// Null: launches cannot be observed. Registered before the process's first launch.
inline launch_observer* registered_launch_observer = nullptr;

/// Null: memory is not observed.
inline memory_observer* registered_memory_observer = nullptr;

/// The program has once shared memory that it has not from HIP with devices (hipHostRegister).
inline bool host_memory_is_shared = false;

/// The memory observer, as HIP's calls of the host see it; null in kernels.
inline memory_observer* host_memory_observer() { return this_lane == nullptr ? registered_memory_observer : nullptr; }

/// Address space on either side of reserved addresses that belongs to nothing else, where memory is observed.
inline constexpr std::size_t reserved_guard = std::size_t{1} << 30;

/// Bytes on either side of an observed block's dynamic shared memory that belong to nothing else.
inline constexpr std::size_t observed_shared_guard = 65536;

}  // namespace simt
