// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a warp that go through a part of the code in turn, so that none waits for what a later one gives.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

/// One lane after the other, from where each takes a lock to where it gives it back; the tokens where a lane waits and
/// where another one gives. Nothing where not all lanes come there, or some leave in between.
std::optional<source_repair> turns_of_lanes(const source_outline& outline, const std::string& file, bool is_of_cuda,
                                            std::size_t waiting, std::size_t giving);

/// The branch that gives before the one that waits. Nothing where the first one waits, too.
std::optional<source_repair> turns_of_branches(const source_outline& outline, const std::string& file, bool is_of_cuda,
                                               std::size_t waiting, std::size_t giving);

}  // namespace warpz
