// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How threads share the bytes of a copy among them. Nothing else.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpz {
namespace detail {

template <std::size_t size>
using piece_size = std::integral_constant<std::size_t, size>;

/// Calls piece(offset, piece_size<size>) for each piece that participant `rank` of `count` copies; neighbors take
/// neighboring pieces. What does not fill a piece at the end is copied byte by byte.
template <std::size_t size, class _Piece>
__device__ __forceinline__ void for_pieces_of(std::size_t bytes, unsigned rank, unsigned count, _Piece piece) {
  const std::size_t whole = bytes - bytes % size;
  for (std::size_t offset = rank * size; offset < whole; offset += count * size) piece(offset, piece_size<size>{});
  for (std::size_t offset = whole + rank; offset < bytes; offset += count) piece(offset, piece_size<1>{});
}

/// Copies in the largest pieces that both addresses are aligned to: 16, 8, 4 or 1 bytes.
template <class _Piece>
__device__ __forceinline__ void for_pieces(const void* target, const void* source, std::size_t bytes, unsigned rank,
                                           unsigned count, _Piece piece) {
  const std::uintptr_t addresses = reinterpret_cast<std::uintptr_t>(target) | reinterpret_cast<std::uintptr_t>(source);
  if (addresses % 16 == 0) {
    for_pieces_of<16>(bytes, rank, count, piece);
  } else if (addresses % 8 == 0) {
    for_pieces_of<8>(bytes, rank, count, piece);
  } else if (addresses % 4 == 0) {
    for_pieces_of<4>(bytes, rank, count, piece);
  } else {
    for_pieces_of<1>(bytes, rank, count, piece);
  }
}

template <std::size_t size>
struct alignas(size) aligned_bytes {
  unsigned char content[size];
};

/// Copies the caller's pieces at once.
__device__ __forceinline__ void copy_pieces(void* target, const void* source, std::size_t bytes, unsigned rank,
                                            unsigned count) {
  for_pieces(target, source, bytes, rank, count, [target, source](std::size_t offset, auto size) {
    using piece = aligned_bytes<decltype(size)::value>;
    *reinterpret_cast<piece*>(static_cast<char*>(target) + offset) =
        *reinterpret_cast<const piece*>(static_cast<const char*>(source) + offset);
  });
}

}  // namespace detail
}  // namespace warpz
