// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/packed.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace warpz {
namespace {

constexpr int gzip_window = 15 + 16;  ///< the largest window, and gzip's head and end
constexpr int memory_level = 9;

std::string zipped(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string result;
  Bytef piece[1 << 16];
  int state = Z_OK;
  while (state == Z_OK) {
    // It counts in 32 bits.
    if (stream.avail_in == 0) {
      const std::string_view next = text.substr(0, 1U << 30);
      // NOLINTNEXTLINE: zlib reads only, but its type does not say so.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
      stream.avail_in = static_cast<uInt>(next.size());
      text.remove_prefix(next.size());
    }
    stream.next_out = piece;
    stream.avail_out = sizeof piece;
    state = deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
    result.append(reinterpret_cast<const char*>(piece), sizeof piece - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(3, bytes.size()))) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i)
      word = word << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) result += i <= bytes.size() ? digits[word >> (18 - 6 * i) & 63] : '=';
  }
  return result;
}

}  // namespace

std::string packed(std::string_view text) { return base64(zipped(text)); }

}  // namespace warpz
