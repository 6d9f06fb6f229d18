// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as bytes, for another process of the same build.
//
// Numbers, enums and plain records are copied as they lie in memory. A struct with strings or the like has a function
// fields(archive, value) beside it, which hands its members to the archive.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "error.hpp"

namespace warpz {

template <class T>
concept has_fields = requires(T& value, int& archive) {
  fields(archive, value);
};

/// What can be copied byte by byte, and means the same in another process.
template <class T>
concept plain_bytes =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !has_fields<T> && !std::is_same_v<T, std::string_view>;

class byte_writer {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }

  std::string take() { return std::move(bytes_); }

 private:
  template <plain_bytes T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::uint64_t{values.size()});
    for (const T& each : values) put(each);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class A, class B>
  void put(const std::pair<A, B>& both) {
    (*this)(both.first, both.second);
  }
  template <has_fields T>
  void put(const T& value) {
    // The same function reads, so that it takes the value as one that can be changed.
    fields(*this, const_cast<T&>(value));
  }

  std::string bytes_;
};

/// Throws error(no_device) where the bytes end too soon.
class byte_reader {
 public:
  /// Keeps the view.
  explicit byte_reader(std::string_view bytes) : left_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }

  bool is_at_end() const { return left_.empty(); }

 private:
  std::string_view next(std::uint64_t size) {
    if (size > left_.size()) throw error(exit_code::no_device, "a message from another warpz is cut off");
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  std::uint64_t size() {
    std::uint64_t read = 0;
    get(read);
    return read;
  }

  template <plain_bytes T>
  void get(T& value) {
    std::memcpy(static_cast<void*>(&value), next(sizeof value).data(), sizeof value);
  }
  void get(std::string& text) { text = next(size()); }
  template <class T>
  void get(std::vector<T>& values) {
    values.clear();
    for (std::uint64_t left = size(); left > 0; --left) get(values.emplace_back());
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool is_there = false;
    get(is_there);
    value.reset();
    if (is_there) get(value.emplace());
  }
  template <class A, class B>
  void get(std::pair<A, B>& both) {
    (*this)(both.first, both.second);
  }
  template <has_fields T>
  void get(T& value) {
    fields(*this, value);
  }

  std::string_view left_;
};

template <class... T>
std::string bytes_of(const T&... values) {
  byte_writer writer;
  writer(values...);
  return writer.take();
}

template <class... T>
void read_bytes(std::string_view bytes, T&... values) {
  byte_reader reader(bytes);
  reader(values...);
}

}  // namespace warpz
