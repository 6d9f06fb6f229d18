// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that the plugin has listed in an object file, and that files which are no objects have none.
#include "compile/kernel_list.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>

namespace {

using namespace warpz;

// Manglings as compilers write them.
TEST(kernel_list, names_of_symbols) {
  EXPECT_EQ(name_of_symbol("_Z5scalePfPKfi"), "scale");
  EXPECT_EQ(name_of_symbol("_ZL5scalePfPKfi"), "scale");
  EXPECT_EQ(name_of_symbol("_Z5emptyv"), "empty");
  EXPECT_EQ(name_of_symbol("_ZN4mine5scaleEPf"), "mine::scale");
  EXPECT_EQ(name_of_symbol("_ZN12_GLOBAL__N_15scaleEPf"), "(anonymous namespace)::scale");
  EXPECT_EQ(name_of_symbol("_Z5scaleIfEvPT_PKS0_i"), "scale<float>");
  EXPECT_EQ(name_of_symbol("_Z5applyPFvvE"), "apply");
  EXPECT_EQ(name_of_symbol("scale"), "scale");
  EXPECT_EQ(name_of_symbol("_Zzz"), "_Zzz");
}

/// An object file with a text in each of two sections, the second of which is the list of kernels.
std::string object() {
  const std::string names("\0warpz_kernel_list\0.text\0", 25);
  const std::string other = "_Z5otherPf\tfloat*\t0\n", list = "_Z5scalePf\tfloat*, int\t256\nplain\t\t0\n";
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shnum = 4;
  header.e_shstrndx = 3;
  header.e_shoff = sizeof header;
  Elf64_Shdr sections[4]{};
  std::size_t place = sizeof header + sizeof sections;
  const auto put = [&](int number, Elf64_Word name, Elf64_Word type, std::size_t size) {
    sections[number].sh_name = name;
    sections[number].sh_type = type;
    sections[number].sh_offset = place;
    sections[number].sh_size = size;
    place += size;
  };
  put(1, 19, SHT_PROGBITS, other.size());
  put(2, 1, SHT_PROGBITS, list.size());
  put(3, 0, SHT_STRTAB, names.size());
  const auto bytes = [](const auto& record) {
    return std::string(reinterpret_cast<const char*>(&record), sizeof record);
  };
  return bytes(header) + bytes(sections) + other + list + names;
}

TEST(kernel_list, only_what_the_section_has) {
  EXPECT_EQ(kernels_in(object()),
            std::vector<listed_kernel>({{"_Z5scalePf", "scale", "float*, int", 256}, {"plain", "plain", "", 0}}));
}

TEST(kernel_list, spoilt_objects_are_read_without_harm) {
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
    EXPECT_LE(kernels_in({end - size, size}).size(), 2u);
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
