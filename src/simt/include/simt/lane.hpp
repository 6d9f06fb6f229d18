// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU machine as a kernel sees it: who am I, and how do lanes meet.
//
// Included by the HIP headers of this machine, so it stays slim. Lanes are fibers; a lane that arrives at a
// collective is suspended until all lanes it waits for have arrived, then one of them resolves the operation
// for all. Launching, blocks and worker threads are machine.hpp's.
#pragma once

#include <cstddef>
#include <cstdint>

#define SIMT_API __attribute__((visibility("default")))

#if defined(__SANITIZE_THREAD__)
#define SIMT_WATCHED_CODE 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIMT_WATCHED_CODE 1
#endif
#endif

/// Code of the machine that is part of kernels. In those whose accesses are watched it stays a function of its own that
/// is not: its accesses are none of the kernel's, and each would be looked up.
#ifdef SIMT_WATCHED_CODE
#define SIMT_OWN_CODE __attribute__((noinline, no_sanitize("thread")))
#else
#define SIMT_OWN_CODE __attribute__((always_inline))
#endif

namespace simt {

using lane_mask = std::uint64_t;

inline constexpr unsigned max_warp_size = 64;

struct index3 {
  unsigned x, y, z;
};

/// Who takes part in an operation of a warp.
struct participants {
  /// How the caller named them: by the operation's own contract, as the device library does, or in a function of HIP's,
  /// where the rules that were chosen say who need not come (machine.hpp).
  enum class named_by : unsigned char { contract, mask, nothing };

  // A mask alone is a contract.
  constexpr participants(lane_mask named, named_by in = named_by::contract) : lanes(named), how(in) {}

  lane_mask lanes;
  named_by how;
};

/// Where a kernel called an operation. `operation` and `file` outlive the kernel (string literals).
struct site {
  const char* operation;
  const char* file;
  unsigned line;
};

/// The operands of one collective of one warp. Each arriving lane has put its value and argument into its own
/// place; the resolver fills `result` for every lane of the group.
struct exchange {
  unsigned warp_size;
  lane_mask present;  ///< lanes of the warp that the block has (a block may end within its last warp)
  std::uint64_t value[max_warp_size];
  std::uint64_t argument[max_warp_size];
  std::uint64_t result[max_warp_size];
};

/// Computes a collective's results for the lanes of `group`, all of which have arrived.
using resolver = void (*)(exchange& operands, lane_mask group);

/// Where a suspended lane goes on. To Boost.Context the stack alone tells it.
struct continuation {
  void* stack;
  void* frame;
  void* base;
  void* code;
};

struct warp;

/// What every lane can read about itself and its launch. First what each change of lanes touches, in one cache line:
/// the lanes of a warp and the ends of their stacks have to be in the first-level cache together (docs/machine.md).
struct alignas(64) lane {
  continuation suspended;
  index3 thread_idx;
  unsigned lane_id;
  std::uint64_t* value;  ///< its place in exchange::value
  warp* home;

  const void* stack_low;
  std::size_t stack_bytes;
  const index3* block_idx;
  const index3* block_dim;
  const index3* grid_dim;
  void* dynamic_shared;               ///< the block's dynamic shared memory
  const std::uint64_t* block_serial;  ///< differs from those of the blocks that this thread ran before; never 0
  unsigned dynamic_shared_bytes;
  unsigned unwatched;  ///< how many reasons there are not to watch its accesses (simt/watched.hpp)
};

/// The running lane of this thread; null outside kernels.
extern SIMT_API __thread lane* this_lane __attribute__((tls_model("initial-exec")));

/// Lanes per warp of the current device: 32 or 64.
extern SIMT_API int warp_size;

/// The running lane's number in its warp.
inline SIMT_OWN_CODE unsigned running_lane_id() { return this_lane->lane_id; }

/// Waits until every lane of `who` that the block has is in the same operation at the same site with the same
/// lanes named; then `resolve` runs once for all of them. Returns this lane's result. The caller must be among them.
/// Lanes that can't all arrive end the run with a finding.
inline std::uint64_t collect(resolver resolve, participants who, std::uint64_t value, std::uint64_t argument,
                             const site& at);

/// Waits until no other lane of the warp can run on before this operation is resolved, then resolves it for
/// the lanes that wait at the same site: the lanes that are active together.
inline std::uint64_t collect_active(resolver resolve, std::uint64_t value, std::uint64_t argument, const site& at);

/// How a block-wide barrier combines its threads' predicates.
enum class combine : unsigned char { nothing, count, all, any };

/// Waits until all threads of the block that have not exited are in this barrier at the same site. Returns the
/// combination of all threads' predicates.
inline int block_barrier(combine how, bool predicate, const site& at);

/// Lets other lanes run: a scheduling point, for atomics and fences.
inline void yield(const site& at);

/// Calls `kernel` for every block of the launch that the running lane belongs to. With the kernel inlined a lane goes
/// from block to block without a call. Does not return: a launch's end leaves the lane's stack as it is.
template <class Kernel>
inline void run_lane(const Kernel& kernel);

/// Ends the run with a finding: a device-side assertion does not hold.
[[noreturn]] SIMT_API void assertion_failed(const char* expression, const char* file, unsigned line,
                                            const char* function) noexcept;

/// For a resolver: what `lane` gets from `source`, which takes no part. Every bit is set, which is a NaN for floats;
/// --check all runs the kernel again with other values.
SIMT_API std::uint64_t undefined_result(unsigned lane, unsigned source);

}  // namespace simt

#include "simt/detail/coordinates.hpp"
#include "simt/detail/suspend.hpp"
