// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/red_zones.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "system/elf_file.hpp"

namespace warpz {
namespace {

constexpr std::uint64_t smallest_zone = 256, largest_zone = 65536, max_aligned = 65536;

/// What compilers call the sections of single variables.
constexpr std::array<std::string_view, 4> variable_sections{".bss.", ".data.", ".tbss.", ".tdata."};
constexpr std::string_view only_read_later = ".data.rel.ro";

bool holds_one_variable(std::string_view name) {
  const auto begins = [name](std::string_view beginning) { return name.starts_with(beginning); };
  return std::any_of(variable_sections.begin(), variable_sections.end(), begins) && !name.starts_with(only_read_later);
}

}  // namespace

std::string with_red_zones(std::string object) {
  const os::elf_file file(object);
  // Reads all headers before it changes the first.
  struct change {
    std::uint64_t place;
    Elf64_Shdr header;
    bool has_bytes;
  };
  std::vector<change> changes;
  for (std::size_t i = 0; i < file.sections().size(); ++i) {
    const Elf64_Shdr& section = file.sections()[i];
    const bool has_bytes = section.sh_type == SHT_PROGBITS;
    if ((!has_bytes && section.sh_type != SHT_NOBITS) || !holds_one_variable(file.name_of(section))) continue;
    const bool is_within = section.sh_offset <= object.size() && section.sh_size <= object.size() - section.sh_offset;
    if ((has_bytes && !is_within) || section.sh_addralign > max_aligned) continue;
    changes.push_back({file.header_place(i), section, has_bytes});
  }
  for (change& each : changes) {
    const std::uint64_t size = each.header.sh_size;
    each.header.sh_size += std::clamp(2 * size, smallest_zone, largest_zone);
    if (each.has_bytes) {
      const std::string bytes = object.substr(each.header.sh_offset, size);
      const std::uint64_t alignment = std::max<std::uint64_t>(each.header.sh_addralign, 1);
      object.resize((object.size() + alignment - 1) / alignment * alignment);
      each.header.sh_offset = object.size();
      object += bytes;
      object.resize(each.header.sh_offset + each.header.sh_size);
    }
    std::memcpy(object.data() + each.place, &each.header, sizeof each.header);
  }
  return object;
}

}  // namespace warpz
