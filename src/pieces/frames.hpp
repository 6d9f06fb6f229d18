// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages on a socket between a rank's process and its workers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "system/descriptor.hpp"

namespace warpz {

/// Writes all of it. False where the other side has gone.
bool write_frame(const os::descriptor& socket, std::string_view bytes);

/// Waits for the next message. Nothing where the other side has gone.
std::optional<std::string> read_frame(const os::descriptor& socket);

/// Takes the first whole message out of what has arrived.
std::optional<std::string> take_frame(std::string& arrived);

}  // namespace warpz
