// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/unseen_accesses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>

#include "source/intermediate_code.hpp"

namespace warpz {
namespace {

/// What Clang has calls for.
constexpr std::array<std::uint64_t, 5> seen_bytes{1, 2, 4, 8, 16};

bool is_seen(std::uint64_t bytes) { return std::find(seen_bytes.begin(), seen_bytes.end(), bytes) != seen_bytes.end(); }

/// The numbers of the groups of attributes that say that a function is instrumented: "#0".
std::set<std::string_view> instrumented_groups(std::string_view code) {
  constexpr std::string_view begins = "\nattributes #";
  std::set<std::string_view> groups;
  for (std::size_t at = code.find(begins); at != code.npos; at = code.find(begins, at + 1)) {
    const std::string_view line = code.substr(at + 1, code.find('\n', at + 1) - at - 1);
    const std::size_t number = line.find('#');
    if (line.find(" sanitize_thread ") != line.npos)
      groups.insert(line.substr(number, line.find(' ', number) - number));
  }
  return groups;
}

/// A number that begins there and ends where it has to; nothing where it does not.
std::optional<std::uint64_t> number_between(std::string_view text, char end) {
  std::uint64_t number = 0;
  const auto [last, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || last == text.data() + text.size() || *last != end) return {};
  return number;
}

bool is_odd_width(std::uint64_t bits) { return bits > 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128; }

/// Whether the line has an integer or a vector of an odd width, or copies an odd number of bytes.
bool has_odd_width(std::string_view line) {
  constexpr std::string_view copies = "call void @llvm.mem", size = ", i64 ";
  for (std::size_t at = line.find(" i"); at != line.npos; at = line.find(" i", at + 1)) {
    for (const char end : {' ', '*', ','}) {
      const std::optional<std::uint64_t> bits = number_between(line.substr(at + 2), end);
      if (bits && is_odd_width(*bits)) return true;
    }
  }
  if (line.find(copies) == line.npos) return false;
  const std::optional<std::uint64_t> bytes = number_between(line.substr(line.rfind(size) + size.size()), ',');
  return bytes && *bytes < 8 && !is_seen(*bytes);
}

class access_rewriter {
 public:
  explicit access_rewriter(std::string_view code) : types_(code), groups_(instrumented_groups(code)) {
    code_.reserve(code.size() + code.size() / 64);
    for_each_line(code, [this](std::string_view line) {
      if (line.starts_with("define ")) is_instrumented_ = has_instrumented_group(line);
      if (is_instrumented_ && line.starts_with("  ")) add_calls(line);
      code_ += line;
    });
    declare(code, "__tsan_read_range");
    declare(code, "__tsan_write_range");
  }

  std::string result() { return std::move(code_); }

 private:
  bool has_instrumented_group(std::string_view line) const {
    const std::size_t at = line.rfind(" #");
    return at != line.npos && groups_.contains(line.substr(at + 1, line.find(' ', at + 1) - at - 1));
  }

  void add_calls(std::string_view line) {
    std::string_view rest = line.substr(2);
    if (remove_word(rest, "store ")) {
      remove_word(rest, "volatile ");
      const std::string_view type = type_of_operand(take_operand(rest));
      add_call("__tsan_write_range", type, take_operand(rest), line);
      return;
    }
    constexpr std::string_view loads = " = load ";
    if (const std::size_t at = rest.find(loads); rest.starts_with('%') && at != rest.npos) {
      rest.remove_prefix(at + loads.size());
      remove_word(rest, "volatile ");
      const std::string_view type = take_operand(rest);
      add_call("__tsan_read_range", type, take_operand(rest), line);
      return;
    }
    if (line.find("byval(") != line.npos) add_calls_for_copies(line);
  }

  /// Where Clang has none for an access of this type; `pointer` is an operand such as "i24* %3".
  void add_call(std::string_view callback, std::string_view type, std::string_view pointer, std::string_view line) {
    const bool is_elsewhere = is_in_address_space(type, pointer);
    const std::optional<std::uint64_t> bytes = types_.accessed_bytes(type);
    if (!bytes || (is_seen(*bytes) && !is_elsewhere)) return;
    add(callback, pointer, is_elsewhere, *bytes, line);
  }

  static bool is_in_address_space(std::string_view type, std::string_view pointer) {
    remove_word(pointer, pointer.starts_with("ptr ") ? "ptr" : type);
    return pointer.starts_with(" addrspace(");
  }

  void add(std::string_view callback, std::string_view pointer, bool is_elsewhere, std::uint64_t bytes,
           std::string_view line) {
    const bool is_opaque = pointer.starts_with("ptr ");
    const std::string_view generic = is_opaque ? "ptr" : "i8*";
    std::string argument(pointer);
    if (is_elsewhere || !is_opaque) {
      const std::string name = fmt::format("%simt.at.{}", count_);
      code_ += fmt::format("  {} = {} {} to {}{}\n", name, is_elsewhere ? "addrspacecast" : "bitcast", pointer, generic,
                           place_of_line(line));
      argument = fmt::format("{} {}", generic, name);
    }
    ++count_;
    code_ += fmt::format("  call void @{}({}, i64 {}){}\n", callback, argument, bytes, place_of_line(line));
    generic_ = generic;
    called_.insert(std::string(callback));
  }

  /// The caller copies what a `byval` argument points to.
  void add_calls_for_copies(std::string_view line) {
    const std::size_t callee = line.find('@');
    const bool is_call = line.find("call ") < callee || line.find("invoke ") < callee;
    if (callee == line.npos || !is_call || line.find("byval(") < callee) return;
    std::string_view arguments = line.substr(std::min(line.find('(', callee), line.size() - 1) + 1);
    while (!arguments.empty() && arguments.front() != ')') {
      const std::string_view argument = argument_at(arguments);
      add_call_for_copy(argument, line);
    }
  }

  /// Like take_operand(), up to the parenthesis that closes the call.
  static std::string_view argument_at(std::string_view& arguments) {
    std::string_view rest = arguments;
    const std::string_view operand = take_operand(rest);
    int depth = 0;
    for (std::size_t i = 0; i < operand.size(); ++i) {
      if (operand[i] == '(') ++depth;
      if (operand[i] == ')' && --depth < 0) {
        arguments = {};
        return operand.substr(0, i);
      }
    }
    arguments = rest;
    return operand;
  }

  /// "%struct.big* noundef byval(%struct.big) align 8 %7"
  void add_call_for_copy(std::string_view argument, std::string_view line) {
    constexpr std::string_view copies = "byval(";
    const std::size_t at = argument.find(copies);
    const std::size_t value = argument.rfind(" %");
    if (at == argument.npos || value == argument.npos || value < at) return;
    const std::string_view type = argument.substr(at + copies.size(), argument.find(')', at) - at - copies.size());
    const std::optional<std::uint64_t> bytes = types_.bytes(type);
    if (!bytes || *bytes == 0) return;
    const std::string pointer = fmt::format("{}{}", type_of_operand(argument), argument.substr(value));
    add("__tsan_read_range", pointer, false, *bytes, line);
  }

  void declare(std::string_view code, std::string_view callback) {
    if (!called_.contains(std::string(callback))) return;
    if (code.find(fmt::format("declare void @{}(", callback)) != code.npos) return;
    code_ += fmt::format("\ndeclare void @{}({}, i64)\n", callback, generic_);
  }

  const intermediate_types types_;
  const std::set<std::string_view> groups_;
  bool is_instrumented_ = false;
  std::uint64_t count_ = 0;
  std::string_view generic_;
  std::set<std::string> called_;
  std::string code_;
};

}  // namespace

bool may_have_unseen_accesses(std::string_view code) {
  bool has_one = false, is_own = false;
  for_each_line(code, [&](std::string_view line) {
    if (line.starts_with("define ")) is_own = is_of_machine(line);
    if (has_one || !line.starts_with("  ")) return;
    const auto has = [line](std::string_view word) { return line.find(word) != line.npos; };
    // What the machine passes to itself is no memory of a kernel's.
    const bool is_copied = !is_own && has("byval(") && !has("byval(%\"struct.simt::");
    has_one = is_copied || has(" addrspace(") || has("x86_fp80") || has(" <") || has_odd_width(line);
  });
  return has_one;
}

std::string with_all_accesses(std::string_view code) { return access_rewriter(code).result(); }

}  // namespace warpz
