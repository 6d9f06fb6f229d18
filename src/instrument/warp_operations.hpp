// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of warps by their names in HIP, CUDA and the device library, and the functions that are about warps.
#pragma once

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace warpz::instrument {

/// Without conversions between integers.
const llvm::Value* converted(const llvm::Value* value);

/// The function's name without its namespaces and parameters, where it is one of HIP's, which begin with two
/// underscores, or one of the device library. A program may have functions of its own by the other names.
std::string operation_name(const llvm::CallBase& call);

bool is_shuffle(llvm::StringRef operation);
bool returns_lanes(llvm::StringRef operation);
bool takes_mask_first(llvm::StringRef operation);

/// warpSize, with conversions.
bool reads_warp_size(const llvm::Value* value);

/// "lane", "warp_id", "waveIdx", but not "plane".
bool says_warp(llvm::StringRef name);

/// The functions in which a number such as `threadIdx.x / 32` means a warp: they carry out an operation of warps or
/// read warpSize, their names say so, or they call or are called by such functions. In others, 32 may be the side of a
/// tile.
llvm::DenseSet<const llvm::Function*> functions_about_warps(llvm::ArrayRef<llvm::Function*> functions);

}  // namespace warpz::instrument
