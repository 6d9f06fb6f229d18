// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input/input.hpp"

#include <fmt/format.h>

#include "error.hpp"

namespace warpz {

std::vector<float> read_input(const std::string& file, std::optional<std::size_t> first) {
  byte_source source(file);
  const std::string_view begin = source.look(npy_magic.size());
  // No text begins with this byte: a damaged array is reported as an array.
  const bool array = !begin.empty() && begin.front() == npy_magic.front();
  if (!array && file.ends_with(".npy") && !begin.empty())
    throw error(exit_code::bad_input,
                fmt::format("{} is not a .npy file: it does not begin with \\x93NUMPY", source.name()),
                "Numbers as text are read too, from a file of any other name.");
  auto numbers = array ? read_npy(source, first) : read_text(source, first);
  if (numbers.empty()) throw error(exit_code::bad_input, fmt::format("{} contains no numbers", source.name()));
  if (first && numbers.size() < *first)
    throw error(exit_code::bad_input, fmt::format("{} holds {} numbers, and --size asks for the first {}",
                                                  source.name(), numbers.size(), *first));
  return numbers;
}

}  // namespace warpz
