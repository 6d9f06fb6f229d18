// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads textures for kernels, by the formulas of NVIDIA's programming guide ("Texture Fetching"), which AMD's GPUs
// follow: a linear filter weighs elements by multiples of 1/256.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "simt/hip/image_objects.hpp"
#include "simt/instrumented.hpp"
#include "simt/textures.hpp"

namespace simt {
namespace {

constexpr unsigned max_components = 4;
constexpr long outside = -1;

unsigned bits_of(float value) {
  unsigned bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(unsigned bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float half_value(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const float fraction = static_cast<float>(bits & 1023);
  float magnitude = std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 0) magnitude = std::ldexp(fraction, -24);
  if (exponent == 31) magnitude = fraction == 0 ? HUGE_VALF : NAN;
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

float linear_of_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : static_cast<float>(std::pow((value + 0.055) / 1.055, 2.4));
}

/// One way through a texture: the coordinate of a fetch, and the elements that it means.
class axis {
 public:
  axis(const image_object& object, unsigned dimension, std::size_t size, float coordinate)
      : size_(static_cast<long>(size)), mode_(object.sampling.addressMode[dimension]) {
    const bool is_normalized = object.sampling.normalizedCoords != 0;
    // Without normalized coordinates the other two are not defined.
    if (!is_normalized && mode_ != hipAddressModeBorder) mode_ = hipAddressModeClamp;
    if (is_normalized) {
      // Exact, other than the rest of the product would be.
      if (mode_ == hipAddressModeWrap) coordinate -= std::floor(coordinate);
      if (mode_ == hipAddressModeMirror) coordinate -= 2 * std::floor(coordinate / 2);
      coordinate *= static_cast<float>(size);
    }
    constexpr float far = 1 << 30;
    coordinate_ = std::isnan(coordinate) ? 0 : std::clamp(coordinate, -far, far);
  }

  long nearest() const { return index(std::floor(coordinate_)); }

  /// The lower of the two elements between which the coordinate is, before the address mode, and the other's weight.
  struct footprint {
    double lower;
    double weight;
  };
  footprint between() const {
    constexpr double steps = 256;
    const double from_centre = std::floor((coordinate_ - 0.5) * steps + 0.5) / steps;
    const double lower = std::floor(from_centre);
    return {lower, from_centre - lower};
  }

  /// The index that the address mode makes of this one, or `outside`.
  long index(double whole) const {
    const long at = static_cast<long>(whole);
    const long period = mode_ == hipAddressModeMirror ? 2 * size_ : size_;
    const long rest = (at % period + period) % period;
    switch (mode_) {
      case hipAddressModeWrap:
        return rest;
      case hipAddressModeMirror:
        return rest < size_ ? rest : period - 1 - rest;
      case hipAddressModeBorder:
        return at >= 0 && at < size_ ? at : outside;
      default:
        return std::clamp(at, 0L, size_ - 1);
    }
  }

 private:
  long size_;
  hipTextureAddressMode mode_;
  double coordinate_;
};

/// Reads elements of a texture for the code at this address.
class reader {
 public:
  reader(const void* texture, const void* code) : object_(*static_cast<const image_object*>(texture)), code_(code) {
    note_element(texture, sizeof(void*), false, code);
  }

  const image_object& object() const { return object_; }

  texel element(long x, long y, long z) const {
    if (x == outside || y == outside || z == outside) return border();
    const char* const from =
        object_.element(static_cast<std::size_t>(x), static_cast<std::size_t>(y), static_cast<std::size_t>(z));
    note_element(from, object_.format.bytes(), false, code_);
    texel value{{0, 0, 0, object_.gives_floats() ? bits_of(1) : 1}};
    for (unsigned i = 0; i < object_.format.components; ++i) {
      value.words[i] = component(from + std::size_t{i} * object_.format.component_bytes, i);
    }
    return value;
  }

  /// By the filter of the texture. Axes that do not count have one element.
  texel sample(const axis& x, const axis& y, const axis& z, long slice, unsigned dimensions) const {
    const auto at = [&](long i, long j, long k) { return element(i, j, dimensions == 3 ? k : slice); };
    if (object_.sampling.filterMode == hipFilterModePoint || !object_.gives_floats()) {
      return at(x.nearest(), dimensions > 1 ? y.nearest() : 0, dimensions > 2 ? z.nearest() : 0);
    }
    const axis* const axes[] = {&x, &y, &z};
    double sums[max_components] = {};
    for (unsigned corner = 0; corner < 1U << dimensions; ++corner) {
      long index[] = {0, 0, 0};
      double weight = 1;
      for (unsigned d = 0; d < dimensions; ++d) {
        const axis::footprint place = axes[d]->between();
        const bool is_upper = (corner >> d & 1) != 0;
        index[d] = axes[d]->index(place.lower + (is_upper ? 1 : 0));
        weight *= is_upper ? place.weight : 1 - place.weight;
      }
      // What does not count must not turn the sum into a NaN.
      if (weight == 0) continue;
      const texel value = at(index[0], index[1], index[2]);
      for (unsigned i = 0; i < max_components; ++i) sums[i] += weight * static_cast<double>(float_of(value.words[i]));
    }
    texel filtered{};
    for (unsigned i = 0; i < max_components; ++i) filtered.words[i] = bits_of(static_cast<float>(sums[i]));
    return filtered;
  }

 private:
  texel border() const {
    texel value{};
    for (unsigned i = 0; i < max_components; ++i) {
      const float color = object_.sampling.borderColor[i];
      value.words[i] = object_.gives_floats() ? bits_of(color) : static_cast<unsigned>(static_cast<long>(color));
    }
    return value;
  }

  unsigned component(const char* from, unsigned number) const {
    const element_format& format = object_.format;
    unsigned bits = 0;
    std::memcpy(&bits, from, format.component_bytes);
    if (format.kind == hipChannelFormatKindFloat) return format.component_bytes == 2 ? bits_of(half_value(bits)) : bits;
    const unsigned unused = 32 - 8 * format.component_bytes;
    const bool is_signed = format.kind == hipChannelFormatKindSigned;
    if (is_signed) bits = static_cast<unsigned>(static_cast<int>(bits << unused) >> unused);
    if (!object_.is_normalized()) return bits;
    const unsigned largest = ~0U >> (unused + (is_signed ? 1 : 0));
    float value = is_signed ? static_cast<float>(static_cast<int>(bits)) : static_cast<float>(bits);
    // Of two's complement the least value and the next one both mean -1.
    value = std::max(value / static_cast<float>(largest), -1.0F);
    const bool is_color = object_.sampling.sRGB != 0 && number < 3 && !is_signed && format.component_bytes == 1;
    return bits_of(is_color ? linear_of_srgb(value) : value);
  }

  const image_object& object_;
  const void* code_;
};

long layer_of(const image_object& object, long layer) {
  return std::clamp(layer, 0L, static_cast<long>(object.depth) - 1);
}

/// Where a direction leaves the cube: the face, and a place on it from 0 to 1.
struct place_on_cube {
  int face;
  float s, t;
};

place_on_cube leave_cube(float x, float y, float z) {
  const float along_x = std::fabs(x), along_y = std::fabs(y), along_z = std::fabs(z);
  int face = z >= 0 ? 4 : 5;
  float length = along_z, s = z >= 0 ? x : -x, t = -y;
  if (along_x > along_y && along_x > along_z) {
    face = x >= 0 ? 0 : 1;
    length = along_x;
    s = x >= 0 ? -z : z;
  } else if (along_y >= along_x && along_y > along_z) {
    face = y >= 0 ? 2 : 3;
    length = along_y;
    s = x;
    t = y >= 0 ? z : -z;
  }
  return {face, (s / length + 1) / 2, (t / length + 1) / 2};
}

}  // namespace

texel fetch_texel(const void* texture, int index) {
  const reader from(texture, __builtin_return_address(0));
  if (index < 0 || static_cast<std::size_t>(index) >= from.object().width) return {};
  return from.element(index, 0, 0);
}

texel sample_texture(const void* texture, unsigned dimensions, float x, float y, float z, int layer) {
  const reader from(texture, __builtin_return_address(0));
  const image_object& object = from.object();
  return from.sample({object, 0, object.width, x}, {object, 1, object.height, y}, {object, 2, object.depth, z},
                     layer_of(object, layer), dimensions);
}

texel sample_cubemap(const void* texture, float x, float y, float z, int layer) {
  const reader from(texture, __builtin_return_address(0));
  // On a face, whose edge counts for what is beyond it.
  image_object face = from.object();
  face.sampling.normalizedCoords = 1;
  std::fill_n(face.sampling.addressMode, 3, hipAddressModeClamp);
  const place_on_cube at = leave_cube(x, y, z);
  return from.sample({face, 0, face.width, at.s}, {face, 1, face.height, at.t}, {face, 2, face.depth, 0},
                     layer_of(face, 6L * layer + at.face), 2);
}

texel gather_texels(const void* texture, float x, float y, unsigned component) {
  const reader from(texture, __builtin_return_address(0));
  const image_object& object = from.object();
  const axis along_x(object, 0, object.width, x), along_y(object, 1, object.height, y);
  const double left = along_x.between().lower, upper = along_y.between().lower;
  const auto at = [&](double i, double j) {
    return from.element(along_x.index(i), along_y.index(j), 0).words[component % max_components];
  };
  return {{at(left, upper + 1), at(left + 1, upper + 1), at(left + 1, upper), at(left, upper)}};
}

}  // namespace simt
