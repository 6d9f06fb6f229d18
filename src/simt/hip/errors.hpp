// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a HIP call ends: each leaves through finish(), which keeps the thread's last error, and why the call has failed.
//
// In a checked program, Clang's plugin (src/instrument/ignored_results.cpp) tells of each call whose result is not
// used. If that is an error, it is a finding, unless the program asks for the last error later.
#pragma once

#include <cstddef>

#include <hip/hip_runtime_api.h>

namespace simt {

/// Returns `code`, and makes it the thread's last error unless it is a success.
hipError_t finish(hipError_t code);

/// The same for a call whose failure harms nobody: it frees memory, or gives a hint.
hipError_t finish_without_finding(hipError_t code);

/// Returns `code`. Notes why the call that runs now will end with it: "a copy of 8 bytes from a buffer of 4".
/// `buffer`: the memory that this is about; null: none is known.
[[gnu::format(printf, 3, 4)]] hipError_t refuse(hipError_t code, const void* buffer, const char* format, ...);

/// The same of a launch that asks for more than a block can have: "a launch asks for blocks of 2048 threads".
[[gnu::format(printf, 2, 3)]] hipError_t refuse_block(hipError_t code, const char* format, ...);

/// Notes that the call that has just been refused would have launched this kernel.
void note_refused_kernel(const char* name);

/// Notes that the call that has just been refused would have written there, as far as this is in one buffer.
void note_refused_write(void* begin, std::size_t bytes);

/// The program looks at the last error, if it uses the result of the call that runs now. After finish().
void look_at_errors();

}  // namespace simt
