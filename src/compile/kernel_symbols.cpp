// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_symbols.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

namespace warpz {
namespace {

/// A record at this place of the file, if it lies within.
template <class Record>
std::optional<Record> at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Record)) return {};
  Record record;
  std::memcpy(&record, file.data() + offset, sizeof record);
  return record;
}

std::string_view text_at(std::string_view file, const Elf64_Shdr& table, std::uint64_t place) {
  if (table.sh_offset > file.size() || place >= table.sh_size) return {};
  const std::string_view rest = file.substr(table.sh_offset, table.sh_size);
  if (place >= rest.size()) return {};
  return rest.substr(place, rest.find('\0', place) - place);
}

class object_file {
 public:
  explicit object_file(std::string_view bytes) : bytes_(bytes) {
    const auto header = at<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
      return;
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) break;
      sections_.push_back(*section);
    }
    names_ = header->e_shstrndx;
  }

  std::vector<kernel_symbol> kernels() const {
    std::vector<kernel_symbol> found;
    for (const Elf64_Shdr& table : sections_) {
      if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections_.size()) continue;
      for (std::uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
        const auto symbol = at<Elf64_Sym>(bytes_, table.sh_offset + i * sizeof(Elf64_Sym));
        if (!symbol) break;
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !is_kernel_section(symbol->st_shndx)) continue;
        found.push_back(kernel_symbol_of(std::string(text_at(bytes_, sections_[table.sh_link], symbol->st_name))));
      }
    }
    return found;
  }

 private:
  bool is_kernel_section(std::size_t index) const {
    return index < sections_.size() && names_ < sections_.size() &&
           text_at(bytes_, sections_[names_], sections_[index].sh_name) == kernel_section;
  }

  std::string_view bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::size_t names_ = 0;
};

/// Where the parenthesis opens that the last character closes.
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
  if (!mangled.starts_with("_Z") || status != 0 || demangled == nullptr) return {mangled, {}, true};
  std::string_view text = demangled.get();
  // A function made from a template is told with its result, which of a kernel is void.
  constexpr std::string_view result = "void ";
  if (text.starts_with(result)) text.remove_prefix(result.size());
  const std::size_t open = text.ends_with(')') ? opening_of_last(text) : std::string_view::npos;
  if (open == std::string_view::npos) return {std::string(text), {}, true};
  return {std::string(text.substr(0, open)), std::string(text.substr(open + 1, text.size() - open - 2)), false};
}

std::vector<kernel_symbol> kernels_in(std::string_view object) { return object_file(object).kernels(); }

}  // namespace warpz
