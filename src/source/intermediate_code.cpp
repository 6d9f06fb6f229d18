// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/intermediate_code.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpz {
namespace {

/// More than any compiler nests, less than the stack holds.
constexpr unsigned max_depth = 64;
constexpr std::uint64_t max_bits = std::uint64_t{1} << 40;
constexpr std::uint64_t max_alignment = 16;

struct named_number {
  std::string_view name;
  std::uint64_t bits;
  std::uint64_t alignment;
};
constexpr std::array<named_number, 7> named_numbers{{{"half", 16, 2},
                                                     {"bfloat", 16, 2},
                                                     {"float", 32, 4},
                                                     {"double", 64, 8},
                                                     {"x86_fp80", 80, 16},
                                                     {"fp128", 128, 16},
                                                     {"ptr", 64, 8}}};

std::optional<std::uint64_t> number_at(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.begin(), text.end(), number);
  if (failed != std::errc() || number > max_bits) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  return number;
}

/// The first place in `text` of one of these characters that is in no brackets or quotes; its end where there is none.
std::size_t find_outside(std::string_view text, std::string_view characters) {
  unsigned depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (depth == 0 && characters.find(c) != std::string_view::npos) return i;
    if (std::string_view("([{<").find(c) != std::string_view::npos) ++depth;
    if (std::string_view(")]}>").find(c) != std::string_view::npos && depth != 0) --depth;
  }
  return text.size();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

bool is_between(std::string_view text, std::string_view open, std::string_view close) {
  return text.size() >= open.size() + close.size() && text.starts_with(open) && text.ends_with(close);
}

}  // namespace

bool remove_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::string_view take_operand(std::string_view& text) {
  const std::string_view operand = text.substr(0, find_outside(text, ","));
  text.remove_prefix(std::min(operand.size() + 1, text.size()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return operand;
}

std::string_view type_of_operand(std::string_view operand) { return operand.substr(0, find_outside(operand, " ")); }

bool is_of_machine(std::string_view definition) {
  const std::size_t at = definition.find('@');
  std::string_view name = definition.substr(std::min(at, definition.size()));
  name = name.substr(0, name.find('('));
  name.remove_prefix(std::min(name.find_first_not_of("@\"_Z"), name.size()));
  const bool is_nested = remove_word(name, "N");
  // Of a constant object.
  if (is_nested) remove_word(name, "K");
  if (name.starts_with("St")) return name.find("N5warpz6detail") != name.npos;
  return is_nested && (name.starts_with("4simt") || name.starts_with("5warpz"));
}

std::string_view place_of_line(std::string_view line) {
  constexpr std::string_view mark = ", !dbg !";
  const std::size_t at = line.rfind(mark);
  if (at == line.npos) return {};
  const std::size_t end = line.find_first_not_of("0123456789", at + mark.size());
  return line.substr(at, end - at);
}

intermediate_types::intermediate_types(std::string_view code) {
  constexpr std::string_view defines = " = type ";
  for (std::size_t at = 0; at < code.size();) {
    const std::string_view line = code.substr(at, code.find('\n', at) - at);
    at += line.size() + 1;
    const std::size_t equals = line.starts_with('%') ? line.find(defines) : line.npos;
    if (equals != line.npos) structs_.emplace(line.substr(0, equals), line.substr(equals + defines.size()));
  }
}

std::optional<std::uint64_t> intermediate_types::accessed_bytes(std::string_view type) const {
  const std::optional<layout> known = layout_of(type);
  return known ? std::optional(known->stored()) : std::nullopt;
}

std::optional<std::uint64_t> intermediate_types::bytes(std::string_view type) const {
  const std::optional<layout> known = layout_of(type);
  return known ? std::optional(known->padded()) : std::nullopt;
}

std::optional<intermediate_types::layout> intermediate_types::layout_of(std::string_view type, unsigned depth) const {
  type = trimmed(type);
  if (type.empty() || depth == max_depth) return {};
  if (type.ends_with('*') || type.starts_with("ptr ")) return layout{64, 8};
  if (type.front() == '%') {
    const auto named = structs_.find(type);
    return named != structs_.end() ? layout_of(named->second, depth + 1) : std::nullopt;
  }
  if (is_between(type, "<{", "}>")) return layout_of_struct(type.substr(2, type.size() - 4), true, depth);
  if (is_between(type, "{", "}")) return layout_of_struct(type.substr(1, type.size() - 2), false, depth);
  if (is_between(type, "<", ">")) return layout_of_sequence(type.substr(1, type.size() - 2), true, depth);
  if (is_between(type, "[", "]")) return layout_of_sequence(type.substr(1, type.size() - 2), false, depth);
  if (type.front() == 'i') {
    type.remove_prefix(1);
    const std::optional<std::uint64_t> bits = number_at(type);
    if (!bits || *bits == 0 || !type.empty()) return {};
    std::uint64_t alignment = 1;
    while (alignment * 8 < *bits && alignment < max_alignment) alignment *= 2;
    return layout{*bits, alignment};
  }
  const auto known = std::find_if(named_numbers.begin(), named_numbers.end(),
                                  [type](const named_number& each) { return each.name == type; });
  return known != named_numbers.end() ? std::optional(layout{known->bits, known->alignment}) : std::nullopt;
}

std::optional<intermediate_types::layout> intermediate_types::layout_of_struct(std::string_view members, bool is_packed,
                                                                               unsigned depth) const {
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;
  for (members = trimmed(members); !members.empty();) {
    const std::optional<layout> member = layout_of(take_operand(members), depth + 1);
    if (!member || bytes > max_bits) return {};
    if (!is_packed) {
      bytes = (bytes + member->alignment - 1) / member->alignment * member->alignment;
      alignment = std::max(alignment, member->alignment);
    }
    bytes += member->padded();
  }
  const layout whole{bytes * 8, alignment};
  return layout{whole.padded() * 8, alignment};
}

/// "4 x float"
std::optional<intermediate_types::layout> intermediate_types::layout_of_sequence(std::string_view inside,
                                                                                 bool is_vector, unsigned depth) const {
  constexpr std::string_view times = " x ";
  inside = trimmed(inside);
  const std::optional<std::uint64_t> count = number_at(inside);
  if (!count || !inside.starts_with(times)) return {};
  const std::optional<layout> element = layout_of(inside.substr(times.size()), depth + 1);
  if (!element) return {};
  const std::uint64_t bits_of_each = is_vector ? element->bits : element->padded() * 8;
  std::uint64_t bits = 0;
  if (__builtin_mul_overflow(*count, bits_of_each, &bits) || bits > max_bits) return {};
  if (!is_vector) return layout{bits, element->alignment};
  std::uint64_t alignment = 1;
  while (alignment * 8 < bits) alignment *= 2;
  return layout{bits, alignment};
}

}  // namespace warpz
