// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled code, kept for the next run: kernels, programs, and precompiled headers. A record is one file. It is valid
// as long as its key and all the files that the compiler read are the same.
//
// A cache that cannot be read or written is an empty one: it never stops anybody's work. What lies there
// is executed: a folder that others could write to or exchange is not used, and neither is a file that is not this
// user's own. Only files with names that the cache gives are removed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "process/kernel_name.hpp"
#include "system/descriptor.hpp"

namespace warpz {

/// A file that the compiler read, as it was then.
struct input_file {
  std::string path;
  std::string fingerprint;  ///< made of its bytes; empty where it could not be read
  bool operator==(const input_file&) const = default;
};

struct compiled_code {
  std::string module;                ///< the bytes of a kernel module, a program or a precompiled header
  std::vector<kernel_name> kernels;  ///< each puzzle's kernel in the module
  /// The largest block, in threads, that each of these kernels allows by __launch_bounds__; 0: any.
  std::vector<unsigned> launch_bounds;
  std::string messages;  ///< the compiler's warnings, with colors
  std::vector<input_file> inputs;
  bool operator==(const compiled_code&) const = default;
};

/// A short text that differs where the bytes do.
std::string fingerprint(std::string_view bytes);

/// The fingerprint of a file's bytes; empty where it cannot be read.
std::string fingerprint_of_file(const std::string& path);

/// The bytes of a record, and the code in a record with this key: nothing where it is damaged or has another key.
std::string cache_record(std::string_view key, const compiled_code& code);
std::optional<compiled_code> read_cache_record(std::string_view record, std::string_view key);

/// While it lives, other processes that want to make the same code wait.
struct cache_turn {
  os::descriptor lock;
  bool has_waited = false;  ///< another process may have made it
};

class kernel_cache {
 public:
  /// The most bytes of records that stay after another one is kept.
  static constexpr std::uint64_t default_limit = std::uint64_t{64} << 20;

  /// The folder is created when the first record is kept. An empty name keeps nothing.
  explicit kernel_cache(std::string folder, std::uint64_t limit = default_limit)
      : folder_(std::move(folder)), limit_(limit) {}

  /// The code kept under this key, if the compiler's inputs are unchanged.
  std::optional<compiled_code> find(std::string_view key) const;
  /// Writes that code's module to a file. Where there is none, the result is false, whatever is in the file.
  bool copy_module(std::string_view key, const std::string& path) const;

  /// For who has not found the code under this key and is to make it. Many ranks on one machine would all compile it.
  /// Waits no longer than a few seconds, as the process whose turn it is may have been stopped.
  cache_turn wait_for_turn(std::string_view key) const;

  /// Adds or replaces a record, whole or not at all, then removes the least recently used ones.
  void keep(std::string_view key, const compiled_code& code) const;

 private:
  static std::string name_of(std::string_view key);
  os::descriptor open_record(std::string_view key) const;
  void remove_oldest(const os::descriptor& folder) const;

  std::string folder_;
  std::uint64_t limit_;
};

/// $XDG_CACHE_HOME/warpz/kernels, else ~/.cache/warpz/kernels; empty where neither is known.
std::string default_cache_folder();

}  // namespace warpz
