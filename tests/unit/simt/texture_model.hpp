// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of a texture in double precision, written from the formulas of NVIDIA's programming guide: the address modes
// by what they make of a coordinate, not of an index, and filters one direction after the other.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include <hip/hip_runtime.h>

namespace texture_model {

/// How one coordinate is read.
struct direction {
  int size;
  hipTextureAddressMode mode;
  bool is_normalized;
};

/// The texel at a whole index, which may be outside of the texture. `nothing`: the border.
constexpr int nothing = -1;

inline int texel_of(const direction& along, int index) {
  const double n = along.size;
  hipTextureAddressMode mode = along.mode;
  if (!along.is_normalized && mode != hipAddressModeBorder) mode = hipAddressModeClamp;
  // The middle of the texel, from 0 to 1 within the texture.
  double middle = (index + 0.5) / n;
  if (mode == hipAddressModeBorder) return middle < 0 || middle > 1 ? nothing : index;
  if (mode == hipAddressModeClamp) middle = std::fmin(std::fmax(middle, 0.5 / n), 1 - 0.5 / n);
  if (mode == hipAddressModeWrap) middle = middle - std::floor(middle);
  if (mode == hipAddressModeMirror) {
    const double whole = std::floor(middle);
    middle = std::fmod(whole, 2) == 0 ? middle - whole : 1 - (middle - whole);
  }
  return static_cast<int>(std::floor(middle * n));
}

/// What a texture of these directions gives. `read` has the value of a texel; `border` is beside the texture.
struct texture_values {
  std::vector<direction> directions;
  std::function<double(const std::vector<int>&)> read;
  double border;

  double at(std::vector<int> texel) const {
    for (std::size_t d = 0; d < directions.size(); ++d) {
      texel[d] = texel_of(directions[d], texel[d]);
      if (texel[d] == nothing) return border;
    }
    return read(texel);
  }

  double scaled(std::size_t d, double coordinate) const {
    return directions[d].is_normalized ? coordinate * directions[d].size : coordinate;
  }

  double point(const std::vector<double>& coordinates) const {
    std::vector<int> texel;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      texel.push_back(static_cast<int>(std::floor(scaled(d, coordinates[d]))));
    }
    return at(texel);
  }

  /// The weights have 8 bits behind the point.
  double linear(const std::vector<double>& coordinates) const { return linear_from(coordinates, {}); }

 private:
  double linear_from(const std::vector<double>& coordinates, std::vector<int> texel) const {
    const std::size_t d = texel.size();
    if (d == directions.size()) return at(texel);
    const double place = std::round((scaled(d, coordinates[d]) - 0.5) * 256) / 256;
    const double below = std::floor(place);
    texel.push_back(static_cast<int>(below));
    const double first = linear_from(coordinates, texel);
    texel.back() += 1;
    const double second = linear_from(coordinates, texel);
    return first + (place - below) * (second - first);
  }
};

}  // namespace texture_model
