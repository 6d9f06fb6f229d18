// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces/frames.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace warpz {
namespace {

bool send_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) return false;
  }
  return true;
}

bool receive_all(int from, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t arrived = recv(from, to, size, 0);
    if (arrived == 0 || (arrived < 0 && errno != EINTR)) return false;
    if (arrived > 0) to += arrived, size -= static_cast<std::size_t>(arrived);
  }
  return true;
}

}  // namespace

bool write_frame(const os::descriptor& socket, std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  char head[sizeof size];
  std::memcpy(head, &size, sizeof size);
  return send_all(socket.number(), {head, sizeof head}) && send_all(socket.number(), bytes);
}

std::optional<std::string> read_frame(const os::descriptor& socket) {
  std::uint64_t size = 0;
  if (!receive_all(socket.number(), reinterpret_cast<char*>(&size), sizeof size)) return {};
  std::string bytes(size, '\0');
  if (!receive_all(socket.number(), bytes.data(), size)) return {};
  return bytes;
}

std::optional<std::string> take_frame(std::string& arrived) {
  std::uint64_t size = 0;
  if (arrived.size() < sizeof size) return {};
  std::memcpy(&size, arrived.data(), sizeof size);
  if (arrived.size() - sizeof size < size) return {};
  std::string bytes = arrived.substr(sizeof size, size);
  arrived.erase(0, sizeof size + size);
  return bytes;
}

}  // namespace warpz
