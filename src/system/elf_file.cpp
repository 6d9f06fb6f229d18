// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/elf_file.hpp"

#include <algorithm>

#include <cstring>
#include <optional>

namespace os {
namespace {

/// The record at this offset; nothing where it is not within the file.
template <class Record>
std::optional<Record> record_at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Record)) return {};
  Record record;
  std::memcpy(&record, file.data() + offset, sizeof record);
  return record;
}

}  // namespace

elf_file::elf_file(std::string_view bytes) : bytes_(bytes) {
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) return;
  headers_ = header->e_shoff;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = record_at<Elf64_Shdr>(bytes, header_place(i));
    if (!section) break;
    sections_.push_back(*section);
  }
  names_ = header->e_shstrndx;
}

std::string_view elf_file::text_at(const Elf64_Shdr& table, std::uint64_t place) const {
  if (table.sh_offset > bytes_.size() || place >= table.sh_size) return {};
  const std::string_view rest = bytes_.substr(table.sh_offset, table.sh_size);
  if (place >= rest.size()) return {};
  return rest.substr(place, rest.find('\0', place) - place);
}

std::string_view elf_file::name_of(const Elf64_Shdr& section) const {
  return names_ < sections_.size() ? text_at(sections_[names_], section.sh_name) : std::string_view();
}

std::string_view elf_file::content_of(const Elf64_Shdr& section) const {
  const bool is_there = section.sh_type != SHT_NOBITS && section.sh_offset <= bytes_.size() &&
                        section.sh_size <= bytes_.size() - section.sh_offset;
  return is_there ? bytes_.substr(section.sh_offset, section.sh_size) : std::string_view();
}

std::string_view elf_file::content_of_section(std::string_view name) const {
  const auto found =
      std::find_if(sections_.begin(), sections_.end(), [&](const Elf64_Shdr& each) { return name_of(each) == name; });
  return found != sections_.end() ? content_of(*found) : std::string_view();
}

std::vector<elf_symbol> elf_file::symbols() const {
  std::vector<elf_symbol> found;
  for (const Elf64_Shdr& table : sections_) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections_.size()) continue;
    for (std::uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = record_at<Elf64_Sym>(bytes_, table.sh_offset + i * sizeof(Elf64_Sym));
      if (!symbol) break;
      found.push_back({text_at(sections_[table.sh_link], symbol->st_name), ELF64_ST_TYPE(symbol->st_info),
                       symbol->st_shndx, symbol->st_value, symbol->st_size});
    }
  }
  return found;
}

}  // namespace os
