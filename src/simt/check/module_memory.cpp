// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/module_memory.hpp"

#include <elf.h>
#include <link.h>

// The dynamic linker's own: gives the calling thread's copy of a module's thread-local variables, and makes it if the
// thread has not used them yet.
struct tls_place {
  unsigned long module;
  unsigned long offset;
};
extern "C" void* __tls_get_addr(tls_place*);

namespace simt::check {
namespace {

struct question {
  std::uintptr_t code;
  bool is_first = true;  // the program itself
  module_memory answer;
};

int look_at(dl_phdr_info* info, std::size_t, void* data) {
  question& asked = *static_cast<question*>(data);
  const bool is_program = asked.is_first;
  asked.is_first = false;
  bool has_code = false;
  module_memory found;
  found.code_begin = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && asked.code - begin < part.p_memsz) has_code = true;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) {
      found.variables_begin = begin;
      found.variables_bytes = part.p_memsz;
    }
    if (part.p_type == PT_TLS && !is_program) {
      tls_place place{info->dlpi_tls_modid, 0};
      found.thread_local_begin = reinterpret_cast<std::uintptr_t>(__tls_get_addr(&place));
      found.thread_local_bytes = part.p_memsz;
    }
  }
  if (!has_code) {
    return 0;
  }
  found.is_loaded = !is_program;
  asked.answer = found;
  return 1;
}

}  // namespace

module_memory memory_of_module(std::uintptr_t code) {
  question asked{code, true, {}};
  dl_iterate_phdr(look_at, &asked);
  return asked.answer;
}

}  // namespace simt::check
