// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts what a block's accesses, collectives and barriers cost a GPU, for --counters (abi/cost_record.h).
//
// Accesses to a lane's stack are not counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abi/cost_record.h"
#include "simt/counters/warp_instructions.hpp"
#include "simt/machine/block.hpp"

namespace simt::counters {

enum class access_form { read, write, read_and_write, atomic_read, atomic_write, atomic_change };

/// An access of the running lane.
struct lane_access {
  access_form form;
  std::uint64_t code;     ///< where the call that reports it is
  std::uint64_t address;  ///< where it would be on a GPU, whose allocations begin at multiples of 256 bytes
  std::size_t bytes;
  bool is_shared;
};

class cost_counter {
 public:
  void begin_block(const block& current, std::uint64_t number);
  void end_block();
  bool is_on() const { return record_ != nullptr; }

  void note(const fiber& running, const lane_access& access);
  /// The running lane is about to access a vector, or a struct that is aligned like one, by a single instruction.
  void begin_vector(const fiber& running, std::uint64_t address, std::uint64_t alignment, bool is_written);
  void meet(const warp& current_warp, const pending_collective& met);
  void pass_barrier();

 private:
  /// What the next accesses of a lane may be elements of.
  struct vector_access {
    std::uint32_t thread;
    std::uint64_t begin;
    unsigned bytes = 0;  ///< 0: none
    noted_access first;
  };
  struct last_atomic {
    access_form form;
    std::uint64_t address;
    std::uint64_t code;
    const char* operation;
    unsigned line;
    bool is_last = false;  ///< the lane has accessed nothing since
  };

  void note_part(const fiber& running, const lane_access& access, instruction_place place, warpz_cost_kind kind,
                 const char* operation);
  bool continues_vector(const fiber& running, const lane_access& access, bool writes);
  bool continues_atomic(const fiber& running, const lane_access& access);
  void count_accesses(warp_instructions& instructions);
  void count_sync_point(warpz_cost_kind kind, const site& at, lane_mask lanes);
  void add_access(const instruction_place& place, const place_executions& executions, const warp_access& access);
  warpz_cost* row_of(const warpz_cost& like);
  std::uint32_t kernel_number(const char* name);

  const block* block_ = nullptr;
  warpz_cost_record* record_ = nullptr;  ///< null: nothing is counted
  warpz_cost_kernel* kernel_ = nullptr;
  std::uint32_t kernel_number_ = 0;
  std::vector<warp_instructions> warps_;
  std::vector<last_atomic> atomics_;                       ///< one for each thread
  vector_access vectors_[2];                               ///< the one that is read, and the one that is written
  std::unordered_map<std::uint64_t, std::uint32_t> rows_;  ///< by a hash of kernel, kind and place
};

}  // namespace simt::counters
