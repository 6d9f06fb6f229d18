// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that lies on several GPUs, dealt out in stripes: stripe 0 to GPU 0, stripe 1 to GPU 1, and so on in turn.
//
//     elements       0 … 3   4 … 7   8 … 11   12 … 15   16 17        stripes of 4, two GPUs
//     on GPU 0       0 … 3           8 … 11             16 17        one behind the other
//     on GPU 1               4 … 7            12 … 15
//
// With stripes as long as a GPU's share each has one consecutive part. For host code and kernels; nothing of HIP's is
// needed here.
#pragma once

#include <cstddef>

#include "warpz/device_state.hpp"

namespace warpz {
namespace distributed {

/// The most GPUs that share an array.
inline constexpr unsigned max_gpus = 16;

/// How an array is dealt out. Any thread may use it, also on the host. Other names: a block-cyclic distribution.
struct layout {
  std::size_t size;    ///< elements
  std::size_t stripe;  ///< elements; the last one may be shorter
  unsigned gpus;

  /// How many elements a GPU has. Any thread may call it, also on the host.
  WARPZ_HOST_DEVICE constexpr std::size_t elements_of(unsigned gpu) const {
    const std::size_t round = stripe * gpus, rest = size % round, before = gpu * stripe;
    const std::size_t of_rest = rest < before ? 0 : rest - before;
    return size / round * stripe + (of_rest < stripe ? of_rest : stripe);
  }
};

/// A value for each GPU, such as the address of its part. Other names: none.
template <class _Tp>
struct per_gpu {
  _Tp of[max_gpus];

  /// That of one GPU. Any thread may call it, also on the host.
  WARPZ_HOST_DEVICE constexpr _Tp operator[](unsigned gpu) const { return of[gpu]; }
};

/// The parts of an array, each in its GPU's memory and aligned to 16 bytes, as memory of hipMalloc is. Other names:
/// none.
template <class _Tp>
struct array {
  layout dealt;
  per_gpu<_Tp*> part;
};

}  // namespace distributed

namespace detail {

/// Tiles of a scan's stripe: each GPU has so many in turn. Two H100 took 3.1 ms for 2^31 floats or integers with
/// 32, 3.0 to 3.4 with one, and 3.06 with 8.
inline constexpr unsigned scan_stripe = 8;

/// An equal share for each GPU, in whole units of so many elements.
constexpr distributed::layout equal_shares(std::size_t size, unsigned gpus, std::size_t unit) {
  return {size, parts_of(parts_of(size, unit), gpus) * unit, gpus};
}

}  // namespace detail

namespace distributed {

/// Where sum, max and min want their elements: each GPU has one part, of whole chunks. Any thread may call it, on the
/// host. Other names: none.
template <class _Tp>
constexpr layout reduce_layout(std::size_t size, unsigned gpus) {
  return detail::equal_shares(size, gpus, detail::chunk_elements<_Tp>(size));
}

/// Where prefix_sum wants its elements: some tiles in turn. With one part a GPU, the last GPU could write nothing
/// before the others have read all that they have. Any thread may call it, on the host. Other names: none.
template <class _Tp>
constexpr layout scan_layout(std::size_t size, unsigned gpus) {
  return {size, std::size_t{detail::tile_elements<_Tp, detail::scan_rows>} * detail::scan_stripe, gpus};
}

/// Where partition, compact and sort want their elements: each GPU has one part. Any thread may call it, on the host.
/// Other names: none.
template <class _Tp>
constexpr layout part_layout(std::size_t size, unsigned gpus) {
  return detail::equal_shares(size, gpus, detail::access_elements<_Tp>);
}

}  // namespace distributed
}  // namespace warpz
