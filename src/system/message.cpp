// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/message.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace os {
namespace {

/// A message's parts, as the system's calls take them.
struct envelope {
  explicit envelope(char& byte) : content{&byte, 1} {
    header.msg_iov = &content;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }

  iovec content;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
};

}  // namespace

bool send_message(const descriptor& socket, char byte, const descriptor& attached) {
  envelope sent(byte);
  const int number = attached.number();
  if (attached) {
    cmsghdr* const part = CMSG_FIRSTHDR(&sent.header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof number);
    std::memcpy(CMSG_DATA(part), &number, sizeof number);
  } else {
    sent.header.msg_controllen = 0;
  }
  return sendmsg(socket.number(), &sent.header, MSG_NOSIGNAL) == 1;
}

std::optional<message> receive_message(int socket) {
  char byte = 0;
  envelope received(byte);
  ssize_t count = 0;
  do {
    count = recvmsg(socket, &received.header, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count != 1) return {};
  message result{byte, {}};
  const cmsghdr* const part = CMSG_FIRSTHDR(&received.header);
  if (part != nullptr && part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(part), sizeof number);
    result.attached = descriptor(number);
  }
  return result;
}

}  // namespace os
