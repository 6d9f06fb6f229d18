// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/template_numbers.hpp"

#include "instrument/lists.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

namespace warpz::instrument {

void template_numbers::add(const llvm::Function& function) {
  const llvm::DISubprogram& place = *function.getSubprogram();
  if (!place.getName().contains('<') && place.getTemplateParams().empty() &&
      !llvm::isa_and_nonnull<llvm::DICompositeType>(place.getScope()))
    return;
  std::map<std::pair<std::string, unsigned>, numbers> found;
  for (const llvm::Instruction& each : llvm::instructions(function)) {
    if (!each.getDebugLoc()) continue;
    numbers& of_line = found[{file_row(*each.getDebugLoc()->getFile()), each.getDebugLoc().getLine()}];
    for (const llvm::Use& operand : each.operands()) {
      const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(operand);
      if (number != nullptr && number->getBitWidth() <= 64) of_line.insert(number->getZExtValue());
    }
  }
  const template_name name{file_row(*place.getFile()), place.getLine(), place.getName().split('<').first.str()};
  for (auto& [line, of_line] : found) lines_[line][name].push_back(std::move(of_line));
}

bool template_numbers::is_argument(const std::string& file, unsigned line, std::uint64_t number) const {
  const auto found = lines_.find({file, line});
  if (found == lines_.end()) return false;
  return llvm::any_of(found->second, [number](const auto& of_template) {
    const auto has = [number](const numbers& of_instance) { return of_instance.count(number) != 0; };
    return llvm::any_of(of_template.second, has) && !llvm::all_of(of_template.second, has);
  });
}

}  // namespace warpz::instrument
