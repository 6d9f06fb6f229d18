// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code for the CPU machine tells the checks of --check all, beside its loads and stores.
//
// Where nothing is watched each of these does next to nothing.
#pragma once

#include <cstddef>

#include "simt/lane.hpp"

namespace simt {

/// For a resolver: what these lanes did before is seen by all of them after. Collectives that are not for ordering
/// memory do not call it.
SIMT_API void order_memory(lane_mask lanes);

/// The running lane hands on through `word` what it has done so far: whoever reads the word with acquiring atomics, or
/// reads it and then passes a fence, sees it.
SIMT_API void hand_on(const void* word);

/// The running lane learns what was handed on through `word`.
SIMT_API void learn(const void* word);

/// These bytes may be read before anybody writes them.
SIMT_API void allow_unwritten(const void* memory, std::size_t bytes);

/// The running lane reads and writes these bytes, at the line that calls this.
SIMT_API void note_copy(void* to, const void* from, std::size_t bytes);

/// memcpy by the machine itself, which is not watched.
SIMT_API void copy_unwatched(void* to, const void* from, std::size_t bytes);

/// As long as it lives, accesses of the running lane are not watched: book-keeping that is no part of the kernel.
class unwatched {
 public:
  unwatched() { ++this_lane->unwatched; }
  ~unwatched() { --this_lane->unwatched; }
  unwatched(const unwatched&) = delete;
  unwatched& operator=(const unwatched&) = delete;
};

/// Code that tells of its accesses is part of this process.
void note_watched_code();
SIMT_API bool has_watched_code();

}  // namespace simt
