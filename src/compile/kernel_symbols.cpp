// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_symbols.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "system/elf_file.hpp"

namespace warpz {
namespace {

/// src/simt/include/hip/detail/qualifiers.h names it, too.
constexpr std::string_view kernel_section = "warpz_kernels";

/// Where the parenthesis that the last character closes opens.
std::size_t opening_of_last(std::string_view text) {
  std::size_t open = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++open;
    if (text[i] == '(' && --open == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

kernel_symbol kernel_symbol_of(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  if (!mangled.starts_with("_Z") || status != 0 || demangled == nullptr) return {mangled, {}, true, mangled};
  std::string_view text = demangled.get();
  // The name of a template's instance begins with its result, which is void for a kernel.
  constexpr std::string_view result = "void ";
  if (text.starts_with(result)) text.remove_prefix(result.size());
  const std::size_t open = text.ends_with(')') ? opening_of_last(text) : std::string_view::npos;
  if (open == std::string_view::npos) return {std::string(text), {}, true, mangled};
  return {std::string(text.substr(0, open)), std::string(text.substr(open + 1, text.size() - open - 2)), false,
          mangled};
}

std::vector<kernel_symbol> kernels_in(std::string_view object) {
  const os::elf_file file(object);
  std::vector<kernel_symbol> found;
  for (const os::elf_symbol& each : file.symbols()) {
    if (each.type != STT_FUNC || each.section >= file.sections().size()) continue;
    if (file.name_of(file.sections()[each.section]) != kernel_section) continue;
    found.push_back(kernel_symbol_of(std::string(each.name)));
  }
  return found;
}

}  // namespace warpz
