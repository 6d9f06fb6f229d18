// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's array files. An input that begins with the digit 1, 2 or 3 is a file of this version: its first line the
// header, the rest the elements. Any other is the file itself.
#include <algorithm>
#include <cstring>

#include "fuzz/fuzz_support.hpp"
#include "input/input.hpp"
#include "input/npy_header.hpp"

namespace {

using namespace warpz;
using floats = std::vector<float>;

struct array_file {
  std::string bytes;
  std::string_view header() const { return std::string_view(bytes).substr(begin, elements - begin); }
  std::string_view data() const { return std::string_view(bytes).substr(elements); }
  std::size_t begin = 0, elements = 0;  ///< where the header begins, and where the elements do
};

/// The file with a preamble as its version has it.
array_file made_of(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::size_t header = end - 1;
  const std::size_t length_bytes = text[0] == '1' ? 2 : 4;
  array_file result;
  result.bytes = "\x93NUMPY";
  result.bytes += static_cast<char>(text[0] - '0');
  result.bytes += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) result.bytes += static_cast<char>(header >> (8 * i) & 0xFF);
  result.begin = result.bytes.size();
  result.elements = result.begin + header;
  result.bytes += text.substr(1);
  return result;
}

/// Element by element, by arithmetic instead of by the bytes' order.
float element(std::string_view data, std::size_t index, std::size_t bytes, bool big_endian) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t place = big_endian ? i : bytes - 1 - i;
    bits = bits << 8 | static_cast<unsigned char>(data[index * bytes + place]);
  }
  if (bytes == sizeof(float)) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return static_cast<float>(std::bit_cast<double>(bits));
}

struct outcome {
  std::optional<std::string> told;
  floats numbers;
};

outcome read(const fuzz::readable& bytes, std::optional<std::size_t> first = {}) {
  outcome found;
  found.told = fuzz::complaint([&] { found.numbers = read_input(bytes.name(), first); });
  return found;
}

void check_elements(const array_file& file, const floats& numbers) {
  const npy_header header = parse_npy_header(file.header(), "it");
  fuzz::require(header.shape == std::vector<std::uint64_t>{numbers.size()}, "as many as the shape says are read");
  const std::size_t bytes = header.descr[2] == '8' ? sizeof(double) : sizeof(float);
  const bool big_endian = header.descr[0] == '>' || (header.descr[0] == '=' && std::endian::native == std::endian::big);
  fuzz::require(file.data().size() == numbers.size() * bytes, "all elements and nothing else are in the file");
  for (std::size_t i = 0; i < numbers.size(); ++i)
    fuzz::require(fuzz::same(numbers[i], element(file.data(), i, bytes, big_endian)), "elements are those of the file");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const bool result = !text.empty() && text[0] >= '1' && text[0] <= '3';
  array_file file;
  if (result) {
    file = made_of(text);
  } else {
    file.bytes = text;
  }
  if (!file.bytes.starts_with(npy_magic.substr(0, 1))) return 0;
  const outcome whole = read(fuzz::readable::file(file.bytes));
  const outcome piped = read(fuzz::readable::pipe(file.bytes));
  fuzz::require(whole.told.has_value() == piped.told.has_value() && fuzz::same(whole.numbers, piped.numbers),
                "a pipe is read as a file is", whole.told.value_or("") + piped.told.value_or(""));
  if (whole.told) return 0;
  if (result) check_elements(file, whole.numbers);
  const std::size_t half = whole.numbers.size() / 2 + 1;
  if (half > whole.numbers.size()) return 0;
  const outcome begin = read(fuzz::readable::pipe(file.bytes), half);
  fuzz::require(!begin.told && fuzz::same(begin.numbers, floats(whole.numbers.begin(), whole.numbers.begin() + half)),
                "the first elements are those of the whole");
  return 0;
}
