// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/virtual_memory.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "simt/hip/allocations.hpp"
#include "simt/hip/errors.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/observer.hpp"

namespace simt {
namespace {

constexpr int nothing_there = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

char* reserve_at(char* wanted, std::size_t bytes) {
  void* const found =
      mmap(wanted, bytes, PROT_NONE, nothing_there | (wanted != nullptr ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (found == MAP_FAILED) return nullptr;
  // Kernels before 4.17 take it for a hint.
  if (wanted == nullptr || found == wanted) return static_cast<char*>(found);
  munmap(found, bytes);
  return nullptr;
}

bool is_multiple(std::size_t number) { return number % address_granularity() == 0; }

void tell(char* begin, std::size_t bytes, address_state state, bool is_unset = false) {
  if (memory_observer* const observer = host_memory_observer())
    observer->change_addresses(begin, bytes, state, is_unset);
}

int protection_of(hipMemAccessFlags access) {
  if (access == hipMemAccessFlagsProtNone) return PROT_NONE;
  return access == hipMemAccessFlagsProtRead ? PROT_READ : PROT_READ | PROT_WRITE;
}

address_state state_of(hipMemAccessFlags access) {
  if (access == hipMemAccessFlagsProtNone) return address_state::mapped;
  return access == hipMemAccessFlagsProtRead ? address_state::readable : address_state::writable;
}

bool is_access(const hipMemAccessDesc& asked) {
  return asked.location.type == hipMemLocationTypeDevice && is_device(asked.location.id) &&
         (asked.flags == hipMemAccessFlagsProtNone || asked.flags == hipMemAccessFlagsProtRead ||
          asked.flags == hipMemAccessFlagsProtReadWrite);
}

}  // namespace

std::size_t address_granularity() {
  constexpr std::size_t of_amd = 4096, of_nvidia = std::size_t{2} << 20;
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::max(page, current_settings().rules == WARPZ_RULES_NVIDIA ? of_nvidia : of_amd);
}

virtual_memory& virtual_memory::instance() {
  // Never destroyed: a static object of the user program may give its memory back after that.
  static auto* const only = new virtual_memory;
  return *only;
}

hipMemAccessFlags virtual_memory::mapping::access() const {
  return *std::max_element(std::begin(accesses), std::end(accesses));
}

hipError_t virtual_memory::reserve(void** pointer, std::size_t bytes, std::size_t alignment, void* wanted) {
  if (bytes == 0 || !is_multiple(bytes) || (alignment & (alignment - 1)) != 0) return hipErrorInvalidValue;
  const std::size_t guard = host_memory_observer() != nullptr ? reserved_guard : 0;
  alignment = std::max(alignment, address_granularity());
  std::size_t room = 0;
  if (__builtin_add_overflow(bytes, 2 * guard + alignment, &room)) return hipErrorOutOfMemory;
  const std::lock_guard<std::mutex> lock(mutex_);
  char* begin = static_cast<char*>(wanted);
  char* around = nullptr;
  if (wanted != nullptr && reinterpret_cast<std::uintptr_t>(wanted) % alignment == 0) {
    room = bytes + 2 * guard;
    around = reserve_at(begin - guard, room);
  }
  if (around == nullptr) {
    room = bytes + 2 * guard + alignment;
    around = reserve_at(nullptr, room);
    if (around == nullptr) return hipErrorOutOfMemory;
    const auto first = reinterpret_cast<std::uintptr_t>(around) + guard;
    begin = around + guard + (alignment - first % alignment) % alignment;
  }
  reservations_[begin] = {bytes, around, room};
  tell(begin, bytes, address_state::reserved);
  *pointer = begin;
  return hipSuccess;
}

hipError_t virtual_memory::give_back(void* pointer, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  char* const begin = static_cast<char*>(pointer);
  const auto found = reservations_.find(begin);
  if (found == reservations_.end() || found->second.bytes != bytes) {
    return refuse(hipErrorInvalidValue, nullptr, "a release of addresses that are not reserved so");
  }
  if (is_mapped(begin, bytes))
    return refuse(hipErrorInvalidValue, pointer, "a release of addresses where memory is mapped");
  tell(begin, bytes, address_state::given_back);
  munmap(found->second.mapped_begin, found->second.mapped_bytes);
  reservations_.erase(found);
  return hipSuccess;
}

hipError_t virtual_memory::create(hipMemGenericAllocationHandle_t* handle, std::size_t bytes,
                                  const hipMemAllocationProp& properties) {
  if (bytes == 0 || !is_multiple(bytes)) return hipErrorInvalidValue;
  os::descriptor file(memfd_create("hip-memory", MFD_CLOEXEC));
  if (!allocations::instance().grant(bytes)) {
    return refuse(hipErrorOutOfMemory, nullptr, "an allocation of %zu bytes", bytes);
  }
  if (!file || ftruncate(file.number(), static_cast<off_t>(bytes)) != 0) {
    allocations::instance().give_back(bytes);
    return hipErrorOutOfMemory;
  }
  auto made = std::make_unique<ihipMemGenericAllocationHandle>();
  made->file = std::move(file);
  made->bytes = bytes;
  made->properties = properties;
  *handle = made.get();
  const std::lock_guard<std::mutex> lock(mutex_);
  memories_.emplace(*handle, std::move(made));
  if (memory_observer* const observer = host_memory_observer()) observer->create_memory(*handle, bytes);
  return hipSuccess;
}

hipError_t virtual_memory::release(hipMemGenericAllocationHandle_t handle) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_handle(handle)) return hipErrorInvalidValue;
  --handle->references;
  drop_unused(handle);
  return hipSuccess;
}

hipError_t virtual_memory::retain(hipMemGenericAllocationHandle_t* handle, const void* address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const mapping* const found = mapping_at(address);
  if (found == nullptr) return hipErrorInvalidValue;
  ++found->memory->references;
  *handle = found->memory;
  return hipSuccess;
}

hipError_t virtual_memory::retain(hipMemGenericAllocationHandle_t* handle, int file) {
  struct stat asked {};
  if (fstat(file, &asked) != 0) return hipErrorInvalidValue;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [memory, owned] : memories_) {
    struct stat own {};
    if (fstat(memory->file.number(), &own) != 0 || own.st_ino != asked.st_ino || own.st_dev != asked.st_dev) continue;
    ++memory->references;
    *handle = memory;
    return hipSuccess;
  }
  return hipErrorInvalidValue;
}

hipError_t virtual_memory::map(void* pointer, std::size_t bytes, hipMemGenericAllocationHandle_t handle) {
  const std::lock_guard<std::mutex> lock(mutex_);
  char* const begin = static_cast<char*>(pointer);
  if (!is_handle(handle) || bytes == 0 || !is_multiple(bytes) ||
      !is_multiple(reinterpret_cast<std::uintptr_t>(begin))) {
    return hipErrorInvalidValue;
  }
  if (bytes > handle->bytes) {
    return refuse(hipErrorInvalidValue, nullptr, "a mapping of %zu bytes of memory that has %zu", bytes, handle->bytes);
  }
  if (!is_reserved(begin, bytes)) {
    return refuse(hipErrorInvalidValue, nullptr, "a mapping of %zu bytes at addresses that are not reserved", bytes);
  }
  if (is_mapped(begin, bytes)) {
    return refuse(hipErrorInvalidValue, pointer, "a mapping of %zu bytes where memory is mapped already", bytes);
  }
  if (mmap(begin, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, handle->file.number(), 0) == MAP_FAILED) {
    return hipErrorOutOfMemory;
  }
  ++handle->mappings;
  mappings_[begin] = {begin, bytes, handle};
  tell(begin, bytes, address_state::mapped);
  return hipSuccess;
}

hipError_t virtual_memory::unmap(void* pointer, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::vector<mapping*> all = mappings_in(static_cast<char*>(pointer), bytes);
  if (all.empty()) {
    return refuse(hipErrorInvalidValue, nullptr, "an unmapping of %zu bytes that are not all that is mapped there",
                  bytes);
  }
  for (const mapping* const each : all) {
    char* const begin = each->begin;
    const hipMemGenericAllocationHandle_t memory = each->memory;
    allocations::instance().forget_mapped(begin);
    tell(begin, each->bytes, address_state::unmapped);
    mmap(begin, each->bytes, PROT_NONE, nothing_there | MAP_FIXED, -1, 0);
    mappings_.erase(begin);
    --memory->mappings;
    drop_unused(memory);
  }
  return hipSuccess;
}

hipError_t virtual_memory::set_access(void* pointer, std::size_t bytes, const hipMemAccessDesc* accesses,
                                      std::size_t count) {
  if (!std::all_of(accesses, accesses + count, is_access)) return hipErrorInvalidValue;
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::vector<mapping*> all = mappings_in(static_cast<char*>(pointer), bytes);
  if (all.empty()) {
    return refuse(hipErrorInvalidValue, nullptr, "access to %zu bytes that are not all that is mapped there", bytes);
  }
  for (mapping* const each : all) {
    const hipMemAccessFlags before = each->access();
    for (std::size_t i = 0; i < count; ++i) each->accesses[accesses[i].location.id] = accesses[i].flags;
    if (each->access() != before) make_accessible(*each);
  }
  return hipSuccess;
}

hipError_t virtual_memory::access(const void* address, int device, hipMemAccessFlags* flags) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const mapping* const found = mapping_at(address);
  if (found == nullptr) return hipErrorInvalidValue;
  *flags = found->accesses[device];
  return hipSuccess;
}

/// As its accesses say.
void virtual_memory::make_accessible(mapping& changed) {
  const hipMemAccessFlags access = changed.access();
  mprotect(changed.begin, changed.bytes, protection_of(access));
  ihipMemGenericAllocationHandle& memory = *changed.memory;
  if (access == hipMemAccessFlagsProtNone) {
    allocations::instance().forget_mapped(changed.begin);
  } else {
    allocations::instance().note_mapped(changed.begin, changed.bytes, memory.properties.location.id,
                                        access == hipMemAccessFlagsProtRead);
  }
  tell(changed.begin, changed.bytes, state_of(access), memory.is_unset && memory.mappings == 1);
  if (access == hipMemAccessFlagsProtNone) return;
  memory.is_unset = false;
  // What is written at one address can be read at the others.
  for (const auto& [begin, each] : mappings_) {
    if (each.memory != changed.memory || begin == changed.begin || each.access() == hipMemAccessFlagsProtNone) continue;
    if (memory_observer* const observer = host_memory_observer()) observer->write_from_host(begin, each.bytes);
  }
}

bool virtual_memory::is_handle(hipMemGenericAllocationHandle_t handle) const {
  const auto found = memories_.find(handle);
  return found != memories_.end() && found->second->references != 0;
}

bool virtual_memory::is_reserved(const char* begin, std::size_t bytes) const {
  const auto after = reservations_.upper_bound(const_cast<char*>(begin));
  if (after == reservations_.begin()) return false;
  const auto& [first, reserved] = *std::prev(after);
  const auto offset = static_cast<std::size_t>(begin - first);
  return offset < reserved.bytes && bytes <= reserved.bytes - offset;
}

bool virtual_memory::is_mapped(const char* begin, std::size_t bytes) const {
  const auto after = mappings_.lower_bound(const_cast<char*>(begin));
  if (after != mappings_.end() && after->first < begin + bytes) return true;
  if (after == mappings_.begin()) return false;
  const mapping& before = std::prev(after)->second;
  return before.begin + before.bytes > begin;
}

virtual_memory::mapping* virtual_memory::mapping_at(const void* address) {
  const auto after = mappings_.upper_bound(static_cast<char*>(const_cast<void*>(address)));
  if (after == mappings_.begin()) return nullptr;
  mapping& before = std::prev(after)->second;
  return static_cast<const char*>(address) < before.begin + before.bytes ? &before : nullptr;
}

/// The mappings that make up these bytes; none where they are not all mapped, or a part of a mapping.
std::vector<virtual_memory::mapping*> virtual_memory::mappings_in(char* begin, std::size_t bytes) {
  std::vector<mapping*> all;
  std::size_t covered = 0;
  for (auto at = mappings_.find(begin); at != mappings_.end() && covered < bytes; ++at) {
    if (at->first != begin + covered) return {};
    covered += at->second.bytes;
    all.push_back(&at->second);
  }
  if (covered != bytes) all.clear();
  return all;
}

/// Frees the memory if nothing holds it any more.
void virtual_memory::drop_unused(hipMemGenericAllocationHandle_t handle) {
  if (handle->references != 0 || handle->mappings != 0) return;
  if (memory_observer* const observer = host_memory_observer()) observer->release_memory(handle);
  allocations::instance().give_back(handle->bytes);
  memories_.erase(handle);
}

}  // namespace simt
