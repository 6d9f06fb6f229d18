// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How HIP's device functions learn where they are called.
#pragma once

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// The default of a device function's last parameter, which is never given: the operation and the line that calls
/// it.
constexpr site here(const char* operation, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return {operation, file, line};
}

}  // namespace hip
}  // namespace simt

SIMT_BOTH_SIDES_END
