// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/unset_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "source/intermediate_code.hpp"

namespace warpz {
namespace {

constexpr std::string_view mark = ", !annotation ";
constexpr std::string_view place = ", !dbg !";

/// The types of variables that are stored as one number, with the number's bits.
struct number_type {
  std::string_view name;
  unsigned bits;
  bool is_integer;
};
constexpr std::array<number_type, 8> number_types{{{"i8", 8, true},
                                                   {"i16", 16, true},
                                                   {"i32", 32, true},
                                                   {"i64", 64, true},
                                                   {"half", 16, false},
                                                   {"bfloat", 16, false},
                                                   {"float", 32, false},
                                                   {"double", 64, false}}};

/// The text before the first `end`, removed from `text` together with that `end`; nothing where there is none.
std::optional<std::string_view> remove_up_to(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return before;
}

/// The node with which Clang marks variables that are declared without a value, as in "!7 = !{!"auto-init"}".
std::string node_of_patterns(std::string_view code) {
  const std::size_t at = code.find(" = !{!\"auto-init\"}");
  if (at == std::string_view::npos) return {};
  return std::string(code.substr(0, at).substr(code.rfind('\n', at) + 1));
}

class rewriter {
 public:
  rewriter(std::string_view code, std::string_view name)
      : node_(node_of_patterns(code)), first_number_(std::hash<std::string_view>{}(name) << 20) {
    code_.reserve(code.size() + code.size() / 16);
    while (!code.empty()) {
      const std::string_view line = code.substr(0, code.find('\n'));
      if (!add_request(line)) code_ += line;
      if (line.size() < code.size()) code_ += '\n';
      code.remove_prefix(std::min(line.size() + 1, code.size()));
    }
  }

  std::string result() {
    if (count_ == 0) return std::move(code_);
    // Merged calls would have no line.
    code_ += "\ndeclare i64 @simt_unset_value(i64) nounwind willreturn readnone nomerge\n";
    for (const std::string_view pointer : {"p0i8", "p0"}) {
      const std::string memset = fmt::format("@llvm.memset.{}.i64(", pointer);
      if (code_.find("call void " + memset) == std::string::npos) continue;
      if (code_.find("declare void " + memset) != std::string::npos) continue;
      code_ += fmt::format("declare void {}{}, i8, i64, i1 immarg)\n", memset, pointer == "p0" ? "ptr" : "i8*");
    }
    return std::move(code_);
  }

 private:
  /// Adds the line with a value of the machine's in place of the pattern. False, and adds nothing, where it has none.
  bool add_request(std::string_view line) {
    if (node_.empty() || !line.starts_with("  ")) return false;
    const std::size_t marked = line.rfind(mark);
    if (marked == std::string_view::npos || line.substr(marked + mark.size()) != node_) return false;
    std::string_view rest = line.substr(2);
    if (remove_word(rest, "store ")) return add_store(rest);
    if (remove_word(rest, "call void @llvm.memset.")) return add_memset(rest);
    if (remove_word(rest, "call void @llvm.memcpy.")) return add_memcpy(rest);
    return false;
  }

  /// "i32 -1431655766, i32* %9, align 4, ..."
  bool add_store(std::string_view rest) {
    const std::string_view kind = remove_word(rest, "volatile ") ? "volatile " : "";
    for (const number_type& each : number_types) {
      std::string_view behind = rest;
      if (!remove_word(behind, each.name) || !remove_word(behind, " ")) continue;
      // The type of a function begins like a number's: "i32 (i32, ...)** inttoptr".
      if (behind.starts_with('(') || !remove_up_to(behind, ", ")) continue;
      std::string value = request(behind);
      if (each.bits < 64) value = convert("trunc", "i64", value, fmt::format("i{}", each.bits));
      if (!each.is_integer) value = convert("bitcast", fmt::format("i{}", each.bits), value, each.name);
      code_ += fmt::format("  store {}{} {}, {}", kind, each.name, value, behind);
      return true;
    }
    // "float* inttoptr (i64 -6148914691236517206 to float*), float** %17, align 8, ..."
    std::string_view behind = rest;
    const auto type = remove_up_to(behind, " inttoptr (i64 ");
    if (!type || !remove_up_to(behind, fmt::format(" to {}), ", *type))) return false;
    const std::string value = request(behind);
    code_ += fmt::format("  store {}{} {}, {}", kind, *type, convert("inttoptr", "i64", value, *type), behind);
    return true;
  }

  /// "p0i8.i64(i8* align 16 %37, i8 -1, i64 400, i1 false), ..."
  bool add_memset(std::string_view rest) {
    const auto target = remove_up_to(rest, ", i8 ");
    if (!target || !remove_up_to(rest, ", ")) return false;
    add_filling(*target, rest);
    return true;
  }

  /// "p0i8.p0i8.i64(i8* align 8 %48, i8* align 8 bitcast (... @__const.k.pad to i8*), i64 16, i1 false), ..."
  bool add_memcpy(std::string_view rest) {
    const auto pointer = remove_up_to(rest, ".");
    if (!pointer || !remove_up_to(rest, ".")) return false;
    const auto target = remove_up_to(rest, ", ");
    const std::size_t size = rest.rfind(", i64 ", rest.find(", i1 "));
    if (!target || size == std::string_view::npos) return false;
    add_filling(fmt::format("{}.{}", *pointer, *target), rest.substr(size + 2));
    return true;
  }

  void add_filling(std::string_view target, std::string_view rest) {
    // All bytes of a larger variable are alike; the highest byte shows most of the value.
    const std::string value = request(rest);
    const std::string byte = fmt::format("{}.b", value);
    code_ += fmt::format("  {} = lshr i64 {}, 56\n", byte, value);
    code_ += fmt::format("  call void @llvm.memset.{}, i8 {}, {}", target, convert("trunc", "i64", byte, "i8"), rest);
  }

  /// Adds the call for the variable of the line that ends like this; returns the name of its result.
  std::string request(std::string_view rest_of_line) {
    const std::size_t at = rest_of_line.rfind(place);
    const bool has_place = at != std::string_view::npos;
    std::string_view node = has_place ? rest_of_line.substr(at + place.size()) : "";
    node = node.substr(0, node.find(','));
    // All parts of a variable have the same place, which no other variable has.
    std::uint64_t number = count_;
    std::from_chars(node.begin(), node.end(), number);
    std::string name = fmt::format("%simt.unset.{}", count_++);
    code_ += fmt::format("  {} = call i64 @simt_unset_value(i64 {})", name,
                         static_cast<std::int64_t>(first_number_ + number));
    if (has_place) code_ += fmt::format("{}{}", place, node);
    code_ += '\n';
    return name;
  }

  std::string convert(std::string_view operation, std::string_view type, std::string_view value,
                      std::string_view result) {
    std::string name = fmt::format("{}.{}", value, operation);
    code_ += fmt::format("  {} = {} {} {} to {}\n", name, operation, type, value, result);
    return name;
  }

  const std::string node_;  ///< Clang's mark
  const std::uint64_t first_number_;
  std::uint64_t count_ = 0;
  std::string code_;
};

}  // namespace

std::string with_unset_values(std::string_view code, std::string_view name) { return rewriter(code, name).result(); }

}  // namespace warpz
