// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances of graphs: copies, which their originals no longer change. Under the lock of graphs.
#pragma once

#include <memory>

#include "simt/hip/graph.hpp"

namespace simt {

hipGraphExec_t add_executable(const graph& original);

bool has_executable(const graph& original);

/// Null where there is none.
std::shared_ptr<graph> find_executable(hipGraphExec_t handle);

/// False where there is none. What is running goes on.
bool remove_executable(hipGraphExec_t handle);

}  // namespace simt
