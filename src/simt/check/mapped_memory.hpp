// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reserved addresses (hipMemAddressReserve) as the checks see them: regions of what is mapped there, and of what cannot
// be accessed. Every reserved address is in one of them.
//
// What is noted of accesses belongs to addresses: memory that has been accessible before counts as written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "simt/check/shadow.hpp"
#include "simt/machine/observer.hpp"

namespace simt::check {

class mapped_memory {
 public:
  void create(const void* handle, std::size_t bytes);
  void release(const void* handle);
  void change(std::uintptr_t begin, std::size_t bytes, address_state state, bool is_unset);

  /// Calls use(region&, offset, bytes) for the parts of these bytes that lanes can access.
  template <class Use>
  void for_each_part(std::uintptr_t begin, std::size_t bytes, const Use& use) {
    const std::uintptr_t end = begin + bytes;
    for (auto at = first_behind(begin); at != regions_.end() && at->first < end; ++at) {
      region& part = *at->second;
      if (part.is_freed) continue;
      const std::uintptr_t from = std::max(begin, part.begin), to = std::min(end, part.begin + part.bytes);
      use(part, from - part.begin, to - from);
    }
  }

  /// Memory that has not gone.
  template <class Use>
  void for_each_unreleased(const Use& use) const {
    for (const auto& [handle, memory] : unreleased_) use(memory);
  }

 private:
  using by_address = std::map<std::uintptr_t, region*>;

  /// The first region that ends behind the address.
  by_address::iterator first_behind(std::uintptr_t address);
  region* add(region memory, const allocation_history& history);
  void drop(by_address::iterator gone);
  void keep_rest(const region& old, std::uintptr_t begin, std::uintptr_t end, const allocation_history& history);

  by_address regions_;
  std::map<const void*, region> unreleased_;
};

}  // namespace simt::check
