// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/misalignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "source/intermediate_code.hpp"

namespace warpz {
namespace {

// That code is cold says nothing here: it marks the address as one that is written.
constexpr std::string_view writes = ", \"cold\"()";
constexpr std::string_view assume = "call void @llvm.assume(i1 true) ", align = "[ \"align\"(";

/// The number behind "align " in an operand or a line; 1 where there is none.
std::uint64_t alignment_in(std::string_view text) {
  constexpr std::string_view word = "align ";
  const std::size_t at = text.find(word);
  std::uint64_t alignment = 1;
  if (at != text.npos) std::from_chars(text.data() + at + word.size(), text.data() + text.size(), alignment);
  return alignment;
}

class assumption_writer {
 public:
  explicit assumption_writer(std::string_view code) : types_(code) {
    code_.reserve(code.size() + code.size() / 16);
    for_each_line(code, [this](std::string_view line) {
      if (line.starts_with("define ")) {
        locals_.clear();
        is_own_ = is_of_machine(line);
      }
      if (!is_own_ && line.starts_with("  ")) add_assumptions(line);
      code_ += line;
    });
    if (is_used_ && code.find("declare void @llvm.assume(") == code.npos)
      code_ += "\ndeclare void @llvm.assume(i1 noundef)\n";
  }

  std::string result() { return std::move(code_); }

 private:
  void add_assumptions(std::string_view line) {
    std::string_view rest = line.substr(2);
    if (remove_word(rest, "store ")) {
      remove_word(rest, "volatile ");
      const std::string_view type = type_of_operand(take_operand(rest));
      add_for_access(type, take_operand(rest), writes, line);
      return;
    }
    for (const std::string_view copies : {"call void @llvm.memcpy.", "call void @llvm.memmove."}) {
      if (!remove_word(rest, copies)) continue;
      rest.remove_prefix(std::min(rest.find('(') + 1, rest.size()));
      const std::string_view target = take_operand(rest);
      add_for_copy(target, writes, line);
      add_for_copy(take_operand(rest), "", line);
      return;
    }
    constexpr std::string_view gives = " = ";
    const std::size_t equals = rest.find(gives);
    if (!rest.starts_with('%') || equals == rest.npos) return;
    const std::string_view name = rest.substr(0, equals);
    rest.remove_prefix(equals + gives.size());
    if (is_local(rest)) locals_.insert(name);
    if (!remove_word(rest, "load ")) return;
    remove_word(rest, "volatile ");
    const std::string_view type = take_operand(rest);
    add_for_access(type, take_operand(rest), "", line);
  }

  /// Whether the instruction gives the address of a local variable, or of a part of it.
  bool is_local(std::string_view instruction) const {
    if (instruction.starts_with("alloca ")) return true;
    if (!instruction.starts_with("bitcast ") && !instruction.starts_with("getelementptr ")) return false;
    const std::size_t at = instruction.find("* %"), opaque = instruction.find("ptr %");
    if (at == instruction.npos && opaque == instruction.npos) return false;
    const std::size_t begin = instruction.find('%', std::min(at, opaque));
    return locals_.contains(instruction.substr(begin, instruction.find_first_of(", ", begin) - begin));
  }

  /// "float* %3"
  void add_for_access(std::string_view type, std::string_view pointer, std::string_view mark, std::string_view line) {
    const std::optional<std::uint64_t> bytes = types_.accessed_bytes(type);
    const std::size_t behind = line.rfind(", align ");
    if (!bytes || behind == line.npos) return;
    const std::uint64_t alignment = alignment_in(line.substr(behind));
    if (alignment > *bytes) add(type_of_operand(pointer), value_of(pointer), alignment, mark, line);
  }

  /// "i8* noundef align 16 %8"
  void add_for_copy(std::string_view operand, std::string_view mark, std::string_view line) {
    add(type_of_operand(operand), value_of(operand), alignment_in(operand), mark, line);
  }

  static std::string_view value_of(std::string_view operand) {
    const std::size_t at = operand.rfind(" %");
    return at == operand.npos || operand.find('(') != operand.npos ? std::string_view() : operand.substr(at + 1);
  }

  void add(std::string_view type, std::string_view value, std::uint64_t alignment, std::string_view mark,
           std::string_view line) {
    if (value.empty() || alignment <= 1 || locals_.contains(value)) return;
    code_ +=
        fmt::format("  {}{}{} {}, i64 {}){} ]{}\n", assume, align, type, value, alignment, mark, place_of_line(line));
    is_used_ = true;
  }

  const intermediate_types types_;
  bool is_own_ = false;                ///< the function is the machine's or the library's
  std::set<std::string_view> locals_;  ///< names for the addresses of the function's variables
  bool is_used_ = false;
  std::string code_;
};

class check_writer {
 public:
  explicit check_writer(std::string_view code) {
    code_.reserve(code.size() + code.size() / 16);
    for_each_line(code, [this](std::string_view line) {
      if (!add_check(line)) code_ += line;
    });
    if (count_ != 0) code_ += fmt::format("\ndeclare void @simt_aligned({}, i64, i32)\n", generic_);
  }

  std::string result() { return std::move(code_); }

 private:
  /// False where the line has no such assumption.
  bool add_check(std::string_view line) {
    const std::size_t begin = line.find(assume), at = line.find(align);
    if (begin == line.npos || at == line.npos) return false;
    std::string_view rest = line.substr(at + align.size());
    std::string pointer(take_operand(rest));
    const std::uint64_t alignment = number_behind(rest, "i64 ");
    if (alignment == 0) return false;
    generic_ = pointer.starts_with("ptr ") ? "ptr" : "i8*";
    if (generic_ != "ptr") {
      const std::string name = fmt::format("%simt.aligned.{}", count_);
      code_ += fmt::format("  {} = bitcast {} to i8*{}\n", name, pointer, place_of_line(line));
      pointer = fmt::format("i8* {}", name);
    }
    ++count_;
    code_ += fmt::format("  call void @simt_aligned({}, i64 {}, i32 {}){}", pointer, alignment,
                         line.find(writes) != line.npos ? 1 : 0, place_of_line(line));
    if (line.ends_with('\n')) code_ += '\n';
    return true;
  }

  static std::uint64_t number_behind(std::string_view text, std::string_view word) {
    std::uint64_t number = 0;
    if (remove_word(text, word)) std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  std::uint64_t count_ = 0;
  std::string_view generic_;
  std::string code_;
};

}  // namespace

std::string with_assumed_alignment(std::string_view code) { return assumption_writer(code).result(); }

bool assumes_alignment(std::string_view code) { return code.find(fmt::format("{}{}", assume, align)) != code.npos; }

std::string with_checked_alignment(std::string_view code) { return check_writer(code).result(); }

}  // namespace warpz
