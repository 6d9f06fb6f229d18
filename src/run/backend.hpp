// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel module a run uses, and which of its devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "module/session.hpp"

namespace warpz {

/// In the order of --backend's choices.
enum class backend_choice { automatic, cpu, amd, nvidia };

/// The module for a backend, or the given file. Throws error(no_device) where this program has none.
module_source module_for(backend_choice backend, const std::optional<std::string>& file);

/// The index of the first device, or of the first with this warp size. Throws error(no_device) where the module has
/// none, or is for another backend than the one asked for.
std::uint32_t choose_device(session& of, backend_choice backend, std::optional<unsigned> warp_size);

/// What --devices prints: a line for each device of the backends asked for, and for each backend that is missing.
std::string devices_text(backend_choice backend, const std::optional<std::string>& file);

}  // namespace warpz
