// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's instructions that move 32 bits between lanes by a pattern: DPP, ds_swizzle, ds_permute, permlane. The lanes
// that are active at this place take part; unlike a shuffle, each of these defines what a lane gets that reads from
// another.
#pragma once

#include "hip/detail/host_defines.h"
#include "hip/detail/shuffles.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

inline constexpr unsigned no_lane = 64;

struct moved_value {
  bool valid;  ///< the source is active
  int value;
};

inline void read_from_active(collective_slots& operands, lane_mask group) {
  constexpr std::uint64_t valid = std::uint64_t{1} << 32;
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctzll(rest);
    const std::uint64_t source = operands.argument[lane];
    const bool is_active = source < no_lane && (group >> source & 1) != 0;
    operands.result[lane] = is_active ? operands.value[source] | valid : 0;
  }
}

/// Where several lanes send to one, the last of them counts; who gets nothing gets 0.
inline void send_to_active(collective_slots& operands, lane_mask group) {
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) operands.result[__builtin_ctzll(rest)] = 0;
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctzll(rest);
    const std::uint64_t target = operands.argument[lane];
    if ((group >> target & 1) != 0) operands.result[target] = operands.value[lane];
  }
}

__device__ __forceinline__ moved_value move_from(unsigned source, int value, const site& at) {
  const std::uint64_t got = collect_active(read_from_active, static_cast<unsigned>(value), source, at);
  return {got >> 32 != 0, static_cast<int>(got)};
}

/// Ends the run: the instruction does not exist on the device that the machine poses as.
__device__ inline void require(bool exists, const char* text, const site& at) {
  if (!exists) assertion_failed(text, at.file, at.line, at.operation);
}

/// The lane that a DPP control reads from, `no_lane` where there is none.
__device__ inline unsigned dpp_source(unsigned control, const site& at) {
  const unsigned lane = own_lane();
  const unsigned in_row = lane & 15;
  const unsigned row = lane - in_row;
  const unsigned count = control & 15;
  const bool is_cdna = warpSize == 64;
  if (control <= 0xff) return (lane & ~3u) + (control >> 2 * (lane & 3) & 3);  // quad_perm
  if (control > 0x100 && control <= 0x10f) return in_row + count < 16 ? lane + count : no_lane;
  if (control > 0x110 && control <= 0x11f) return in_row >= count ? lane - count : no_lane;
  if (control > 0x120 && control <= 0x12f) return row + ((in_row - count) & 15);
  if (control == 0x140) return row + 15 - in_row;
  if (control == 0x141) return (lane & ~7u) + 7 - (lane & 7);
  if (control >= 0x150 && control <= 0x15f) return row + count;
  if (control >= 0x160 && control <= 0x16f) {
    require(!is_cdna, "only devices with 32 lanes in a warp have the DPP control row_xmask", at);
    return lane ^ count;
  }
  require(is_cdna, "devices with 32 lanes in a warp do not have this DPP control", at);
  if (control == 0x130) return lane < 63 ? lane + 1 : no_lane;
  if (control == 0x134) return (lane + 1) & 63;
  if (control == 0x138) return lane > 0 ? lane - 1 : no_lane;
  if (control == 0x13c) return (lane - 1) & 63;
  if (control == 0x142) return lane > 15 ? row - 1 : no_lane;
  if (control == 0x143) return lane > 31 ? 31 : no_lane;
  require(false, "no device has this DPP control", at);
  return no_lane;
}

/// The lane that a pattern of ds_swizzle reads from.
__device__ inline unsigned swizzle_source(unsigned pattern, const site& at) {
  const unsigned lane = own_lane();
  const unsigned in_half = lane & 31;
  const unsigned half = lane - in_half;
  if ((pattern & 0x8000) == 0) {
    return half + (((in_half & pattern) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31)) % 32;
  }
  require(pattern < 0xe000, "ds_swizzle's patterns for Fourier transforms are not supported", at);
  if (pattern < 0xc000) return (lane & ~3u) + (pattern >> 2 * (lane & 3) & 3);
  const unsigned kept = pattern & 31;
  const unsigned steps = pattern >> 5 & 31;
  const unsigned rotated = (pattern >> 10 & 1) != 0 ? in_half - steps : in_half + steps;
  return half + ((in_half & kept) | (rotated & ~kept & 31));
}

/// Of a row of 16 lanes, the one that the selection has for the caller's place: 4 bits for each.
__device__ inline unsigned selected(unsigned low, unsigned high, unsigned row) {
  const unsigned in_row = own_lane() & 15;
  return row + ((in_row < 8 ? low >> 4 * in_row : high >> 4 * (in_row - 8)) & 15);
}

}  // namespace hip
}  // namespace simt

/// Reads `value` of the lane that `control` names. A lane keeps `old` where its row of 16 or its bank of 4 lanes is not
/// in the masks; where the source does not exist or is not active it gets 0 with `bound_control`, else `old`.
__device__ __forceinline__ int __builtin_amdgcn_update_dpp(
    int old, int value, int control, int row_mask, int bank_mask, bool bound_control,
    simt::site at = simt::hip::here("__builtin_amdgcn_update_dpp")) {
  const unsigned lane = simt::hip::own_lane();
  const auto got = simt::hip::move_from(simt::hip::dpp_source(static_cast<unsigned>(control), at), value, at);
  const bool writes = (row_mask >> lane / 16 & 1) != 0 && (bank_mask >> (lane / 4 & 3) & 1) != 0;
  if (!writes) return old;
  return got.valid ? got.value : bound_control ? 0 : old;
}
/// As above; the lane's own value in place of `old`.
__device__ __forceinline__ int __builtin_amdgcn_mov_dpp(int value, int control, int row_mask, int bank_mask,
                                                        bool bound_control,
                                                        simt::site at = simt::hip::here("__builtin_amdgcn_mov_dpp")) {
  return __builtin_amdgcn_update_dpp(value, value, control, row_mask, bank_mask, bound_control, at);
}

/// Within halves of 32 lanes; 0 where the source is not active.
__device__ __forceinline__ int __builtin_amdgcn_ds_swizzle(
    int value, int pattern, simt::site at = simt::hip::here("__builtin_amdgcn_ds_swizzle")) {
  const unsigned source = simt::hip::swizzle_source(static_cast<unsigned>(pattern) & 0xffff, at);
  return simt::hip::move_from(source, value, at).value;
}

/// Sends `value` to the lane with the byte address `address`, four bytes for each lane, modulo the warp size.
__device__ __forceinline__ int __builtin_amdgcn_ds_permute(
    int address, int value, simt::site at = simt::hip::here("__builtin_amdgcn_ds_permute")) {
  const unsigned target = static_cast<unsigned>(address) / 4 % static_cast<unsigned>(warpSize);
  return static_cast<int>(simt::collect_active(simt::hip::send_to_active, static_cast<unsigned>(value), target, at));
}

// RDNA's, with 32 lanes in a warp. `fetch_inactive` would read registers of lanes that are not active: it ends the run
// where a lane does.
__device__ __forceinline__ unsigned __builtin_amdgcn_permlane16(
    unsigned old, unsigned value, unsigned low, unsigned high, bool fetch_inactive, bool bound_control,
    simt::site at = simt::hip::here("__builtin_amdgcn_permlane16")) {
  simt::hip::require(warpSize == 32, "only devices with 32 lanes in a warp have permlane16", at);
  const unsigned source = simt::hip::selected(low, high, simt::hip::own_lane() & ~15u);
  const auto got = simt::hip::move_from(source, static_cast<int>(value), at);
  simt::hip::require(got.valid || !fetch_inactive, "the lane that permlane16 reads from is active", at);
  return got.valid ? static_cast<unsigned>(got.value) : bound_control ? 0 : old;
}
__device__ __forceinline__ unsigned __builtin_amdgcn_permlanex16(
    unsigned old, unsigned value, unsigned low, unsigned high, bool fetch_inactive, bool bound_control,
    simt::site at = simt::hip::here("__builtin_amdgcn_permlanex16")) {
  simt::hip::require(warpSize == 32, "only devices with 32 lanes in a warp have permlanex16", at);
  const unsigned source = simt::hip::selected(low, high, (simt::hip::own_lane() & ~15u) ^ 16u);
  const auto got = simt::hip::move_from(source, static_cast<int>(value), at);
  simt::hip::require(got.valid || !fetch_inactive, "the lane that permlanex16 reads from is active", at);
  return got.valid ? static_cast<unsigned>(got.value) : bound_control ? 0 : old;
}

/// `value` in lane `target`, which is the same in all lanes; `old` in the others.
__device__ __forceinline__ int __builtin_amdgcn_writelane(int value, int target, int old) {
  const unsigned lane = static_cast<unsigned>(target) % static_cast<unsigned>(warpSize);
  return simt::hip::own_lane() == lane ? value : old;
}

SIMT_BOTH_SIDES_END
