// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "error.hpp"
#include "input/input.hpp"
#include "input/npy_header.hpp"
#include "input/size_limit.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

// NumPy refuses longer headers, too. A one-dimensional array's header has 128 bytes.
constexpr std::size_t max_header = 65535;
constexpr std::size_t read_at_once = std::size_t{1} << 16;

struct element_type {
  std::size_t bytes;
  bool swapped;
};

[[noreturn]] void refuse(const byte_source& source, const std::string& problem, std::string advice = {}) {
  throw error(exit_code::bad_input, fmt::format("{} {}", source.name(), problem), std::move(advice));
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::string_view take(byte_source& source, std::size_t count, std::string_view part) {
  const std::string_view bytes = source.look(count);
  if (bytes.size() < count) refuse(source, fmt::format("is a truncated .npy file: it ends within its {}", part));
  source.skip(count);
  return bytes.substr(0, count);
}

npy_header take_header(byte_source& source) {
  const std::string_view magic = source.look(npy_magic.size());
  if (!npy_magic.starts_with(magic.substr(0, npy_magic.size())))
    refuse(source, "begins almost like a .npy file, but not with \\x93NUMPY");
  take(source, npy_magic.size(), "magic bytes");
  const std::string_view version = take(source, 2, "version");
  const unsigned major = static_cast<unsigned char>(version[0]);
  if (major < 1 || major > 3)
    refuse(source, fmt::format("is of .npy version {}.{}: 1, 2 and 3 are known", major,
                               static_cast<unsigned>(static_cast<unsigned char>(version[1]))));
  const std::uint32_t length = little_endian(take(source, major == 1 ? 2 : 4, "header's length"));
  if (length > max_header)
    refuse(source, fmt::format("claims a .npy header of {} bytes: at most {} are read", length, max_header));
  return parse_npy_header(take(source, length, "header"), source.name());
}

element_type type_of(const npy_header& header, const byte_source& source) {
  const std::string_view descr = header.descr;
  constexpr char own = std::endian::native == std::endian::little ? '<' : '>';
  if (descr.size() == 3 && descr[1] == 'f' && (descr[2] == '4' || descr[2] == '8') &&
      (descr[0] == '<' || descr[0] == '>' || descr[0] == '='))
    return {descr[2] == '4' ? sizeof(float) : sizeof(double), descr[0] != '=' && descr[0] != own};
  refuse(source,
         fmt::format("holds elements of type '{}': only float32 (f4) and float64 (f8) are read",
                     printable(descr, max_shown)),
         "In NumPy: numpy.save(file, array.astype('float32')).");
}

std::uint64_t length_of(const npy_header& header, const byte_source& source) {
  if (header.shape.size() == 1) return header.shape[0];
  refuse(source,
         header.shape.empty()
             ? "holds a single number (a 0-dimensional array): only 1-dimensional arrays are read"
             : fmt::format("holds a {}-dimensional array: only 1-dimensional arrays are read", header.shape.size()),
         "In NumPy: numpy.save(file, array.ravel()).");
}

template <class Wide, class Bits>
Wide load(const char* from, bool swapped) {
  char bytes[sizeof(Bits)];
  std::memcpy(bytes, from, sizeof bytes);
  if (swapped) std::reverse(bytes, bytes + sizeof bytes);
  return std::bit_cast<Wide>(std::bit_cast<Bits>(bytes));
}

float narrow(double value, std::size_t index, const byte_source& source) {
  const float narrowed = static_cast<float>(value);
  if (std::isinf(narrowed) && !std::isinf(value))
    refuse(source, fmt::format("has an element that is larger than a float holds ({}): {} at index {}", largest_float,
                               value, index));
  return narrowed;
}

}  // namespace

std::vector<float> read_npy(byte_source& source, std::optional<std::size_t> first) {
  const npy_header header = take_header(source);
  const element_type type = type_of(header, source);
  const std::uint64_t length = length_of(header, source);
  const auto left = source.bytes_left();
  if (left && (length > *left / type.bytes || *left != length * type.bytes))
    refuse(source, fmt::format("is {}: its shape says {} elements of {} bytes, and {} bytes follow the header",
                               length > *left / type.bytes ? "a truncated .npy file" : "longer than it says", length,
                               type.bytes, *left));
  const std::uint64_t wanted = first ? std::min<std::uint64_t>(*first, length) : length;
  check_elements(wanted, source.name(), bytes_per_given_element);

  std::vector<float> numbers;
  // A pipe's length is only known from the header, which may be wrong.
  if (left) numbers.reserve(wanted);
  while (numbers.size() < wanted) {
    const std::size_t count = std::min<std::size_t>(wanted - numbers.size(), read_at_once / type.bytes);
    const std::string_view bytes = source.look(count * type.bytes);
    if (bytes.size() < count * type.bytes)
      refuse(source, fmt::format("is a truncated .npy file: its shape says {} elements, and it ends after {}", length,
                                 numbers.size() + bytes.size() / type.bytes));
    for (std::size_t i = 0; i < count; ++i) {
      const char* const at = bytes.data() + i * type.bytes;
      if (type.bytes == sizeof(float))
        numbers.push_back(load<float, std::uint32_t>(at, type.swapped));
      else
        numbers.push_back(narrow(load<double, std::uint64_t>(at, type.swapped), numbers.size(), source));
    }
    source.skip(count * type.bytes);
  }
  if (!first && !left && !source.look(1).empty())
    refuse(source, fmt::format("is longer than it says: its shape says {} elements, and bytes follow them", length));
  return numbers;
}

}  // namespace warpz
