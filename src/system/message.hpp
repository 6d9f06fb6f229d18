// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of one byte between two processes, through a stream socket, which may bring an open descriptor along.
#pragma once

#include <optional>

#include "system/descriptor.hpp"

namespace os {

struct message {
  char byte;
  descriptor attached;  ///< the receiver's own; none where none was sent
};

/// Sends a byte and, where there is one, a descriptor. False where nobody receives any more.
bool send_message(const descriptor& socket, char byte, const descriptor& attached);

/// Waits for a message. Nothing where the other end is closed.
std::optional<message> receive_message(int socket);

}  // namespace os
