// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, as the machine calls them: each becomes a function of one argument, an array of addresses, as HIP's launches
// have it.
//
//     define void @_Z5scalePf3boxi(ptr, ptr byval, i32)   becomes   define void @_Z5scalePf3boxi(ptr %arguments)
//
// The lowered signature says little of a kernel's parameters: a struct is split, joined with others or passed by its
// address. But before anything is optimized each parameter has a place in memory of its own, which the debug
// information names, with its number and type. There the argument's bytes are copied to.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpz::instrument {

/// What a changed kernel has among its attributes.
inline constexpr llvm::StringLiteral kernel_attribute = "warpz-kernel";

struct kernel_parameter {
  llvm::DIType* type;
  std::uint64_t bytes;
};

struct kernel {
  llvm::Function* function;
  std::vector<kernel_parameter> parameters;
  std::uint64_t max_threads;        ///< how many a block may have by __launch_bounds__; 0: any
  llvm::Constant* loops = nullptr;  ///< the variable that tells how it runs as loops over lanes

  /// The parameters' types as demanglers write them: "float*, float const*, int".
  std::string signature() const;
};

/// The functions annotated as kernels, changed as above.
std::vector<kernel> change_kernels(llvm::Module& module);

/// In code that is not checked a lane goes from block to block without a call: the kernel, at its end, begins anew with
/// the lane's next block.
void loop_over_blocks(llvm::Function& kernel);

}  // namespace warpz::instrument
