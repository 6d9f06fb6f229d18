// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tiles of several warps need from the machine (src/simt/hip/tile_meetings.cpp). Tiles are `size` threads of the
// block, from a multiple of it on; the last one may have fewer.
#pragma once

#include <cstdint>

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// The caller's warp has come to a meeting of its tile; one lane calls for all. Returns the meeting's number.
SIMT_API std::uint64_t arrive_at_tile(unsigned size);

/// Whether all warps of the tile have come to that meeting.
SIMT_API bool has_tile_met(unsigned size, std::uint64_t meeting);

/// The caller's warp goes on, and sees what the others did before they came.
SIMT_API void leave_tile(unsigned size, std::uint64_t meeting);

/// A word of the calling thread, which others of its block can look at.
SIMT_API void show_word(std::uint64_t word);
SIMT_API std::uint64_t word_of_thread(unsigned thread);

}  // namespace hip
}  // namespace simt

SIMT_BOTH_SIDES_END
