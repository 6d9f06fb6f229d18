// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/kinds.hpp"

#include <algorithm>
#include <array>

namespace warpz {
namespace {

// Advice is broken into lines as it is printed, and indented by two columns from the second line on.
constexpr std::array kinds{
    finding_kind{WARPZ_DIVERGED_COLLECTIVE, "diverged_collective", "diverged collective", "diverged collectives",
                 "lanes of a warp cannot all arrive at a warp operation",
                 "Every lane named by the mask has to reach the same call. Take the call out of the branch\n"
                 "  or loop that some lanes leave; lanes without an element take part with a neutral value.",
                 true, experiment::full_warps},
    finding_kind{WARPZ_DIVERGED_BARRIER, "diverged_barrier", "diverged barrier", "diverged barriers",
                 "threads of a block cannot all arrive at a barrier",
                 "Every thread of the block has to reach the same barrier. Take it out of the branch, and\n"
                 "  let no thread return before it.",
                 true, experiment::full_warps},
    finding_kind{WARPZ_WRONG_MASK, "wrong_mask", "wrong mask", "wrong masks",
                 "a lane calls an operation with a mask that does not name it",
                 "The mask has to name every lane that makes the call, the caller too. Bit n stands for lane n.", true,
                 experiment::full_warps},
    finding_kind{WARPZ_NO_PROGRESS, "no_progress", "kernel that did not end", "kernels that did not end",
                 "the kernel did not end",
                 "Check what ends the loop and which lane should change the value it reads. That lane may be in\n"
                 "  the same warp and waiting for this one. If the kernel only needs more time, raise the limit.",
                 true, experiment::one_element},
    finding_kind{WARPZ_CRASH, "crash", "crash", "crashes", "the kernel crashed",
                 "Compare each index with size before reading or writing there.", true, experiment::one_element},
    finding_kind{WARPZ_ASSERTION, "assertion", "failed assertion", "failed assertions", "an assertion does not hold",
                 "", true, experiment::one_element},
    finding_kind{WARPZ_OUT_OF_BOUNDS, "out_of_bounds", "out-of-bounds access", "out-of-bounds accesses",
                 "a lane accesses memory outside of a buffer",
                 "Compare each index with the buffer's length before reading or writing there.", false,
                 experiment::one_element, shared_cause::same_lines},
    finding_kind{WARPZ_MISALIGNED, "misaligned", "misaligned access", "misaligned accesses",
                 "a lane accesses an address that is not a multiple of the access's size",
                 "A wider type may only be read where its address is a multiple of its size: begin there, or\n"
                 "  read the elements one by one.",
                 false, experiment::one_element, shared_cause::same_lines},
    finding_kind{WARPZ_UNINITIALISED_READ, "uninitialised_read", "uninitialised read", "uninitialised reads",
                 "a lane reads memory that nobody has written",
                 "Write it before it is read: what no thread has written holds arbitrary values.", false,
                 experiment::few_elements, shared_cause::same_lines},
    finding_kind{WARPZ_DATA_RACE, "data_race", "data race", "data races",
                 "two lanes access the same memory, and nothing orders them",
                 "Order the two accesses: by __syncwarp() within a warp, by __syncthreads() within a block, by a\n"
                 "  fence and an atomic between blocks. Or use atomics for both.",
                 false, experiment::other_orders, shared_cause::common_line},
    finding_kind{WARPZ_NOT_SHOWN, "not_shown", "finding not shown", "findings not shown",
                 "the puzzle is about a finding of --check all, and the kernel has none of this kind",
                 "Keep the part of the kernel that shows what goes wrong.", false, experiment::other_warp_size},
    finding_kind{
        WARPZ_UNDEFINED_LANE_VALUE, "undefined_lane_value", "undefined lane value", "undefined lane values",
        "a lane uses what it got from a lane that takes no part, which is undefined",
        "Use what a lane gives only where that lane takes part, as by i + 1 < size ? next : 0. Elsewhere take a\n"
        "  neutral value.",
        false, experiment::few_elements},
    finding_kind{
        WARPZ_SCHEDULE_DEPENDENCE, "schedule_dependence", "schedule dependence", "schedule dependences",
        "the result changes when lanes, warps or blocks run in another order",
        "Nothing decides which lane comes first. Combine values so that any order gives the same, or give each\n"
        "  lane a place of its own.",
        false, experiment::same_order},
    finding_kind{WARPZ_BLOCK_SIZE_DEPENDENCE, "block_size_dependence", "block size dependence",
                 "block size dependences",
                 "the result changes in blocks of another size, which __launch_bounds__ allows",
                 "Use blockDim.x instead of a fixed size, or state the right size in __launch_bounds__.", false,
                 experiment::same_order},
    finding_kind{WARPZ_WARP_SIZE_DEPENDENCE, "warp_size_dependence", "warp size dependence", "warp size dependences",
                 "the result depends on the warp size",
                 "Use warpSize instead of a fixed size: in loops over offsets, widths, masks and lane numbers.", false,
                 experiment::other_warp_size},
    finding_kind{WARPZ_BACKEND_DEPENDENCE, "backend_dependence", "backend dependence", "backend dependences",
                 "the outputs on two backends differ",
                 "Where both results are right, they are rounded differently: a sum of floats by the order of its\n"
                 "  additions, which atomics leave open; a product by whether a compiler fuses it with a sum. Fix the\n"
                 "  order, or compile with -ffp-contract=off (nvcc: -fmad=false).",
                 false, experiment::none},
    finding_kind{WARPZ_WARP_SIZE_ASSUMPTION, "warp_size_assumption", "warp size assumption", "warp size assumptions",
                 "a line is written for warps of another size",
                 "Use warpSize instead of a fixed size, and 64 bits for a set of lanes: a ballot, 1ull << lane,\n"
                 "  __popcll, __ffsll. Groups of 32 that are meant need width 32 in each of their shuffles.",
                 false, experiment::other_warp_size},
    finding_kind{WARPZ_MISUSED_OPERATION, "misused_operation", "misused operation", "misused operations",
                 "an operation is called with an operand that its documentation excludes",
                 "Check the operand before the call: a distance has to stay below the width, and a lane within it.",
                 false, experiment::few_elements, shared_cause::same_lines},
    finding_kind{WARPZ_UNDEFINED_ARITHMETIC, "undefined_arithmetic", "undefined result", "undefined results",
                 "an operation has no defined result for its operands",
                 "Compute with a type that holds the result, such as long long for an index, or check the operands\n"
                 "  before.",
                 false, experiment::one_element, shared_cause::same_lines},
    finding_kind{
        WARPZ_WAIT_WITHIN_WARP, "wait_within_warp", "wait within a warp", "waits within a warp",
        "a lane waits for a lane of its own warp that has left the loop",
        "Where a warp goes on as one, as on AMD's GPUs and NVIDIA's before Volta, the lane that has left the\n"
        "  loop waits for the others. Let it give what they wait for inside the loop, in the branch that ends\n"
        "  its own wait.",
        false, experiment::none, shared_cause::same_lines},
    finding_kind{WARPZ_ASYNC_RACE, "async_race", "asynchronous race", "asynchronous races",
                 "memory is accessed that earlier work of the device may still use",
                 "Wait for that work first: by hipStreamSynchronize, or by hipEventSynchronize of an event that is\n"
                 "  recorded behind it. Between two streams hipStreamWaitEvent does it without the host.",
                 false, experiment::none},
    finding_kind{WARPZ_INVALID_LAUNCH, "invalid_launch", "invalid launch", "invalid launches",
                 "a launch asks for more than a device has",
                 "A device refuses such a launch and does not run the kernel. Launch smaller blocks or raise the\n"
                 "  bound; ask for less shared memory, or process the data in rounds.",
                 false, experiment::none},
    finding_kind{WARPZ_UNCHECKED_ERROR, "unchecked_error", "unchecked error", "unchecked errors",
                 "a call fails, and the program does not look at its error",
                 "Such a call does nothing. Mend it, and look at what each call returns; after a launch, at what\n"
                 "  hipGetLastError returns.",
                 false, experiment::none},
    finding_kind{WARPZ_USE_AFTER_FREE, "use_after_free", "use after free", "uses after free",
                 "a lane accesses memory that was freed",
                 "Call hipFree when the last kernel that uses the memory has ended.", false, experiment::one_element,
                 shared_cause::same_lines},
    finding_kind{WARPZ_DOUBLE_FREE, "double_free", "double free", "double frees", "memory is freed a second time",
                 "Free each buffer once. A pointer that is then set to nullptr is safe to free again.", false,
                 experiment::one_element},
    finding_kind{WARPZ_LEAK, "leak", "leak", "leaks", "memory is never freed",
                 "Call hipFree (hipHostFree) for it before the program ends, on every way out.", false,
                 experiment::one_element, shared_cause::same_allocation, true},
    finding_kind{WARPZ_OVER_LIMIT, "over_limit", "exceeded limit", "exceeded limits",
                 "more memory, output or processes than are allowed",
                 "Check what ends the loop that asks for them. --memory-limit and --output-limit allow more of\n"
                 "  the first two.",
                 true, experiment::one_element},
};

constexpr finding_kind unknown{
    0,  "unknown", "unknown finding",      "unknown findings", "the kernel was stopped for an unknown reason",
    "", true,      experiment::one_element};

}  // namespace

std::span<const finding_kind> finding_kinds() { return kinds; }

const finding_kind& kind_of(std::uint32_t id) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [id](const finding_kind& each) { return each.id == id; });
  return found != kinds.end() ? *found : unknown;
}

const finding_kind* kind_named(std::string_view name) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [name](const finding_kind& each) { return each.name == name; });
  return found != kinds.end() ? &*found : nullptr;
}

}  // namespace warpz
