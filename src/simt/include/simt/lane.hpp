// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU machine as a kernel sees it: who am I, and how do lanes meet.
//
// The HIP headers of this machine include it, so it stays slim. Lanes are fibers; a lane that arrives at a
// collective is suspended until all lanes it waits for have arrived, then one of them computes the results
// of all. Launching, blocks and worker threads are machine.hpp's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/detail/sides.hpp"

#define SIMT_API __attribute__((visibility("default")))

/// Code of the machine that is inlined into kernels. In instrumented (SIMT_INSTRUMENTED) code it stays a function of
/// its own that is not instrumented: its accesses are not the kernel's, and checking them would cost time.
#ifdef SIMT_INSTRUMENTED
#define SIMT_OWN_CODE __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define SIMT_OWN_CODE __attribute__((always_inline))
#endif

SIMT_BOTH_SIDES_BEGIN

namespace simt {

using lane_mask = std::uint64_t;

inline constexpr unsigned max_warp_size = 64;

struct index3 {
  unsigned x, y, z;
};

/// The lanes that take part in an operation of a warp.
struct participants {
  /// Who names the lanes: the operation's own contract, as in the device library; or, in a function of HIP's, its mask
  /// argument, or nobody. For HIP's functions the chosen rules say which lanes need not come.
  enum class mask_source : unsigned char { contract, argument, none };

  // A mask alone is a contract.
  constexpr participants(lane_mask named, mask_source named_by = mask_source::contract)
      : lanes(named), source(named_by) {}

  lane_mask lanes;
  mask_source source;
};

/// The type of the values that lanes exchange, for those who look at them. The machine moves bits.
enum class value_type : unsigned char {
  bits,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  float16,
  bfloat16,
  float32_pair
};

/// Where a kernel called an operation. `operation` and `file` outlive the kernel (string literals).
struct site {
  const char* operation;
  const char* file;
  unsigned line;
  value_type type = value_type::bits;

  constexpr site typed(value_type of_values) const { return {operation, file, line, of_values}; }
};

/// The operands and results of one collective of one warp. Each arriving lane has stored its value and argument in its
/// own slots; the collective_op fills `result` for every lane of the group.
struct collective_slots {
  unsigned warp_size;
  lane_mask present;  ///< lanes of the warp that the block has (a block may end within its last warp)
  std::uint64_t value[max_warp_size];
  std::uint64_t argument[max_warp_size];
  std::uint64_t result[max_warp_size];
};

/// Computes a collective's results for the lanes of `group`, all of which have arrived.
using collective_op = void (*)(collective_slots& operands, lane_mask group);

/// Where a suspended lane continues. Boost.Context uses the stack alone.
struct continuation {
  void* stack;
  void* frame;
  void* base;
  void* code;
};

struct warp;

/// What every lane can read about itself and its launch. First, in one cache line, what each switch of lanes touches:
/// the lanes of a warp and the ends of their stacks have to fit in the first-level cache together
/// (docs/architecture.md).
struct alignas(64) lane {
  continuation suspended;
  index3 thread_idx;
  unsigned lane_id;
  std::uint64_t* value;  ///< its slot in collective_slots::value
  struct warp* warp;

  const void* stack_low;
  std::size_t stack_bytes;
  const index3* block_idx;
  const index3* block_dim;
  const index3* grid_dim;
  void* dynamic_shared;               ///< the block's dynamic shared memory
  const std::uint64_t* block_serial;  ///< differs from those of the blocks that this thread ran before; never 0
  unsigned dynamic_shared_bytes;
  unsigned unchecked_scopes;  ///< that it is in: its accesses are not checked (simt/instrumented.hpp)
};

/// The running lane of this thread; null outside kernels.
extern SIMT_DEVICE SIMT_API __thread lane* this_lane __attribute__((tls_model("initial-exec")));

/// Lanes per warp of the current device: 32 or 64.
extern SIMT_DEVICE SIMT_API int current_warp_size;

/// Whether a trace or counters look at each step of an operation that is made of several.
extern SIMT_DEVICE SIMT_API bool steps_are_recorded;

/// The running lane's number in its warp.
inline SIMT_OWN_CODE unsigned running_lane_id() { return this_lane->lane_id; }

/// Waits until every lane of `who` that the block has is in the same operation at the same site with the same
/// lanes named; then `op` runs once for all of them. Returns this lane's result. The caller must be among them.
/// Lanes that can't all arrive end the run with a finding.
inline std::uint64_t collect(collective_op op, participants who, std::uint64_t value, std::uint64_t argument,
                             const site& at);

/// Waits until no other lane of the warp can run on before this operation is resolved, then resolves it for
/// the lanes that wait at the same site: the lanes that are active together.
inline std::uint64_t collect_active(collective_op op, std::uint64_t value, std::uint64_t argument, const site& at);

/// How a block-wide barrier combines its threads' predicates. `presence`: counts those that hold, and leaves it to the
/// caller what is said of threads that have returned.
enum class combine : unsigned char { nothing, count, all, any, presence };

/// Waits until all threads of the block that have not exited are in this barrier at the same site. Returns the
/// combination of all threads' predicates.
inline int block_barrier(combine mode, bool predicate, const site& at);

/// Lets other lanes run: a scheduling point, for atomics and fences.
inline void yield(const site& at);

/// What an atomic has done to the value at its address: only looked at it; combined it with another value, which left
/// it as it was; or changed it.
enum class access_effect : unsigned char { looked, combined, changed };

/// For atomics, behind their scheduling point. A block whose lanes look at the same addresses again and again waits for
/// others.
inline void note_access(const volatile void* address, access_effect effect);

/// Calls `kernel` for every block of the launch that the running lane belongs to. With the kernel inlined a lane goes
/// from block to block without a call. Does not return: a launch's end leaves the lane's stack as it is.
template <class _Kernel>
inline void run_lane(const _Kernel& kernel);

/// Ends the running lane, as if it had returned from the kernel. Its variables are not destroyed, as on a GPU.
[[noreturn]] SIMT_API void end_lane();

/// Ends the run with a finding: a device-side assertion does not hold.
[[noreturn]] SIMT_API void assertion_failed(const char* expression, const char* file, unsigned line,
                                            const char* function) noexcept;

/// For a collective_op: what `lane`, whose own value is `own`, reads from `source`, which does not take part. Every bit
/// is set, which is a NaN for floats; --check all runs the kernel again with other values.
SIMT_API std::uint64_t undefined_result(unsigned lane, unsigned source, std::uint64_t own);

}  // namespace simt

SIMT_BOTH_SIDES_END

#include "simt/detail/coordinates.hpp"
#include "simt/detail/suspend.hpp"
