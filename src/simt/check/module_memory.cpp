// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/module_memory.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "abi/red_zone.h"
#include "system/elf_file.hpp"
#include "system/file_view.hpp"

// The dynamic linker's own: returns the calling thread's copy of a module's thread-local variables, which it allocates
// if the thread has not used them yet.
struct tls_index {
  unsigned long module;
  unsigned long offset;
};
extern "C" void* __tls_get_addr(tls_index*);

namespace simt::check {
namespace {

/// Sections that hold a compiler's variables, or that no kernel reads. Data in others may have no symbol.
constexpr std::array<std::string_view, 7> sections_of_variables{".data",    ".bss",        ".got",       ".got.plt",
                                                                ".dynamic", ".init_array", ".fini_array"};

/// Their ends by their begins. Modules are loaded by one thread at a time.
std::map<std::uintptr_t, std::uintptr_t>& host_variables() {
  static auto* const all = new std::map<std::uintptr_t, std::uintptr_t>;
  return *all;
}

struct gaps_of_module {
  std::vector<gap> thread_local_ones;
  std::vector<gap> variables;
};

/// The parts of [0, bytes) outside of all these intervals.
std::vector<gap> gaps_between(std::vector<gap> taken, std::size_t bytes) {
  if (taken.empty()) return {};
  std::sort(taken.begin(), taken.end(), [](const gap& a, const gap& b) { return a.begin < b.begin; });
  std::vector<gap> left;
  std::size_t end = 0;
  for (const gap& each : taken) {
    if (each.begin >= bytes) break;
    if (each.begin > end) left.push_back({end, each.begin});
    end = std::max(end, each.end);
  }
  if (end < bytes) left.push_back({end, bytes});
  return left;
}

gaps_of_module find_gaps(const char* path, const module_memory& memory) {
  const os::file_view content(path);
  const os::elf_file file(content.bytes());
  const std::size_t variables = memory.variables_begin - memory.code_begin;
  std::vector<gap> own, common;
  const auto add = [variables](std::vector<gap>& target, std::uint64_t begin, std::uint64_t size) {
    if (size != 0 && begin >= variables) target.push_back({begin - variables, begin - variables + size});
  };
  for (const os::elf_symbol& each : file.symbols()) {
    if (each.name.substr(0, sizeof WARPZ_RED_ZONE_NAME - 1) == WARPZ_RED_ZONE_NAME) continue;
    if (each.type == STT_TLS && each.bytes != 0) own.push_back({each.begin, each.begin + each.bytes});
    if (each.type == STT_OBJECT && !is_of_host_variable(memory.code_begin + each.begin))
      add(common, each.begin, each.bytes);
  }
  // Nothing is known of a file without symbols.
  if (!common.empty()) {
    for (const Elf64_Shdr& each : file.sections()) {
      if ((each.sh_flags & SHF_ALLOC) == 0 || (each.sh_flags & SHF_TLS) != 0) continue;
      const auto& known = sections_of_variables;
      if (std::find(known.begin(), known.end(), file.name_of(each)) == known.end())
        add(common, each.sh_addr, each.sh_size);
    }
  }
  return {gaps_between(std::move(own), memory.thread_local_bytes),
          gaps_between(std::move(common), memory.variables_bytes)};
}

/// Read once for each module, which stays loaded.
const gaps_of_module& gaps_of(const char* path, const module_memory& memory) {
  static auto* const known = new std::map<std::uintptr_t, gaps_of_module>;
  const auto found = known->find(memory.code_begin);
  return found != known->end() ? found->second
                               : known->emplace(memory.code_begin, find_gaps(path, memory)).first->second;
}

struct question {
  std::uintptr_t code;
  bool is_first = true;  // warpz itself
  module_memory answer;
};

int visit(dl_phdr_info* info, std::size_t, void* data) {
  question& current = *static_cast<question*>(data);
  const bool is_warpz = current.is_first;
  current.is_first = false;
  bool has_code = false;
  module_memory found;
  found.code_begin = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && current.code - begin < part.p_memsz) has_code = true;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) {
      found.variables_begin = begin;
      found.variables_bytes = part.p_memsz;
    }
    if (part.p_type == PT_TLS && !is_warpz) {
      found.thread_local_module = info->dlpi_tls_modid;
      found.thread_local_bytes = part.p_memsz;
      found.thread_local_image = begin;
      found.thread_local_image_bytes = part.p_filesz;
    }
  }
  if (!has_code) {
    return 0;
  }
  found.is_loaded = !is_warpz;
  if (found.is_loaded) {
    const gaps_of_module& gaps = gaps_of(info->dlpi_name, found);
    found.thread_local_gaps = &gaps.thread_local_ones;
    found.variable_gaps = &gaps.variables;
  }
  current.answer = found;
  return 1;
}

}  // namespace

void note_host_variable(std::uintptr_t begin, std::size_t bytes) { host_variables()[begin] = begin + bytes; }

bool is_of_host_variable(std::uintptr_t address) {
  const auto behind = host_variables().upper_bound(address);
  return behind != host_variables().begin() && address < std::prev(behind)->second;
}

module_memory memory_of_module(std::uintptr_t code) {
  question current{code, true, {}};
  dl_iterate_phdr(visit, &current);
  return current.answer;
}

std::uintptr_t shared_variables_of(const module_memory& module) {
  if (module.thread_local_module == 0) return 0;
  tls_index index{module.thread_local_module, 0};
  return reinterpret_cast<std::uintptr_t>(__tls_get_addr(&index));
}

namespace {

/// A place in each such module. Modules are loaded by one thread at a time.
std::vector<std::uintptr_t>& instrumented_code() {
  static auto* const all = new std::vector<std::uintptr_t>;
  return *all;
}

}  // namespace

void note_instrumented_module(std::uintptr_t code) { instrumented_code().push_back(code); }

bool is_of_instrumented_module(std::uintptr_t code) {
  static auto* const modules = new std::set<std::uintptr_t>;
  for (const std::uintptr_t each : instrumented_code()) modules->insert(memory_of_module(each).code_begin);
  instrumented_code().clear();
  const module_memory asked = memory_of_module(code);
  return asked.is_loaded && modules->count(asked.code_begin) != 0;
}

}  // namespace simt::check
