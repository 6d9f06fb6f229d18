// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a module for the CPU machine, as its device code lists them. The module's host code has none of them.
#pragma once

#include <cstddef>
#include <list>
#include <vector>

#include "abi/device_image.h"
#include "simt/hip/images.hpp"
#include "warpz/kernel.hpp"

namespace warpz {

class cpu_kernel {
 public:
  cpu_kernel(const warpz_kernel_code& code, const char* identity, const kernel_entry* next) {
    for (std::uint32_t i = 0; i < code.argument_count; ++i) {
      const warpz_kernel_argument& each = code.arguments[i];
      sizes_.push_back(each.bytes);
      elements_.push_back({each.element_bytes, each.is_float != 0});
    }
    entry_ = {identity, code.argument_count, sizes_.data(), elements_.data(), &code, nullptr, next};
  }
  cpu_kernel(const cpu_kernel&) = delete;
  cpu_kernel& operator=(const cpu_kernel&) = delete;

  const kernel_entry& entry() const { return entry_; }

 private:
  std::vector<std::size_t> sizes_;
  std::vector<kernel_element> elements_;
  kernel_entry entry_;
};

/// As warpz::kernel_list(). A kernel is there twice: by its symbol, which is unique, and by its name.
inline const kernel_entry* cpu_kernel_list() {
  static const std::list<cpu_kernel> kernels = [] {
    std::list<cpu_kernel> all;
    for (const warpz_device_image* const* each = __start_warpz_images; each != __stop_warpz_images; ++each) {
      simt::register_image(**each);
      for (std::uint32_t i = 0; i < (*each)->kernel_count; ++i) {
        const warpz_kernel_code& code = (*each)->kernels[i];
        for (const char* const identity : {code.symbol, code.name}) {
          all.emplace_back(code, identity, all.empty() ? nullptr : &all.back().entry());
        }
      }
    }
    return all;
  }();
  return kernels.empty() ? nullptr : &kernels.back().entry();
}

}  // namespace warpz
