// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spares page faults: in a virtual machine one can take longer than all that is done with the page.
#pragma once

#include <cstddef>

namespace os {

/// Pages of 2 MiB for all of these bytes that they fit into, where the system has such pages on request.
void use_huge_pages(void* begin, std::size_t bytes);

/// Finds memory for all whole pages of these bytes at once, before they are written.
void find_pages(void* begin, std::size_t bytes);

}  // namespace os
