// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace os {

/// The cores that the process may use; at least 1.
unsigned usable_cores();

}  // namespace os
