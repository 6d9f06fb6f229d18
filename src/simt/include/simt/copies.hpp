// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies that lanes have begun and nobody has waited for yet. The machine keeps them; whoever waits
// carries them out, in the kernel's own code, which a finding then names.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {

struct pending_copy {
  void* target;
  const void* source;
  std::size_t bytes;
};

/// Each thread of a block has one queue of either kind. Its copies form groups, in the order in which they are
/// committed.
enum class copy_queue : unsigned { loads, bulk_stores };

/// The running lane begins a copy, in the group that it commits next.
SIMT_API void begin_copy(copy_queue queue, const pending_copy& copy);
SIMT_API void commit_copies(copy_queue queue);

/// Takes the oldest copy that is in none of the last `max_left` groups that were committed, nor in the group that comes
/// next. False if there is none.
SIMT_API bool take_copy(copy_queue queue, unsigned max_left, pending_copy& copy);

/// The running lane begins a copy that completes on a barrier.
SIMT_API void begin_copy_on(const void* barrier, const pending_copy& copy);

/// Somebody looks at this barrier: copies that complete on it and were looked for before are due now.
SIMT_API void look_for_copies(const void* barrier);

/// Takes a copy that completes on this barrier and is due; false if there is none.
SIMT_API bool take_due_copy(const void* barrier, pending_copy& copy);

}  // namespace simt

SIMT_BOTH_SIDES_END
