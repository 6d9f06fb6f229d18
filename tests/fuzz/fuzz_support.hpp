// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the fuzz targets share: a property that does not hold ends the process, so that libFuzzer keeps the input; and
// bytes as a file and as a pipe.
#pragma once

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "text/printable.hpp"

namespace fuzz {

inline void require(bool holds, std::string_view property, std::string_view details = {}) {
  if (holds) return;
  fmt::print(stderr, "does not hold: {}\n{}\n", property, details);
  std::abort();
}

/// What `work` complains of; empty where it does not. Any other exception ends the process.
template <class Work>
std::optional<std::string> complaint(Work work) {
  try {
    work();
  } catch (const warpz::error& problem) {
    require(problem.code() == warpz::exit_code::bad_input, "bad input ends with its own exit code");
    const std::string told = std::string(problem.what()) + "\n" + problem.advice();
    require(told.size() > 1, "a complaint has words");
    for (const std::string_view text : {std::string_view(problem.what()), std::string_view(problem.advice())}) {
      constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
      require(warpz::printable(text, all) == text, "a complaint can be shown on a terminal", warpz::printable(text));
    }
    return told;
  }
  return {};
}

/// NaNs are equal whatever their sign and payload: a reader may give any.
inline bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

inline bool same(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

/// The bytes under a name that can be opened.
class readable {
 public:
  static readable file(std::string_view bytes) {
    const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    put(descriptor, bytes);
    return readable(descriptor);
  }
  /// Whose length nobody knows. At most 64 KiB, which a pipe holds without a reader.
  static readable pipe(std::string_view bytes) {
    int ends[2];
    require(::pipe(ends) == 0, "there are pipes");
    put(ends[1], bytes);
    close(ends[1]);
    return readable(ends[0]);
  }
  ~readable() { close(descriptor_); }
  readable(const readable&) = delete;
  readable& operator=(const readable&) = delete;

  std::string name() const { return "/dev/fd/" + std::to_string(descriptor_); }

 private:
  explicit readable(int descriptor) : descriptor_(descriptor) {}
  static void put(int descriptor, std::string_view bytes) {
    require(write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "bytes are written");
  }

  int descriptor_;
};

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace fuzz
