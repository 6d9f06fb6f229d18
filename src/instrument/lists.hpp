// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists that the plugin leaves in a source's object, as text (src/abi/device_image.h has their forms).
#pragma once

#include <string>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace warpz::instrument {

/// The file's name and the folder that it may be relative to, as the lists have them.
inline std::string file_row(const llvm::DIFile& file) {
  return file.getFilename().str() + '\t' + file.getDirectory().str();
}

inline void add_list(llvm::Module& module, llvm::StringRef section, const std::string& list) {
  llvm::Constant* const text = llvm::ConstantDataArray::getString(module.getContext(), list, false);
  auto* const variable =
      new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text);
  variable->setSection(section);
  // Linkers put the lists of several sources together, without a gap.
  variable->setAlignment(llvm::Align(1));
  llvm::appendToUsed(module, {variable});
}

}  // namespace warpz::instrument
