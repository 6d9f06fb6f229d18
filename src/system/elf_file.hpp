// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects, modules and programs as compilers and linkers write them: 64-bit ELF files, by their sections and symbols.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace os {

struct elf_symbol {
  std::string_view name;
  int type;             ///< STT_FUNC, STT_OBJECT, STT_TLS, ...
  std::size_t section;  ///< its number
  std::uint64_t begin;  ///< the address in a module; the offset of a thread-local variable
  std::uint64_t bytes;
};

/// An ELF file in memory. Of a damaged or foreign file it shows what is there; it reads nothing outside of the bytes.
class elf_file {
 public:
  /// Refers to the bytes.
  explicit elf_file(std::string_view bytes);

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  /// The offset of the section's header in the file.
  std::uint64_t header_place(std::size_t section) const { return headers_ + section * sizeof(Elf64_Shdr); }
  std::string_view name_of(const Elf64_Shdr& section) const;
  /// The section's bytes; none where the file lacks some of them.
  std::string_view content_of(const Elf64_Shdr& section) const;
  /// As above, of the first section of this name; empty where there is none.
  std::string_view content_of_section(std::string_view name) const;
  /// All symbols that were not stripped.
  std::vector<elf_symbol> symbols() const;

 private:
  std::string_view text_at(const Elf64_Shdr& table, std::uint64_t place) const;

  std::string_view bytes_;
  std::uint64_t headers_ = 0;
  std::vector<Elf64_Shdr> sections_;
  std::size_t names_ = 0;
};

}  // namespace os
