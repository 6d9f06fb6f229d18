// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which constants a source has by name, and which lines use them, on the side that is compiled: the host's or the
// device's. `#if defined(__GFX9__)` is true on one of them only, so a macro or a constexpr variable may be 64 lanes for
// the device and 32 for the host (src/findings/side_values.cpp compares the two).
//
// A name's uses are looked for in the text of lines from which code was made: a constant leaves nothing else.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "abi/device_image.h"
#include "instrument/lists.hpp"
#include "instrument/machine_code.hpp"
#include "instrument/passes.hpp"
#include "instrument/size_flow.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace warpz::instrument {
namespace {

constexpr llvm::StringLiteral warp_size_variable = "_ZN4simt17current_warp_sizeE";

/// A constant of the host that is there for its name alone: -fkeep-static-consts. Otherwise Clang leaves out one whose
/// uses it has computed.
bool is_kept_constant(const llvm::GlobalVariable& each) {
  return each.isConstant() && each.hasLocalLinkage() && each.hasInitializer() && each.getMetadata("dbg") != nullptr &&
         llvm::isa<llvm::ConstantInt>(each.getInitializer()) &&
         each.getInitializer()->getType()->getIntegerBitWidth() <= 64;
}

/// Names and values of integers, where a macro is an expression of others.
class named_values {
 public:
  explicit named_values(const llvm::Module& module) {
    llvm::DebugInfoFinder debug;
    debug.processModule(module);
    for (const llvm::DICompileUnit* const unit : debug.compile_units()) add_macros(unit->getMacros());
    for (const llvm::DIGlobalVariableExpression* const each : debug.global_variables()) add_variable(*each);
    for (const llvm::DIType* const each : debug.types()) add_type(*each);
    for (const llvm::GlobalVariable& each : module.globals()) add_kept(each);
  }

  std::optional<std::int64_t> value_of(llvm::StringRef name) const {
    if (const auto known = constants_.find(name); known != constants_.end()) return known->second;
    const auto macro = macros_.find(name);
    if (macro == macros_.end() || depth_ == max_depth) return {};
    ++depth_;
    llvm::StringRef rest = macro->second;
    std::optional<std::int64_t> value = sum(rest);
    if (!rest.trim().empty()) value.reset();
    --depth_;
    return value;
  }

 private:
  static constexpr unsigned max_depth = 8;

  void add_macros(const llvm::DIMacroNodeArray& nodes) {
    for (const llvm::DIMacroNode* const each : nodes) {
      if (const auto* const file = llvm::dyn_cast<llvm::DIMacroFile>(each)) {
        add_macros(file->getElements());
      } else if (const auto* const macro = llvm::dyn_cast<llvm::DIMacro>(each)) {
        if (macro->getMacinfoType() == llvm::dwarf::DW_MACINFO_undef) {
          macros_.erase(macro->getName());
        } else {
          macros_[macro->getName()] = macro->getValue();
        }
      }
    }
  }

  void add_variable(const llvm::DIGlobalVariableExpression& each) {
    const llvm::DIExpression& value = *each.getExpression();
    if (value.getNumElements() < 2) return;
    const std::uint64_t kind = value.getElement(0);
    if (kind == llvm::dwarf::DW_OP_constu || kind == llvm::dwarf::DW_OP_consts)
      constants_[each.getVariable()->getName()] = static_cast<std::int64_t>(value.getElement(1));
  }

  void add_kept(const llvm::GlobalVariable& each) {
    if (!is_kept_constant(each)) return;
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> names;
    each.getDebugInfo(names);
    const auto* const value = llvm::cast<llvm::ConstantInt>(each.getInitializer());
    for (const llvm::DIGlobalVariableExpression* const name : names)
      constants_[name->getVariable()->getName()] = value->getSExtValue();
  }

  void add_type(const llvm::DIType& type) {
    if (const auto* const member = llvm::dyn_cast<llvm::DIDerivedType>(&type)) {
      const auto* const value =
          member->isStaticMember() ? llvm::dyn_cast_or_null<llvm::ConstantInt>(member->getConstant()) : nullptr;
      if (value != nullptr && value->getBitWidth() <= 64) constants_[member->getName()] = value->getSExtValue();
    } else if (const auto* const list = llvm::dyn_cast<llvm::DICompositeType>(&type)) {
      if (list->getTag() != llvm::dwarf::DW_TAG_enumeration_type) return;
      for (const llvm::DINode* const each : list->getElements()) {
        const auto* const one = llvm::dyn_cast<llvm::DIEnumerator>(each);
        if (one != nullptr && one->getValue().getSignificantBits() <= 64)
          constants_[one->getName()] = one->getValue().getSExtValue();
      }
    }
  }

  /// The value of a number, a name or a term in parentheses, which is taken from the text.
  std::optional<std::int64_t> operand(llvm::StringRef& text) const {
    text = text.ltrim();
    if (text.consume_front("(")) {
      const std::optional<std::int64_t> value = sum(text);
      text = text.ltrim();
      return text.consume_front(")") ? value : std::nullopt;
    }
    const llvm::StringRef word = text.take_while([](char each) { return llvm::isAlnum(each) || each == '_'; });
    text = text.drop_front(word.size());
    if (word.empty()) return {};
    if (!llvm::isDigit(word.front())) return value_of(word);
    std::int64_t value = 0;
    return word.rtrim("uUlL").getAsInteger(0, value) ? std::nullopt : std::optional(value);
  }

  std::optional<std::int64_t> product(llvm::StringRef& text) const {
    std::optional<std::int64_t> left = operand(text);
    while (left) {
      text = text.ltrim();
      const bool multiplies = text.consume_front("*");
      if (!multiplies && !text.consume_front("/")) break;
      const std::optional<std::int64_t> right = operand(text);
      if (!right || (!multiplies && *right == 0)) return {};
      left = multiplies ? *left * *right : *left / *right;
    }
    return left;
  }

  std::optional<std::int64_t> sum(llvm::StringRef& text) const {
    std::optional<std::int64_t> left = product(text);
    while (left) {
      text = text.ltrim();
      const bool adds = text.consume_front("+");
      if (!adds && !text.consume_front("-")) break;
      const std::optional<std::int64_t> right = product(text);
      if (!right) return {};
      left = adds ? *left + *right : *left - *right;
    }
    return left;
  }

  llvm::StringMap<llvm::StringRef> macros_;
  llvm::StringMap<std::int64_t> constants_;
  mutable unsigned depth_ = 0;
};

/// The text of each line, without comments to its end; empty for a directive and where the file cannot be read.
class source_lines {
 public:
  llvm::StringRef line(const llvm::DIFile& file, unsigned number) {
    const auto [known, is_new] = files_.try_emplace(&file);
    if (is_new) read(file, known->second);
    return number > 0 && number <= known->second.size() ? known->second[number - 1] : llvm::StringRef();
  }

 private:
  void read(const llvm::DIFile& file, std::vector<llvm::StringRef>& lines) {
    llvm::SmallString<256> path(file.getFilename());
    if (!llvm::sys::path::is_absolute(path)) {
      path = file.getDirectory();
      llvm::sys::path::append(path, file.getFilename());
    }
    // A system's headers and warpz's own are no part of the program.
    if (path.starts_with("/usr/") || path.str().contains("/simt/include/") || path.str().contains("/device/warpz/"))
      return;
    auto text = llvm::MemoryBuffer::getFile(path, true);
    if (!text) return;
    for (llvm::StringRef rest = (*text)->getBuffer(); !rest.empty();) {
      auto [line, behind] = rest.split('\n');
      line = line.split("//").first;
      lines.push_back(line.ltrim().starts_with("#") ? llvm::StringRef() : line);
      rest = behind;
    }
    texts_.push_back(std::move(*text));
  }

  std::map<const llvm::DIFile*, std::vector<llvm::StringRef>> files_;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> texts_;
};

/// The names in a line of text.
llvm::StringSet<> words_in(llvm::StringRef text) {
  llvm::StringSet<> words;
  while (!text.empty()) {
    const llvm::StringRef word = text.take_while([](char each) { return llvm::isAlnum(each) || each == '_'; });
    if (!word.empty() && !llvm::isDigit(word.front())) words.insert(word);
    text = text.drop_front(std::max<std::size_t>(word.size(), 1));
  }
  return words;
}

bool reads_lane_count(const llvm::Value* value) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load != nullptr && load->getPointerOperand()->stripPointerCasts()->getName() == warp_size_variable;
}

/// Instructions and local variables by their lines.
using code_of_line = std::map<std::pair<const llvm::DIFile*, unsigned>, std::vector<llvm::Value*>>;

/// The names of local variables that are set and not read: Clang takes the value of a constant one for its name.
using constant_names = llvm::DenseMap<const llvm::Value*, llvm::StringRef>;

void add_code(llvm::Function& function, code_of_line& code, constant_names& constants) {
  const auto reads_nothing = [](const llvm::User* user) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction != nullptr && (llvm::isa<llvm::StoreInst>(user) || instruction->isLifetimeStartOrEnd());
  };
  const auto add = [&code](const llvm::DebugLoc& place, llvm::Value& value) {
    if (place && place.getLine() != 0) code[{place->getFile(), place.getLine()}].push_back(&value);
  };
  for (llvm::Instruction& each : llvm::instructions(function)) {
    add(each.getDebugLoc(), each);
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(each.getDbgRecordRange())) {
      if ((!record.isDbgDeclare() && !record.isDbgAssign()) || record.getAddress() == nullptr) continue;
      const llvm::DILocalVariable& variable = *record.getVariable();
      if (variable.getFile() != nullptr && variable.getLine() != 0)
        code[{variable.getFile(), variable.getLine()}].push_back(record.getAddress());
      if (llvm::all_of(record.getAddress()->users(), reads_nothing))
        constants[record.getAddress()] = variable.getName();
    }
  }
}

/// Whether the line's code, or that of a line which names a constant of it, sizes what a device is given.
bool is_size(const std::vector<llvm::Value*>& line, const llvm::DIFile& file, const code_of_line& code,
             const constant_names& constants, source_lines& lines) {
  std::vector<llvm::Value*> seeds = line;
  for (const llvm::Value* const each : line) {
    const auto constant = constants.find(each);
    if (constant == constants.end()) continue;
    for (const auto& [place, made] : code) {
      if (place.first == &file && words_in(lines.line(file, place.second)).contains(constant->second))
        seeds.insert(seeds.end(), made.begin(), made.end());
    }
  }
  return sizes_device_work(seeds);
}

void list_values(llvm::Module& module, bool is_of_host) {
  code_of_line code;
  constant_names constants;
  for (llvm::Function& each : module) {
    const bool is_own = !each.isDeclaration() && each.getSubprogram() != nullptr && !is_of_machine(each);
    if (is_own && !each.getName().contains("__device_stub__")) add_code(each, code, constants);
  }
  const named_values values(module);
  source_lines lines;
  std::string rows;
  for (const llvm::DICompileUnit* const unit : module.debug_compile_units()) {
    for (const auto& [place, made] : code) {
      const auto add = [&](llvm::StringRef name, std::int64_t value, bool sizes_work) {
        rows += file_row(*unit->getFile()) + '\t' + (is_of_host ? "host" : "device") + '\t' + name.str() + '\t' +
                std::to_string(value) + '\t' + file_row(*place.first) + '\t' + std::to_string(place.second) + '\t' +
                (sizes_work ? "size" : "") + '\n';
      };
      const llvm::StringRef text = lines.line(*place.first, place.second);
      std::vector<std::string> names;
      for (const auto& word : words_in(text)) names.push_back(word.getKey().str());
      llvm::sort(names);
      std::optional<bool> sizes;
      for (const std::string& name : names) {
        const std::optional<std::int64_t> value = values.value_of(name);
        if (!value) continue;
        if (!sizes) sizes = is_of_host && is_size(made, *place.first, code, constants, lines);
        add(name, *value, *sizes);
      }
      if (!is_of_host && !text.empty() && llvm::any_of(made, reads_lane_count)) add("warpSize", 0, false);
    }
    // What named them is read, and would only take room.
    const_cast<llvm::DICompileUnit*>(unit)->replaceMacros(nullptr);
  }
  llvm::removeFromUsedLists(module, [](llvm::Constant* each) {
    const auto* const kept = llvm::dyn_cast<llvm::GlobalVariable>(each->stripPointerCasts());
    return kept != nullptr && is_kept_constant(*kept);
  });
  if (rows.empty()) return;
  add_list(module, WARPZ_SIDE_VALUES_SECTION, rows);
}

}  // namespace

void list_device_values(llvm::Module& module) { list_values(module, false); }

void list_host_values(llvm::Module& module) { list_values(module, true); }

}  // namespace warpz::instrument
