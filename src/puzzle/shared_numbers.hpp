// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of a run, which may be gigabytes: they are not copied, and nobody sets them before they are computed. To
// set a gigabyte to zero takes one core as long as all of them take to compute it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "system/pages.hpp"

namespace warpz {

/// Numbers that live as long as a copy of this.
class shared_numbers {
 public:
  shared_numbers() = default;
  /// `owner` holds them.
  shared_numbers(std::shared_ptr<const void> owner, std::span<const float> all) : owner_(std::move(owner)), all_(all) {}
  explicit shared_numbers(std::vector<float> numbers) {
    const auto owner = std::make_shared<const std::vector<float>>(std::move(numbers));
    *this = {owner, *owner};
  }

  std::span<const float> all() const { return all_; }
  shared_numbers first(std::size_t count) const { return {owner_, all_.first(count)}; }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  float operator[](std::size_t index) const { return all_[index]; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const float> all_;
};

/// Numbers that are being computed.
class large_array {
 public:
  explicit large_array(std::size_t size) : elements_(std::make_shared_for_overwrite<float[]>(size)), size_(size) {
    os::use_huge_pages(elements_.get(), size * sizeof(float));
  }

  std::span<float> all() { return {elements_.get(), size_}; }
  /// From now on they stay as they are.
  shared_numbers shared() const { return {elements_, {elements_.get(), size_}}; }

 private:
  std::shared_ptr<float[]> elements_;
  std::size_t size_;
};

}  // namespace warpz
