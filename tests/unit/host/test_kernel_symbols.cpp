// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a symbol says of a kernel, and that files which are no objects have none.
#include "compile/kernel_symbols.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>

namespace {

using namespace warpz;

TEST(kernel_symbols, name_and_parameters) {
  const auto expect = [](const char* mangled, const char* name, const char* parameters, bool c_linkage = false) {
    EXPECT_EQ(kernel_symbol_of(mangled), (kernel_symbol{name, parameters, c_linkage, mangled}));
  };
  expect("_Z5scalePfPKfi", "scale", "float*, float const*, int");
  expect("_ZL5scalePfPKfi", "scale", "float*, float const*, int");
  expect("_Z5emptyv", "empty", "");
  expect("_ZN4mine5scaleEPf", "mine::scale", "float*");
  expect("_ZN12_GLOBAL__N_15scaleEPf", "(anonymous namespace)::scale", "float*");
  expect("_Z5scaleIfEvPT_PKS0_i", "scale<float>", "float*, float const*, int");
  expect("_Z5applyPFvvE", "apply", "void (*)()");
  expect("scale", "scale", "", true);
  expect("_Zzz", "_Zzz", "", true);
}

/// An object file with a symbol in each of three sections, the second of which is the kernels'.
std::string object() {
  const std::string names = std::string("\0warpz_kernels\0.text\0", 21) + std::string("_Z5scalePf\0_Z5otherPf\0", 22);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shnum = 5;
  header.e_shstrndx = 3;
  header.e_shoff = sizeof header;
  Elf64_Shdr sections[5]{};
  sections[1].sh_name = 15;
  sections[2].sh_name = 1;
  const std::size_t strings = sizeof header + sizeof sections;
  sections[3].sh_type = SHT_STRTAB;
  sections[3].sh_offset = strings;
  sections[3].sh_size = names.size();
  Elf64_Sym symbols[4]{};
  sections[4].sh_type = SHT_SYMTAB;
  sections[4].sh_offset = strings + names.size();
  sections[4].sh_size = sizeof symbols;
  sections[4].sh_link = 3;
  const auto put = [&](int place, Elf64_Word name, unsigned char type, Elf64_Section section) {
    symbols[place].st_name = name;
    symbols[place].st_info = ELF64_ST_INFO(STB_GLOBAL, type);
    symbols[place].st_shndx = section;
  };
  put(1, 32, STT_FUNC, 1);
  put(2, 21, STT_FUNC, 2);
  put(3, 32, STT_OBJECT, 2);
  const auto bytes = [](const auto& record) {
    return std::string(reinterpret_cast<const char*>(&record), sizeof record);
  };
  return bytes(header) + bytes(sections) + names + bytes(symbols);
}

TEST(kernel_symbols, only_functions_in_the_section_of_kernels) {
  EXPECT_EQ(kernels_in(object()), std::vector<kernel_symbol>({{"scale", "float*", false, "_Z5scalePf"}}));
}

TEST(kernel_symbols, spoilt_objects_are_read_without_harm) {
  const std::string good = object();
  // What lies behind the end cannot be read.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  ASSERT_LT(good.size(), page);
  void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  char* const end = static_cast<char*>(pages) + page;
  ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
  for (std::size_t size = 0; size < good.size(); ++size) {
    std::memcpy(end - size, good.data(), size);
    EXPECT_LE(kernels_in({end - size, size}).size(), 1u);
  }
  munmap(pages, 2 * page);
  EXPECT_TRUE(kernels_in("int x;").empty());
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string spoilt = good;
    for (int k = 0; k < 3; ++k) spoilt[random() % spoilt.size()] = static_cast<char>(random());
    kernels_in(spoilt);
  }
}

}  // namespace
