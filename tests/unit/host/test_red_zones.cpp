// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Space behind the variables of an object, and that nothing else of it changes.
#include "source/red_zones.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "system/elf_file.hpp"

namespace red_zones_of_objects {

using namespace warpz;

struct section {
  const char* name;
  Elf64_Word type;
  Elf64_Xword size;
  Elf64_Xword alignment;
};

/// An object with these sections, of which those with bytes hold their own number.
std::string object(const std::vector<section>& wanted) {
  std::string names(1, '\0'), bytes;
  std::vector<Elf64_Shdr> headers(wanted.size() + 2);
  const std::size_t begin = sizeof(Elf64_Ehdr) + headers.size() * sizeof(Elf64_Shdr);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Elf64_Shdr& header = headers[i + 1];
    header.sh_name = static_cast<Elf64_Word>(names.size());
    header.sh_type = wanted[i].type;
    header.sh_offset = begin + bytes.size();
    header.sh_size = wanted[i].size;
    header.sh_addralign = wanted[i].alignment;
    names += wanted[i].name + std::string(1, '\0');
    if (wanted[i].type != SHT_NOBITS) bytes += std::string(wanted[i].size, static_cast<char>('1' + i));
  }
  headers.back().sh_type = SHT_STRTAB;
  headers.back().sh_offset = begin + bytes.size();
  headers.back().sh_size = names.size();
  Elf64_Ehdr first{};
  std::memcpy(first.e_ident, ELFMAG, SELFMAG);
  first.e_ident[EI_CLASS] = ELFCLASS64;
  first.e_shoff = sizeof first;
  first.e_shnum = static_cast<Elf64_Half>(headers.size());
  first.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  return std::string(reinterpret_cast<const char*>(&first), sizeof first) +
         std::string(reinterpret_cast<const char*>(headers.data()), headers.size() * sizeof(Elf64_Shdr)) + bytes +
         names;
}

/// Name, size, and what it holds.
struct seen {
  std::string name;
  Elf64_Xword size;
  std::string holds;

  bool operator==(const seen&) const = default;
};

std::ostream& operator<<(std::ostream& out, const seen& zone) {
  return out << zone.name << ' ' << zone.size << ' ' << zone.holds;
}

std::vector<seen> sections_of(const std::string& object) {
  const os::elf_file file(object);
  std::vector<seen> all;
  for (const Elf64_Shdr& each : file.sections()) {
    if (each.sh_type != SHT_PROGBITS && each.sh_type != SHT_NOBITS) continue;
    const bool has_bytes = each.sh_type == SHT_PROGBITS;
    all.push_back(
        {std::string(file.name_of(each)), each.sh_size, has_bytes ? object.substr(each.sh_offset, each.sh_size) : ""});
    if (has_bytes) {
      EXPECT_EQ(each.sh_offset % each.sh_addralign, 0u);
    }
  }
  return all;
}

TEST(red_zones, behind_each_variable) {
  const std::string spaced = with_red_zones(object({{".tbss.tile", SHT_NOBITS, 4096, 4},
                                                    {".bss.count", SHT_NOBITS, 4, 4},
                                                    {".data.weights", SHT_PROGBITS, 20, 16},
                                                    {".data.table", SHT_PROGBITS, 300, 1},
                                                    {".tbss.huge", SHT_NOBITS, 60000, 16}}));
  EXPECT_EQ(sections_of(spaced),
            std::vector<seen>({{".tbss.tile", 4096 + 8192, ""},
                               {".bss.count", 4 + 256, ""},
                               {".data.weights", 20 + 256, std::string(20, '3') + std::string(256, '\0')},
                               {".data.table", 300 + 600, std::string(300, '4') + std::string(600, '\0')},
                               {".tbss.huge", 60000 + 65536, ""}}));
}

TEST(red_zones, nothing_else_changes) {
  const std::string before = object({{".text.mine", SHT_PROGBITS, 40, 16},
                                     {".bss", SHT_NOBITS, 8, 8},
                                     {".data.rel.ro.table", SHT_PROGBITS, 16, 8},
                                     {".rodata.name", SHT_PROGBITS, 6, 1},
                                     {".data.note", SHT_NOTE, 12, 4}});
  EXPECT_EQ(with_red_zones(before), before);
  for (const char* text : {"", "no object",
                           "\x7f"
                           "ELF"})
    EXPECT_EQ(with_red_zones(text), text);
}

TEST(red_zones, spoilt_objects_are_read_without_harm) {
  const std::string good = object({{".data.weights", SHT_PROGBITS, 20, 16}, {".tbss.tile", SHT_NOBITS, 64, 4}});
  for (std::size_t size = 0; size < good.size(); ++size) with_red_zones(good.substr(0, size));
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string spoilt = good;
    for (int k = 0; k < 3; ++k) spoilt[random() % spoilt.size()] = static_cast<char>(random());
    EXPECT_LE(with_red_zones(spoilt).size(), spoilt.size() + 400000);
  }
}

}  // namespace red_zones_of_objects
