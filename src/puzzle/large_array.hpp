// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that nobody sets before they are written: to set a gigabyte to zero takes one core as long as all of them
// take to compute it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace warpz {

class large_array {
 public:
  /// The elements are lost, or stay what they were.
  void resize(std::size_t size) {
    if (size > room_) {
      elements_.reset();
      elements_ = std::make_unique_for_overwrite<float[]>(size);
      room_ = size;
    }
    size_ = size;
  }

  std::span<float> all() { return {elements_.get(), size_}; }

 private:
  std::unique_ptr<float[]> elements_;
  std::size_t size_ = 0, room_ = 0;
};

}  // namespace warpz
