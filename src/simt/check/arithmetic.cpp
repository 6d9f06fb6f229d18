// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/arithmetic.hpp"

#include <cstdio>
#include <cstring>

namespace simt::check {
namespace {

/// As the plugin numbers them.
enum class arithmetic : unsigned { add, subtract, multiply, negate, shift, divide, convert, index };
constexpr unsigned operation_mask = 0xff, index_bit = 0x100;

// The layout of what Clang has for each check: compiler-rt's ubsan_value.h.

struct type_description {
  std::uint16_t kind;  ///< 0: an integer; 1: a floating-point number
  std::uint16_t info;  ///< of an integer: its width's logarithm times two, plus one if it is signed
  char name[1];        ///< in quotes

  bool is_integer() const { return kind == 0; }
  unsigned bits() const { return is_integer() ? 1U << (info >> 1) : info; }
  bool is_signed() const { return (info & 1) != 0; }
};

struct checked_operation {
  const char* file;
  std::uint32_t line, column;
  const type_description* type;   ///< where it is an index, the array's
  const type_description* other;  ///< of a shift's distance, of a conversion's result, or of an index
};

/// The number in the low bits of the word; of more than 64 bits, "a number".
std::string text_of(const type_description& type, std::uint64_t word) {
  if (type.bits() > 64 || (!type.is_integer() && type.bits() < 32)) return "a number";
  char text[64];
  if (!type.is_integer()) {
    double number = 0;
    float shorter = 0;
    std::memcpy(&number, &word, sizeof number);
    std::memcpy(&shorter, &word, sizeof shorter);
    std::snprintf(text, sizeof text, "%.9g", type.bits() == 32 ? static_cast<double>(shorter) : number);
  } else {
    const unsigned unused = 64 - type.bits();
    const std::uint64_t left = word << unused;
    if (type.is_signed()) {
      std::snprintf(text, sizeof text, "%lld", static_cast<long long>(left) >> unused);
    } else {
      std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(left >> unused));
    }
  }
  return text;
}

std::string name_of(const type_description& type) {
  const std::string quoted = type.name;
  return quoted.size() > 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
}

}  // namespace

std::string undefined_arithmetic::rule() const {
  const auto& checked = *static_cast<const checked_operation*>(noted);
  const type_description& type = *checked.type;
  if (is_index_of_array()) {
    return "a lane accesses element " + text_of(*checked.other, left) + " of a local array, " + name_of(type) +
           (is_of_variable() ? ", which is another part of the variable" : "");
  }
  const std::string one = text_of(type, left);
  const auto overflow = [&](const std::string& expression) {
    const bool is_index = (operation & index_bit) != 0;
    return (is_index ? "an index overflows: " : "a signed number overflows: ") + expression + " does not fit in " +
           name_of(type);
  };
  switch (static_cast<arithmetic>(operation & operation_mask)) {
    case arithmetic::add:
      return overflow(one + " + " + text_of(type, right));
    case arithmetic::subtract:
      return overflow(one + " - " + text_of(type, right));
    case arithmetic::multiply:
      return overflow(one + " * " + text_of(type, right));
    case arithmetic::negate:
      return overflow("-(" + one + ")");
    case arithmetic::shift:
      return "a lane shifts " + one + " by " + text_of(*checked.other, right) + " bits, and " + name_of(type) +
             " has " + std::to_string(type.bits());
    case arithmetic::divide: {
      const std::string other = text_of(type, right);
      return other == "0" ? "a lane divides " + one + " by 0" : overflow(one + " / " + other);
    }
    case arithmetic::index:
      break;
    case arithmetic::convert:
      return "a lane converts " + one + " to " + name_of(*checked.other) + ", which has no such value";
  }
  return "a lane computes what has no defined result";
}

bool undefined_arithmetic::is_index_of_array() const {
  return (operation & operation_mask) == static_cast<unsigned>(arithmetic::index);
}

bool undefined_arithmetic::is_of_variable() const { return right != 0; }

warpz_severity undefined_arithmetic::severity() const {
  if (is_index_of_array()) return is_of_variable() ? WARPZ_WARNING : WARPZ_ERROR;
  const bool is_overflow = (operation & operation_mask) <= static_cast<unsigned>(arithmetic::negate);
  return is_overflow && (operation & index_bit) == 0 ? WARPZ_WARNING : WARPZ_ERROR;
}

}  // namespace simt::check
