// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that give the address of a function by its name.
//
// The functions are symbols of the object that this code is in; a symbol tells the function's namespace, its name and
// the types of its arguments. Functions that HIP's headers make of others are no symbols.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "simt/hip/errors.hpp"

namespace simt {
namespace {

struct symbol_table {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::size_t count = 0;
  ElfW(Addr) base = 0;
};

/// GNU's hash table: symbols from `first` on, in chains whose last word is odd.
std::size_t count_of(const std::uint32_t* hash) {
  const std::uint32_t buckets = hash[0], first = hash[1], filter_words = hash[2];
  const std::uint32_t* const heads = hash + 4 + filter_words * (sizeof(ElfW(Addr)) / sizeof *hash);
  const std::uint32_t* const chains = heads + buckets;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i) last = heads[i] > last ? heads[i] : last;
  if (last < first) return first;
  while ((chains[last - first] & 1) == 0) ++last;
  return last + 1;
}

symbol_table find_symbols() {
  symbol_table found;
  Dl_info unused;
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&hipInit), &unused, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) {
    return found;
  }
  found.base = map->l_addr;
  for (const ElfW(Dyn)* each = map->l_ld; each->d_tag != DT_NULL; ++each) {
    const auto at = reinterpret_cast<const void*>(each->d_un.d_ptr);
    if (each->d_tag == DT_SYMTAB) found.symbols = static_cast<const ElfW(Sym)*>(at);
    if (each->d_tag == DT_STRTAB) found.names = static_cast<const char*>(at);
    if (each->d_tag == DT_GNU_HASH) found.count = count_of(static_cast<const std::uint32_t*>(at));
  }
  return found;
}

/// Null: there is none.
void* find_function(const std::string& name) {
  static const symbol_table all = find_symbols();
  // As C++ writes hip_on_cpu::name and what follows.
  const std::string beginning = "_ZN10hip_on_cpu" + std::to_string(name.size()) + name + "E";
  for (std::size_t i = 0; i < all.count; ++i) {
    const ElfW(Sym)& each = all.symbols[i];
    if (ELF64_ST_TYPE(each.st_info) != STT_FUNC || each.st_shndx == SHN_UNDEF) continue;
    if (std::strncmp(all.names + each.st_name, beginning.c_str(), beginning.size()) == 0) {
      return reinterpret_cast<void*>(all.base + each.st_value);
    }
  }
  return nullptr;
}

/// What CUDA's driver calls otherwise, and not only with another beginning.
constexpr struct {
  const char* cuda;
  const char* hip;
} driver_names[] = {{"cuMemAlloc", "hipMalloc"},
                    {"cuMemAllocManaged", "hipMallocManaged"},
                    {"cuMemAllocAsync", "hipMallocAsync"},
                    {"cuMemFree", "hipFree"},
                    {"cuMemFreeAsync", "hipFreeAsync"},
                    {"cuMemHostAlloc", "hipHostAlloc"},
                    {"cuMemFreeHost", "hipFreeHost"},
                    {"cuMemHostGetDevicePointer", "hipHostGetDevicePointer"},
                    {"cuDeviceGetCount", "hipGetDeviceCount"},
                    {"cuGetErrorName", "hipDrvGetErrorName"},
                    {"cuGetErrorString", "hipDrvGetErrorString"},
                    {"cuStreamCreate", "hipStreamCreateWithFlags"},
                    {"cuEventCreate", "hipEventCreateWithFlags"},
                    {"cuLaunchKernel", "hipModuleLaunchKernel"},
                    {"cuLaunchCooperativeKernel", "hipModuleLaunchCooperativeKernel"}};

/// The name here of what was asked for. An address is a number to CUDA's driver, and is passed as a pointer is.
std::string name_here(std::string name) {
  const auto drop_end = [&](const std::string& end) {
    if (name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0) {
      name.resize(name.size() - end.size());
    }
  };
  drop_end("R0600");  // what HIP 6 calls its own
  if (name.compare(0, 2, "cu") != 0) return name;
  drop_end("_v2");
  for (const auto& each : driver_names) {
    if (name == each.cuda) return each.hip;
  }
  return "hip" + name.substr(2);
}

hipError_t look_up(const char* symbol, void** function, unsigned long long flags, bool* is_found) {
  *is_found = false;
  if (symbol == nullptr || *symbol == '\0' || function == nullptr || flags > hipEnablePerThreadDefaultStream) {
    return hipErrorInvalidValue;
  }
  *function = find_function(name_here(symbol));
  *is_found = *function != nullptr;
  return *is_found ? hipSuccess
                   : refuse(hipErrorInvalidValue, nullptr, "the address of %s, which is no function,", symbol);
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipGetProcAddress(const char* symbol, void** function, int, std::uint64_t flags,
                             hipDriverProcAddressQueryResult* result) {
  bool is_found = false;
  const hipError_t code = simt::look_up(symbol, function, flags, &is_found);
  if (result != nullptr) *result = is_found ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return finish(code);
}

hipError_t hipGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                  hipDriverEntryPointQueryResult* result) {
  bool is_found = false;
  const hipError_t code = simt::look_up(symbol, function, flags, &is_found);
  if (result != nullptr) *result = is_found ? hipDriverEntryPointSuccess : hipDriverEntryPointSymbolNotFound;
  return finish(code);
}

}  // namespace hip_on_cpu
