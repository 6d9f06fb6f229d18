// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a file or standard input from beginning to end, a piece at a time, in memory that does not grow with the file.
//
// Owns the descriptor and the errors of opening and reading, in the system's own words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

class byte_source {
 public:
  /// The most bytes that look() can be asked for.
  static constexpr std::size_t capacity = std::size_t{1} << 18;

  /// Opens the file; `-` is standard input. Throws an error (bad_input) if that fails.
  explicit byte_source(const std::string& file);
  ~byte_source();
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  /// The next bytes, which are not taken yet: at least `wanted` of them, unless the file ends before. Valid until the
  /// next call. Throws an error (bad_input) if reading fails.
  std::string_view look(std::size_t wanted);

  /// Takes bytes that look() showed.
  void skip(std::size_t count) { taken_ += count; }

  /// Bytes of a regular file that were not taken yet, by its length when it was opened.
  std::optional<std::uint64_t> bytes_left() const;

  /// For messages: 'data.txt' in quotes, or "standard input".
  const std::string& name() const { return name_; }

 private:
  int fd_;
  std::string name_;
  std::optional<std::uint64_t> file_bytes_;
  std::vector<char> buffer_;
  std::size_t taken_ = 0;      // bytes of the buffer that are used up
  std::size_t filled_ = 0;     // bytes of the buffer that are read
  std::uint64_t dropped_ = 0;  // bytes that were in the buffer before these
  bool ended_ = false;
};

}  // namespace warpz
