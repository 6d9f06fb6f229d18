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
  std::uint64_t begin;  ///< in a module its address, of a thread's own variable its place among those
  std::uint64_t bytes;
};

/// What a damaged or foreign file has of it; nothing is read outside of the bytes.
class elf_file {
 public:
  /// The bytes have to stay.
  explicit elf_file(std::string_view bytes);

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  /// Where the file has the section's header.
  std::uint64_t header_place(std::size_t section) const { return headers_ + section * sizeof(Elf64_Shdr); }
  std::string_view name_of(const Elf64_Shdr& section) const;
  /// All that were not stripped.
  std::vector<elf_symbol> symbols() const;

 private:
  std::string_view text_at(const Elf64_Shdr& table, std::uint64_t place) const;

  std::string_view bytes_;
  std::uint64_t headers_ = 0;
  std::vector<Elf64_Shdr> sections_;
  std::size_t names_ = 0;
};

}  // namespace os
