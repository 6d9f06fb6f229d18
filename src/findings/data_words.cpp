// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/data_words.hpp"

#include <fmt/format.h>

#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string input_words(const input_source& from) {
  switch (from.from) {
    case input_source::kind::documented:
      return {};
    case input_source::kind::random:
      return " --random " + shell_word(from.detail);
    case input_source::kind::pattern:
      return " --pattern " + from.detail;
    case input_source::kind::file:
      break;
  }
  // A name that begins with a dash would be taken for an option.
  const bool like_an_option = from.detail.size() > 1 && from.detail.front() == '-';
  return " --input " + shell_word((like_an_option ? "./" : "") + from.detail);
}

}  // namespace

bool has_shape(const puzzle_outcome& result) { return result.shape && result.shape->inputs() == result.size; }

std::string data_words(const puzzle_outcome& result, std::optional<std::size_t> size) {
  std::string words = input_words(result.input);
  const bool by_shape = !size && has_shape(result);
  const bool usual_size =
      result.documented || by_shape ||
      (result.input.from != input_source::kind::file && result.size == result.puzzle->size_for(result.warp_size));
  if (size || !usual_size) words += fmt::format(" --size {}", size.value_or(result.size));
  if (by_shape && result.shape != result.puzzle->documented_shape) words += " --shape " + text_of(*result.shape);
  if (result.pivot && result.pivot != result.puzzle->documented_pivot)
    words += " --pivot " + number_text(*result.pivot);
  if (result.launches != 1) words += fmt::format(" --launches {}", result.launches);
  return words;
}

}  // namespace warpz
