// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/accessed_memory.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

namespace warpz {
namespace {

template <class Record>
std::optional<Record> record_at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Record)) return {};
  Record record;
  std::memcpy(&record, file.data() + offset, sizeof record);
  return record;
}

/// "tile" of "_ZZ4mineE4tile", which is mine(...)::tile.
std::string short_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                         std::free);
  std::string name = status == 0 ? text.get() : mangled;
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

bool is_of_library(std::string_view file) { return file.find("device/warpz/") != std::string_view::npos; }

std::string content_of(const std::string& file) {
  std::ifstream from(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

/// Compilers tell the folder, too, in which they were called.
std::string as_named(const std::string& file, const std::string& source) {
  const std::string normal = std::filesystem::path(file).lexically_normal();
  std::error_code failed;
  if (!source.empty() && normal == std::filesystem::absolute(source, failed).lexically_normal()) return source;
  return normal;
}

}  // namespace

void find_place(warpz_lane_group& group, const code_location& code) {
  if (group.code == 0) return;
  // A call that a compiler has made up, to copy a struct, may have no line; what prepares it has one.
  constexpr std::uint64_t preparation = 64, step = 4;
  for (std::uint64_t back = 0; back <= preparation && group.place.line == 0; back += step) {
    const std::uint64_t address = group.code - back;
    std::vector<source_line> lines = resolve_stack({&address, 1}, code);
    std::erase_if(lines, [](const source_line& each) { return each.line == 0; });
    if (lines.empty()) continue;
    const auto own = std::find_if(lines.begin(), lines.end(), [](const auto& one) { return !is_of_library(one.file); });
    const source_line& chosen = own != lines.end() ? *own : lines.front();
    const std::string file = as_named(chosen.file, code.source);
    std::snprintf(group.place.file, sizeof group.place.file, "%s", file.c_str());
    group.place.line = chosen.line;
  }
}

named_variable variable_at(std::string_view module, std::uint64_t offset, bool thread_local_one) {
  const auto header = record_at<Elf64_Ehdr>(module, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const unsigned wanted = thread_local_one ? STT_TLS : STT_OBJECT;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto table = record_at<Elf64_Shdr>(module, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    const auto names = record_at<Elf64_Shdr>(module, header->e_shoff + table->sh_link * sizeof(Elf64_Shdr));
    for (std::uint64_t k = 0; names && k < table->sh_size / sizeof(Elf64_Sym); ++k) {
      const auto symbol = record_at<Elf64_Sym>(module, table->sh_offset + k * sizeof(Elf64_Sym));
      if (!symbol || ELF64_ST_TYPE(symbol->st_info) != wanted) continue;
      if (offset < symbol->st_value || offset - symbol->st_value >= symbol->st_size) continue;
      const std::uint64_t place = names->sh_offset + symbol->st_name;
      if (place >= module.size()) continue;
      const std::string name(module.substr(place, module.find('\0', place) - place));
      return {short_name(name.c_str()), symbol->st_value, symbol->st_size};
    }
  }
  return {};
}

named_argument argument_at(std::string_view takes, unsigned number) {
  for (; number != 0; --number) {
    const std::size_t comma = takes.find(',');
    if (comma == std::string_view::npos) return {};
    takes.remove_prefix(comma + 1);
  }
  const std::string_view one = takes.substr(0, takes.find(','));
  const std::size_t before_name = one.find_last_of(" *&");
  if (before_name == std::string_view::npos) return {};
  struct type_size {
    std::string_view type;
    unsigned bytes;
  };
  constexpr std::array sizes{type_size{"double", 8}, type_size{"64", 8}, type_size{"float", 4},
                             type_size{"unsigned", 4}, type_size{"int", 4}};
  const auto found = std::find_if(sizes.begin(), sizes.end(), [&](const type_size& each) {
    return one.substr(0, before_name).find(each.type) != std::string_view::npos;
  });
  return {std::string(one.substr(before_name + 1)), found != sizes.end() ? found->bytes : 1,
          found != sizes.end() && found->type == "float"};
}

std::optional<named_memory> memory_of(const warpz_finding& of, const puzzle& what, const code_location& code) {
  named_memory made;
  std::int64_t offset = of.offset;
  std::uint64_t bytes = of.length;
  switch (of.memory) {
    case WARPZ_MEMORY_ARGUMENT: {
      const named_argument argument = argument_at(signature_of(what), of.argument);
      made.name = argument.name;
      made.element_bytes = argument.element_bytes;
      made.floats = argument.floats;
      break;
    }
    case WARPZ_MEMORY_SHARED:
    case WARPZ_MEMORY_VARIABLE: {
      const bool shared = of.memory == WARPZ_MEMORY_SHARED;
      const named_variable variable = variable_at(content_of(code.file), static_cast<std::uint64_t>(of.offset), shared);
      made.name = variable.name;
      offset -= static_cast<std::int64_t>(variable.begin);
      bytes = variable.bytes;
      // What its elements are only the access tells.
      const std::uint32_t access = of.groups[0].bytes;
      if (access != 0 && bytes % access == 0 && offset % access == 0) made.element_bytes = access;
      break;
    }
    case WARPZ_MEMORY_DYNAMIC_SHARED:
      made.name = "dynamic shared memory";
      break;
    default:
      return {};
  }
  const auto size = static_cast<std::int64_t>(made.element_bytes);
  // Downwards, also before the beginning.
  made.index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  made.elements = bytes / made.element_bytes;
  return made;
}

}  // namespace warpz
