// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPUs that the CPU machine can pose as, by the names that compilers have for them. A name says it all: gfx90a is
// version 9.0, step a (10); sm_80 is 8.0.
#pragma once

#include <optional>
#include <string_view>

namespace warpz {

struct architecture {
  bool is_nvidia = false;
  unsigned major = 0;
  unsigned minor = 0;
  unsigned step = 0;
  unsigned lanes = 0;  ///< of AMD's, per warp
};

/// Nothing for what is no such name.
constexpr std::optional<architecture> architecture_of(std::string_view name) {
  constexpr std::string_view amd = "gfx", nvidia = "sm_";
  constexpr std::string_view digits = "0123456789abcdef";
  const bool is_nvidia = name.substr(0, nvidia.size()) == nvidia;
  if (!is_nvidia && name.substr(0, amd.size()) != amd) return std::nullopt;
  const std::string_view number = name.substr(amd.size());
  // Before the major version's last digit comes nothing or a 1.
  const std::size_t last = is_nvidia ? 1 : 2;
  if (number.size() <= last || number.size() > last + 2) return std::nullopt;
  for (const char each : number)
    if (digits.find(each) == digits.npos) return std::nullopt;
  const auto value = [&](std::size_t at) { return static_cast<unsigned>(digits.find(number[at])); };
  architecture result;
  result.is_nvidia = is_nvidia;
  for (std::size_t i = 0; i < number.size() - last; ++i) result.major = result.major * 10 + value(i);
  result.minor = value(number.size() - last);
  if (is_nvidia) return result;
  result.step = value(number.size() - 1);
  // Since gfx10 two waves of 32 lanes are the rule.
  result.lanes = result.major >= 10 ? 32 : 64;
  return result;
}

/// What the machine poses as where nobody has chosen.
constexpr std::string_view default_architecture(unsigned lanes) { return lanes == 64 ? "gfx90a" : "gfx1100"; }

}  // namespace warpz
