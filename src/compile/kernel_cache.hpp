// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels, kept for the next run. An entry is one file; it is valid while its key is the same and all the
// files that the compiler read are.
//
// A cache that cannot be read or written is an empty one: it never stops anybody's work. A folder that somebody else
// could write to is not used, because what is found there is executed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// A file that the compiler read, and what was in it.
struct used_file {
  std::string path;
  std::string content;  ///< its fingerprint
  bool operator==(const used_file&) const = default;
};

struct compiled_kernels {
  std::string module;                ///< the bytes of a kernel module
  std::vector<std::string> runs_as;  ///< the name of each puzzle's kernel in it
  std::string messages;              ///< the compiler's warnings, with colors
  std::vector<used_file> used;
  bool operator==(const compiled_kernels&) const = default;
};

/// A short text that differs where the bytes do.
std::string fingerprint(std::string_view bytes);

/// Of a file; empty where it cannot be read.
std::string fingerprint_of_file(const std::string& path);

class kernel_cache {
 public:
  /// So many bytes of entries stay after one more is kept.
  static constexpr std::uint64_t default_limit = std::uint64_t{64} << 20;

  /// The folder is made when it is first written to. Empty: nothing is kept.
  explicit kernel_cache(std::string folder, std::uint64_t limit = default_limit)
      : folder_(std::move(folder)), limit_(limit) {}

  /// What was kept under the same key, if the files it was made of are unchanged.
  std::optional<compiled_kernels> find(std::string_view key) const;

  /// Adds or replaces an entry, whole or not at all, and removes the entries that were not used for longest.
  void keep(std::string_view key, const compiled_kernels& made) const;

 private:
  std::string file_of(std::string_view key) const;
  bool is_private() const;
  void remove_oldest() const;

  std::string folder_;
  std::uint64_t limit_;
};

/// $XDG_CACHE_HOME/warpz/kernels, else ~/.cache/warpz/kernels; empty where neither is known.
std::string default_cache_folder();

}  // namespace warpz
