// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/volatile_accesses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "source/ir_function.hpp"

namespace warpz {
namespace {

constexpr std::string_view read_callback = "simt_volatile_read", poll_callback = "simt_volatile_poll",
                           write_callback = "simt_volatile_write";

/// The value's type, the pointer with its type, and the alignment, of "load volatile i32, i32* %p, align 4, …" and
/// "store volatile i32 %v, i32* %p, align 4, …".
struct volatile_access {
  std::string_view type;
  std::string_view before;   ///< the text up to the operation, such as "%7 = "
  std::string_view middle;   ///< from the type to the pointer, without the alignment
  std::string_view pointer;  ///< with its type
  std::string_view rest;     ///< from the alignment on
  unsigned alignment = 0;
};

/// The comma before the last of these operands. A constant address has commas of its own, in brackets.
std::size_t last_comma(std::string_view operands) {
  std::size_t last = std::string_view::npos;
  int depth = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const char each = operands[i];
    if (each == '(' || each == '[' || each == '{' || each == '<') ++depth;
    if (each == ')' || each == ']' || each == '}' || each == '>') --depth;
    if (each == ',' && depth == 0) last = i;
  }
  return last;
}

std::optional<volatile_access> volatile_access_of(const ir_instruction& one) {
  const std::string_view beginning = one.operation == "load" ? "load volatile " : "store volatile ";
  const std::size_t at = one.text.find(beginning);
  if (at == std::string_view::npos || (one.operation != "load" && one.operation != "store")) return {};
  volatile_access found;
  found.before = one.text.substr(0, at);
  const std::string_view behind = one.text.substr(at + beginning.size());
  const std::size_t aligned = behind.find(", align ");
  if (aligned == std::string_view::npos) return {};
  found.middle = behind.substr(0, aligned);
  found.rest = behind.substr(aligned);
  found.type = found.middle.substr(0, found.middle.find(one.operation == "load" ? ',' : ' '));
  const std::size_t pointer = last_comma(found.middle);
  if (pointer == std::string_view::npos) return {};
  found.pointer = found.middle.substr(pointer + 2);
  for (const char digit : found.rest.substr(8)) {
    if (digit < '0' || digit > '9') break;
    found.alignment = 10 * found.alignment + static_cast<unsigned>(digit - '0');
  }
  return found;
}

/// Of a type whose accesses can be one atomic; 0: none.
unsigned bytes_of(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 8> sizes{
      {{"i8", 1}, {"i16", 2}, {"half", 2}, {"bfloat", 2}, {"i32", 4}, {"float", 4}, {"i64", 8}, {"double", 8}}};
  if (type.ends_with('*') || type == "ptr") return 8;
  const auto found = std::find_if(sizes.begin(), sizes.end(), [type](const auto& each) { return each.first == type; });
  return found == sizes.end() ? 0 : found->second;
}

bool may_be_atomic(const volatile_access& access) {
  const unsigned bytes = bytes_of(access.type);
  return bytes != 0 && access.alignment >= bytes;
}

/// What follows from a value: other values, variables, and branches.
class flow {
 public:
  flow(const ir_function& code, ir_name value) : code_(code), reached_{value}, decided_(code.blocks().size()) {
    while (std::exchange(grows_, false)) {
      for (const ir_instruction& each : code.instructions()) follow(each);
    }
  }

  bool reaches(const ir_instruction& one) const {
    return std::any_of(one.operands.begin(), one.operands.end(),
                       [&](ir_name each) { return reached_.count(each) != 0; });
  }

 private:
  void follow(const ir_instruction& one) {
    if (one.operation == "store") {
      if (!reaches(one) && !decided_[one.block]) return;
      if (const ir_name variable = code_.base_of(pointer_of(one)); code_.is_variable(variable)) add(variable);
    } else if (!one.result.empty()) {
      if (one.operation != "alloca" && reaches(one)) add(one.result);
    } else if (code_.blocks()[one.block].next.size() > 1 && (reaches(one) || decided_[one.block])) {
      const block_set& more = code_.decided_by(one.block);
      for (std::size_t each = 0; each < more.size(); ++each) {
        if (!more[each] || decided_[each]) continue;
        decided_[each] = grows_ = true;
      }
    }
  }

  void add(ir_name name) { grows_ = reached_.insert(name).second || grows_; }

  const ir_function& code_;
  ir_names reached_;
  block_set decided_;
  bool grows_ = true;
};

/// What a value comes from: other values, and variables.
ir_names sources_of(const ir_function& code, ir_name value) {
  ir_names sources;
  std::vector<ir_name> left{value};
  while (!left.empty()) {
    const ir_name name = left.back();
    left.pop_back();
    if (!sources.insert(name).second) continue;
    const ir_instruction* const defined = code.definition(name);
    if (defined == nullptr) continue;
    left.insert(left.end(), defined->operands.begin(), defined->operands.end());
    if (defined->operation != "alloca") continue;
    for (const ir_instruction& each : code.instructions()) {
      if (each.operation == "store" && pointer_of(each) == name) {
        left.insert(left.end(), each.operands.begin(), each.operands.end());
      }
    }
  }
  return sources;
}

/// The variables from which a value is computed, without what they were computed from.
ir_names variables_in(const ir_function& code, ir_name value) {
  ir_names variables;
  std::vector<ir_name> left{value};
  while (!left.empty()) {
    const ir_instruction* const defined = code.definition(left.back());
    left.pop_back();
    if (defined == nullptr) continue;
    if (defined->operation == "alloca") {
      variables.insert(defined->result);
    } else {
      left.insert(left.end(), defined->operands.begin(), defined->operands.end());
    }
  }
  return variables;
}

/// Whether the loop never sets a variable from which one of these values is computed.
bool stay_the_same(const ir_function& code, const std::vector<ir_name>& values, const block_set& loop) {
  ir_names variables;
  for (const ir_name each : values) variables.merge(variables_in(code, each));
  return std::none_of(code.instructions().begin(), code.instructions().end(), [&](const ir_instruction& each) {
    return each.operation == "store" && loop[each.block] && variables.count(pointer_of(each)) != 0;
  });
}

/// Whether a value, got from these operands, decides a loop around it that does not change them.
bool is_polled(const ir_function& code, const ir_instruction& one) {
  if (one.result.empty()) return false;
  const std::vector<block_set> loops = code.loops_around(one.block);
  if (loops.empty()) return false;
  const flow reached(code, one.result);
  return std::any_of(loops.begin(), loops.end(), [&](const block_set& loop) {
    bool decides = false;
    for (std::size_t block = 0; block < loop.size(); ++block) {
      const ir_block& each = code.blocks()[block];
      const bool may_leave =
          std::any_of(each.next.begin(), each.next.end(), [&](std::size_t next) { return !loop[next]; });
      decides = decides || (loop[block] && may_leave && reached.reaches(code.instructions()[each.last]));
    }
    return decides && stay_the_same(code, one.operands, loop);
  });
}

/// Whether a store's value comes from a load of the same object, or from a function that was given it.
bool is_update(const ir_function& code, const ir_instruction& store) {
  const ir_name object = code.object_of(pointer_of(store));
  for (const ir_name each : store.operands) {
    if (each == pointer_of(store)) continue;
    for (const ir_name source : sources_of(code, each)) {
      const ir_instruction* const defined = code.definition(source);
      if (defined == nullptr || (defined->operation != "load" && defined->operation != "call")) continue;
      for (const ir_name operand : defined->operands) {
        // A load of the variable that holds the pointer is none of the object.
        const bool is_pointer = code.is_variable(operand) && defined->operation == "load";
        if (!is_pointer && code.object_of(operand) == object) return true;
      }
    }
  }
  return false;
}

class volatile_rewriter {
 public:
  explicit volatile_rewriter(std::string_view code) {
    while (!code.empty()) {
      lines_.push_back(code.substr(0, code.find('\n')));
      code.remove_prefix(std::min(lines_.back().size() + 1, code.size()));
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!lines_[i].starts_with("define ")) continue;
      const std::size_t first = i;
      bool has_volatile = false;
      for (; i < lines_.size() && lines_[i] != "}"; ++i) {
        has_volatile = has_volatile || lines_[i].find(" volatile ") != std::string_view::npos;
      }
      spans_.push_back({first, i, has_volatile});
    }
  }

  std::string result() {
    for (const span& each : spans_) {
      if (each.has_volatile) rewrite(each);
    }
    std::string text;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto changed = changed_.find(i);
      text += changed != changed_.end() ? changed->second : lines_[i];
      text += '\n';
    }
    const bool is_opaque = text.find("load ptr,") != std::string::npos || text.find(", ptr ") != std::string::npos;
    const std::string_view pointer = is_opaque ? "ptr" : "i8*";
    if (changed_.empty()) return text;
    for (const std::string_view name : {read_callback, write_callback})
      text += fmt::format("declare void @{}({}) nounwind\n", name, pointer);
    text += fmt::format("declare void @{}({}, i64) nounwind\n", poll_callback, pointer);
    return text;
  }

 private:
  struct span {
    std::size_t first, end;
    bool has_volatile;
  };

  ir_function function_of(const span& lines) const {
    return ir_function({lines_.begin() + static_cast<std::ptrdiff_t>(lines.first),
                        lines_.begin() + static_cast<std::ptrdiff_t>(lines.end)});
  }

  void rewrite(const span& function) {
    const ir_function code = function_of(function);
    for (const ir_instruction& each : code.instructions()) {
      const std::optional<volatile_access> access = volatile_access_of(each);
      if (!access || code.is_variable(code.base_of(pointer_of(each)))) continue;
      const bool is_load = each.operation == "load";
      const bool becomes_atomic =
          may_be_atomic(*access) &&
          (is_load ? is_polled(code, each) || is_polled_by_callers(code, each) : !is_update(code, each));
      const std::string_view order = becomes_atomic ? " monotonic" : "", atomic = becomes_atomic ? "atomic " : "";
      std::string text;
      if (!becomes_atomic) {
        text = call(is_load ? read_callback : write_callback, *access);
      } else if (is_load) {
        text = call(poll_callback, *access, bytes_of(access->type));
      }  // An atomic store tells of itself.
      text += fmt::format("  {}{} {}volatile {}{}{}", access->before, each.operation, atomic, access->middle, order,
                          access->rest);
      changed_[function.first + each.line] = std::move(text);
    }
  }

  /// A function that only loads and returns is a poll if all its calls are.
  bool is_polled_by_callers(const ir_function& code, const ir_instruction& load) const {
    const flow reached(code, load.result);
    const bool is_returned =
        std::any_of(code.instructions().begin(), code.instructions().end(),
                    [&](const ir_instruction& each) { return each.operation == "ret" && reached.reaches(each); });
    if (!is_returned || code.blocks().size() != 1) return false;
    std::size_t calls = 0;
    for (const span& each : spans_) {
      const ir_function caller = function_of(each);
      for (const ir_instruction& one : caller.instructions()) {
        const bool names_it = std::find(one.operands.begin(), one.operands.end(), code.name()) != one.operands.end();
        if (!names_it) continue;
        if (one.operation != "call" || !is_polled(caller, one)) return false;
        ++calls;
      }
    }
    return calls != 0;
  }

  /// `bytes`: the callback's second argument; 0: it has none.
  std::string call(std::string_view callback, const volatile_access& access, unsigned bytes = 0) {
    const std::size_t debug_at = access.rest.find(", !dbg ");
    const std::string_view debug = debug_at == std::string_view::npos ? "" : access.rest.substr(debug_at);
    const std::string_view debug_alone = debug.substr(0, debug.find(", ", 2));
    std::string text, pointer(access.pointer);
    if (!access.pointer.starts_with("ptr ")) {
      pointer = fmt::format("i8* %simt.volatile.{}", count_);
      text = fmt::format("  %simt.volatile.{} = bitcast {} to i8*\n", count_, access.pointer);
      ++count_;
    }
    if (bytes != 0) pointer += fmt::format(", i64 {}", bytes);
    return text + fmt::format("  call void @{}({}){}\n", callback, pointer, debug_alone);
  }

  std::vector<std::string_view> lines_;
  std::vector<span> spans_;
  std::map<std::size_t, std::string> changed_;  ///< lines
  std::size_t count_ = 0;
};

}  // namespace

std::string with_volatile_accesses(std::string_view code) {
  if (code.find(" volatile ") == std::string_view::npos) return std::string(code);
  return volatile_rewriter(code).result();
}

}  // namespace warpz
