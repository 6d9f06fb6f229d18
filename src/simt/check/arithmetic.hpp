// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic without a defined result, and indexes outside of local arrays, as Clang's checks for it see it and the
// plugin reports it (src/instrument/arithmetic.cpp). Nothing but words: the lane goes on with the result that it has.
#pragma once

#include <cstdint>
#include <string>

#include "abi/finding.h"

namespace simt::check {

/// What a lane is about to compute: what Clang has noted of it, the operands' bits, and which operation it is.
struct undefined_arithmetic {
  const void* noted;
  std::uint64_t left, right;
  unsigned operation;

  std::string rule() const;
  bool is_index_of_array() const;
  /// Of an index: the element lies in another row or member of the same variable, as each GPU computes it.
  bool is_of_variable() const;
  /// A signed number that overflows wraps on each GPU, whatever C++ says. It matters where it is an index, which
  /// compilers compute in more bits than it has.
  warpz_severity severity() const;
};

}  // namespace simt::check
