// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether text for a descriptor is colored.
#pragma once

#include "cli/options.hpp"

namespace warpz {

/// automatic: if `fd` is a terminal that can do more than plain text (TERM is set, and not to dumb) and NO_COLOR is not
/// set or empty (https://no-color.org).
bool use_color(color_choice choice, int fd);

}  // namespace warpz
