// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>

namespace os {

/// What is in a file, of which only those pages are read that are looked at. For files that nobody changes in place.
class file_view {
 public:
  /// Of a file that cannot be read it shows nothing.
  explicit file_view(const char* path);
  ~file_view();
  file_view(const file_view&) = delete;
  file_view& operator=(const file_view&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(begin_), size_}; }

 private:
  void* begin_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace os
