// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/operation_words.hpp"

#include "text/printable.hpp"

namespace warpz {
namespace {

std::string_view arithmetic_fix(std::string_view rule) {
  if (rule.starts_with("a lane divides"))
    return "Look at the divisor first, and decide what the result is where it is 0.";
  if (rule.starts_with("a lane shifts")) {
    return "Keep the distance below the number of bits, as by & 31, or shift a type of more bits. A rotation by 0\n"
           "  shifts by all bits, too.";
  }
  if (rule.starts_with("a lane converts"))
    return "Clamp the value to what the type holds before it is converted, and decide what a NaN becomes.";
  return "";
}

std::string_view misuse_fix(std::string_view rule) {
  if (rule.starts_with("a lane reads over"))
    return "A distance has to stay below the width: begin a loop over distances at half of it, as warpSize / 2 is.";
  if (rule.starts_with("a lane reads lane")) {
    return "Read a lane of the segment. A number that may be -1, as __ffs(lanes) - 1 is where there are none, needs\n"
           "  a branch of its own.";
  }
  if (rule.starts_with("a matrix is spread") || rule.starts_with("lanes of a warp name different matrices"))
    return "All 32 lanes of a warp load, multiply and store a matrix together, with the same arguments.";
  if (rule.starts_with("the address of such a matrix"))
    return "Begin a matrix at a tile's first element, in memory that is aligned, such as by __align__(32).";
  if (rule.starts_with("the stride of such a matrix")) return "Pad each row, or column, to such a stride.";
  return "";
}

std::string_view barrier_fix(const warpz_finding& record) {
  const std::string_view operation = record.group_count != 0 ? bounded(record.groups[0].place.operation) : "";
  if (operation.starts_with("block::") || operation.starts_with("__syncthreads_")) {
    return "All threads of the block have to make the same call: choose its operand in the branch, and make the call\n"
           "  behind it. Those without an element bring a neutral one.";
  }
  if (operation.starts_with("grid_group::")) {
    return "All threads of the grid have to make the same call: let none return before it, and put a branch around\n"
           "  what only those with an element do.";
  }
  return "";
}

}  // namespace

std::string_view operation_fix(const warpz_finding& record) {
  const std::string_view rule = bounded(record.message);
  if (record.kind == WARPZ_DIVERGED_BARRIER) return barrier_fix(record);
  if (record.kind == WARPZ_UNDEFINED_ARITHMETIC) return arithmetic_fix(rule);
  if (record.kind == WARPZ_MISUSED_OPERATION) return misuse_fix(rule);
  if (record.kind == WARPZ_NO_PROGRESS && bounded(record.kernel).empty())
    return "Let a stream, a kernel or the host write the value, before the host waits for the stream.";
  if (record.kind != WARPZ_WAIT_WITHIN_WARP || rule.empty()) return "";
  return "Where a warp goes on as one, as on AMD's GPUs and NVIDIA's before Volta, the branch with the loop may run\n"
         "  before the other one, and then waits forever. Hand over between lanes of different warps, or set it\n"
         "  before the branches part.";
}

}  // namespace warpz
