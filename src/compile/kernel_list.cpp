// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_list.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "abi/device_image.h"
#include "system/elf_file.hpp"

namespace warpz {
namespace {

/// Where the parenthesis that the last character closes opens.
std::size_t opening_of_last(std::string_view text) {
  std::size_t open = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++open;
    if (text[i] == '(' && --open == 0) return i;
  }
  return std::string_view::npos;
}

/// Removes the text up to a mark, and the mark; all where there is none.
std::string_view take_until(std::string_view& text, char mark) {
  const std::string_view taken = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(taken.size() + 1, text.size()));
  return taken;
}

}  // namespace

std::string name_of_symbol(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (!symbol.starts_with("_Z") || status != 0 || demangled == nullptr) return symbol;
  std::string_view text = demangled.get();
  // The name of a template's instance begins with its result, which is void for a kernel.
  constexpr std::string_view result = "void ";
  if (text.starts_with(result)) text.remove_prefix(result.size());
  const std::size_t open = text.ends_with(')') ? opening_of_last(text) : std::string_view::npos;
  return std::string(text.substr(0, open));
}

std::vector<listed_kernel> kernels_in(std::string_view object) {
  std::vector<listed_kernel> kernels;
  std::string_view lines = os::elf_file(object).content_of_section(WARPZ_KERNEL_LIST_SECTION);
  while (!lines.empty()) {
    std::string_view line = take_until(lines, '\n');
    listed_kernel kernel;
    kernel.symbol = take_until(line, '\t');
    kernel.name = name_of_symbol(kernel.symbol);
    kernel.parameters = take_until(line, '\t');
    std::from_chars(line.data(), line.data() + line.size(), kernel.launch_bound);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace warpz
