// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/warp_size_literals.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "source/tokens.hpp"

namespace warpz {
namespace {

constexpr std::uint64_t mask_of_32_lanes = 0xffffffff;

bool is_warp_operation(std::string_view name) {
  constexpr std::array beginnings{"__shfl", "__match_a", "__reduce_", "__ballot", "shuffle_", "shfl"};
  constexpr std::array names{"__any", "__all", "__any_sync", "__all_sync", "__syncwarp", "syncwarp", "broadcast"};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [name](const char* each) { return name.starts_with(each); }) ||
         std::find(names.begin(), names.end(), name) != names.end();
}

bool returns_lane_mask(std::string_view name) {
  return name.starts_with("__ballot") || name.starts_with("__match_a") || name == "__activemask";
}

bool has_32_bits(std::string_view type) {
  constexpr std::array types{"int", "unsigned", "uint32_t", "int32_t"};
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// Takes a set of lanes in 32 bits.
bool takes_32_bits(std::string_view function) {
  constexpr std::array names{"__popc",        "__ffs",        "__clz", "__brev", "__builtin_popcount",
                             "__builtin_ctz", "__builtin_clz"};
  return std::find(names.begin(), names.end(), function) != names.end();
}

/// A variable's name that says that it is a lane's number.
bool names_lane(std::string_view name) {
  constexpr std::array names{"lane", "lane_id", "laneId", "laneid", "laneID", "lane_idx", "laneIdx", "lid"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Why a line is written for 32 lanes. Empty: it may as well be a step of code for 64.
constexpr std::string_view may_be_a_step,
    mask_of_32 = "a mask names 32 lanes", size_of_32 = "a width or a lane is that of 32 lanes",
    loop_of_32 = "a loop goes over 32 lanes", kept_in_32 = "a set of lanes is kept in 32 bits",
    number_of_32 = "a lane's or a warp's number is computed for 32 lanes",
    bit_of_32 = "a lane's bit is shifted in 32 bits", last_of_32 = "31 is taken for the last lane";

class literal_search {
 public:
  literal_search(std::string_view source, unsigned warp_size)
      : tokens_(tokens_of(source, directives::included)),
        constants_(integer_constants(tokens_)),
        warp_size_(warp_size) {
    find_names_of_thread();
    find_names_of_masks();
  }

  /// With the reasons.
  std::map<unsigned, std::string_view> lines() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (has(i, "for") && has(i + 1, "(") && is_written_for_warp(loop_at(i))) report(i, loop_of_32);
      if (is_call(i)) report_arguments(i);
      if (is_mask_cut_to_32_bits(i)) report(i, kept_in_32);
      if (is_lane_or_warp_number(i)) report(i, number_of_32);
      if (is_bit_in_32_bits(i)) report(i, bit_of_32);
      if (is_last_lane(i)) report(i, last_of_32);
    }
    return found_;
  }

 private:
  using range = std::span<const token>;

  struct loop {
    range header, body;
  };

  void report(std::size_t at, std::string_view reason) {
    std::string_view& known = found_.emplace(tokens_[at].line, reason).first->second;
    if (known.empty()) known = reason;
  }

  bool has(std::size_t at, std::string_view text) const { return at < tokens_.size() && tokens_[at].is(text); }
  bool is_call(std::size_t at) const { return is_warp_operation(tokens_[at].text) && has(at + 1, "("); }

  std::optional<std::uint64_t> value(const token& each) const {
    const auto constant = constants_.find(each.text);
    return constant != constants_.end() ? std::optional(constant->second) : integer_value(each);
  }
  bool is_warp_size(const token& each) const { return value(each) == warp_size_; }
  bool is_warp_size_or_half(const token& each) const { return is_warp_size(each) || value(each) == warp_size_ / 2; }

  /// What lies between the bracket at `open`, if it is one, and the one that closes it; up to the end where none does.
  range between(std::size_t open, std::string_view opens, std::string_view closes) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (has(i, opens)) ++depth;
      if (has(i, closes) && --depth == 0) return range(tokens_).subspan(open + 1, i - open - 1);
    }
    return range(tokens_).subspan(std::min(open + 1, tokens_.size()));
  }

  /// The arguments of the call whose parenthesis opens at `open`.
  std::vector<range> arguments_of(std::size_t open) const {
    const range all = between(open, "(", ")");
    std::vector<range> arguments;
    std::size_t begin = 0, depth = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].is("(") || all[i].is("[")) ++depth;
      if (all[i].is(")") || all[i].is("]")) --depth;
      if (depth != 0 || !all[i].is(",")) continue;
      arguments.push_back(all.subspan(begin, i - begin));
      begin = i + 1;
    }
    arguments.push_back(all.subspan(begin));
    return arguments;
  }

  /// `__shfl(v, 31)`, `__shfl_xor(v, 1, 32)`, `__ballot_sync(0xffffffff, p)`. Of a *_sync operation the second argument
  /// is the value.
  void report_arguments(std::size_t call) {
    const bool is_masked = tokens_[call].text.ends_with("_sync");
    const std::size_t width = is_masked ? 3 : 2;
    const std::vector<range> arguments = arguments_of(call + 1);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].size() != 1 || (is_masked && i == 1)) continue;
      const token& argument = arguments[i].front();
      if (i == 0) {
        if (warp_size_ == 32 && value(argument) == mask_of_32_lanes) report(call, mask_of_32);
      } else if (i >= width ? is_warp_size(argument) : value(argument) == warp_size_ - 1) {
        report(call, size_of_32);
      } else if (i < width && is_warp_size_or_half(argument)) {
        report(call, may_be_a_step);
      }
    }
  }

  /// The place before the namespaces of the name at `at`.
  std::size_t before_scopes(std::size_t at) const {
    while (at > 0 && has(at - 1, "::")) at -= at > 1 && tokens_[at - 2].kind == token_kind::word ? 2 : 1;
    return at;
  }

  /// `unsigned above = __ballot(...)`, also where it is assigned later or cast, or goes to a function that takes 32
  /// bits; namespaces may precede the operation.
  bool is_mask_cut_to_32_bits(std::size_t at) const {
    if (warp_size_ != 32 || !has(at + 1, "(")) return false;
    if (takes_32_bits(tokens_[at].text)) {
      const range argument = between(at + 1, "(", ")");
      return std::any_of(argument.begin(), argument.end(), [this](const token& each) {
        return returns_lane_mask(each.text) || masks_.contains(each.text);
      });
    }
    if (!returns_lane_mask(tokens_[at].text)) return false;
    const std::size_t begin = before_scopes(at);
    if (begin >= 2 && has(begin - 1, "=")) {
      const std::string_view name = tokens_[begin - 2].text;
      if (begin >= 3 && tokens_[begin - 3].kind == token_kind::word) return is_narrow_at(begin - 2);
      return narrow_.contains(name) && !wide_.contains(name);
    }
    if (begin >= 3 && has(begin - 1, ")") && has(begin - 3, "(")) return has_32_bits(tokens_[begin - 2].text);
    if (begin >= 4 && has(begin - 1, "(") && has(begin - 2, ">")) return has_32_bits(tokens_[begin - 3].text);
    return begin >= 2 && has(begin - 1, "(") && has_32_bits(tokens_[begin - 2].text);
  }

  /// Names that are given threadIdx.x as their value.
  void find_names_of_thread() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const std::size_t end = behind_thread(i + 2);
      if (has(i + 1, "=") && end != i + 2 && (has(end, ";") || has(end, ","))) threads_.insert(tokens_[i].text);
    }
  }

  /// Whether a type of 32 bits is before the name at `at`.
  bool is_narrow_at(std::size_t at) const {
    return at >= 1 && has_32_bits(tokens_[at - 1].text) && (at < 2 || !has(at - 2, "long"));
  }

  /// Variables of 32 bits, and of other types, and those of any type that are given a set of lanes.
  void find_names_of_masks() {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].kind != token_kind::word) continue;
      const bool is_declared = has(i + 1, "=") || has(i + 1, ";") || has(i + 1, ",") || has(i + 1, ")");
      if (is_declared && tokens_[i - 1].kind == token_kind::word)
        (is_narrow_at(i) ? narrow_ : wide_).insert(tokens_[i].text);
      if (returns_lane_mask(tokens_[i].text) && has(i + 1, "(")) {
        const std::size_t begin = before_scopes(i);
        if (begin >= 2 && has(begin - 1, "=")) masks_.insert(tokens_[begin - 2].text);
      }
    }
  }

  /// `1u << lane`
  bool is_bit_in_32_bits(std::size_t at) const {
    if (warp_size_ != 32 || !has(at + 1, "<<") || at + 2 >= tokens_.size()) return false;
    const std::string_view one = tokens_[at].text;
    return (one == "1" || one == "1u" || one == "1U") && names_lane(tokens_[at + 2].text);
  }

  /// `lane == 31`, `lane < 32`
  bool is_last_lane(std::size_t at) const {
    if (!names_lane(tokens_[at].text) || at + 2 >= tokens_.size()) return false;
    const std::optional<std::uint64_t> number = value(tokens_[at + 2]);
    if (has(at + 1, "==") || has(at + 1, "!=")) return number == warp_size_ - 1;
    return false;
  }

  /// The place behind threadIdx.x, or behind a name for it; `at` itself where it is neither.
  std::size_t behind_thread(std::size_t at) const {
    if (has(at, "threadIdx") && has(at + 1, ".") && has(at + 2, "x")) return at + 3;
    return at < tokens_.size() && threads_.contains(tokens_[at].text) ? at + 1 : at;
  }

  /// The place behind the parentheses around it, where there are some, as in `static_cast<int>(threadIdx.x)`; `at`
  /// itself for a call.
  std::size_t behind_thread_in_parentheses(std::size_t at) const {
    std::size_t end = behind_thread(at);
    if (end == at) return at;
    for (std::size_t open = at; has(end, ")") && open >= 2 && has(open - 1, "("); ++end) {
      --open;
      if (tokens_[open - 1].kind == token_kind::word) return at;
    }
    return end;
  }

  /// `threadIdx.x / 32`, `% 32`, `& 31`, `>> 5`.
  bool is_lane_or_warp_number(std::size_t at) const {
    const std::size_t sign = behind_thread_in_parentheses(at);
    if (sign == at || sign + 1 >= tokens_.size()) return false;
    const std::optional<std::uint64_t> size = value(tokens_[sign + 1]);
    if (!size) return false;
    if (has(sign, "/") || has(sign, "%")) return *size == warp_size_;
    if (has(sign, "&")) return *size == warp_size_ - 1;
    return has(sign, ">>") && *size < 64 && std::uint64_t{1} << *size == warp_size_;
  }

  loop loop_at(std::size_t at) const {
    const range header = between(at + 1, "(", ")");
    const std::size_t begin = at + header.size() + 3;
    if (has(begin, "{")) return {header, between(begin, "{", "}")};
    std::size_t end = std::min(begin, tokens_.size());
    while (end < tokens_.size() && !has(end, ";")) ++end;
    return {header, range(tokens_).subspan(std::min(begin, end), end - std::min(begin, end))};
  }

  bool is_written_for_warp(const loop& each) const {
    return (begins_at_thread(each) && advances_by_warp(each)) ||
           (is_bounded_by_warp(each) && calls_with_variable(each));
  }

  bool begins_at_thread(const loop& each) const {
    return std::any_of(each.header.begin(), each.header.end(), [this](const token& one) {
      const auto at = static_cast<std::size_t>(&one - tokens_.data());
      return behind_thread(at) != at;
    });
  }

  bool advances_by_warp(const loop& each) const {
    for (std::size_t i = 1; i < each.header.size(); ++i) {
      if (each.header[i - 1].is("+=") && is_warp_size(each.header[i])) return true;
    }
    return false;
  }

  /// `d = 16`, `d = 32 / 2`, `d < 32`, `d <= 16`; but not `d = 32`, which is half of 64.
  bool is_bounded_by_warp(const loop& each) const {
    for (std::size_t i = 1; i < each.header.size(); ++i) {
      const token &before = each.header[i - 1], &one = each.header[i];
      const bool is_halved = i + 1 < each.header.size() && (each.header[i + 1].is("/") || each.header[i + 1].is(">>"));
      if (before.is("=") && (is_halved ? is_warp_size(one) : value(one) == warp_size_ / 2)) return true;
      if ((before.is("<") || before.is("!=")) && is_warp_size(one)) return true;
      if (before.is("<=") && value(one) == warp_size_ / 2) return true;
    }
    return false;
  }

  /// Whether a warp operation in the loop's body uses a variable that the header sets.
  bool calls_with_variable(const loop& each) const {
    std::set<std::string_view> variables;
    for (std::size_t i = 1; i < each.header.size(); ++i) {
      if (each.header[i].is("=")) variables.insert(each.header[i - 1].text);
    }
    for (const token& one : each.body) {
      const auto at = static_cast<std::size_t>(&one - tokens_.data());
      if (!is_call(at)) continue;
      const range arguments = between(at + 1, "(", ")");
      if (std::any_of(arguments.begin(), arguments.end(), [&](const token& t) { return variables.contains(t.text); }))
        return true;
    }
    return false;
  }

  const std::vector<token> tokens_;
  const std::map<std::string_view, std::uint64_t> constants_;
  const std::uint64_t warp_size_;
  std::set<std::string_view> threads_;  ///< names for threadIdx.x
  std::set<std::string_view> narrow_;   ///< variables of 32 bits
  std::set<std::string_view> wide_;     ///< variables of other types
  std::set<std::string_view> masks_;    ///< variables that are given a set of lanes
  std::map<unsigned, std::string_view> found_;
};

/// The line of this number, from 1, without the blanks around it.
std::string trimmed_line(std::string_view source, unsigned number) {
  while (--number != 0) source.remove_prefix(std::min(source.find('\n') + 1, source.size()));
  const std::string_view line = source.substr(0, source.find('\n'));
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1));
}

}  // namespace

std::vector<source_line> warp_size_literals(std::string_view source, const std::string& file, unsigned warp_size) {
  std::vector<source_line> lines;
  for (const auto& [line, reason] : literal_search(source, warp_size).lines())
    lines.push_back({trimmed_line(source, line), file, line});
  return lines;
}

std::vector<warp_size_assumption> warp_size_assumptions(std::string_view source, const std::string& file) {
  std::vector<warp_size_assumption> found;
  for (const auto& [line, reason] : literal_search(source, 32).lines())
    if (!reason.empty()) found.push_back({{trimmed_line(source, line), file, line}, std::string(reason)});
  return found;
}

std::vector<unsigned> whole_warp_loops(std::string_view source) {
  const std::vector<token> tokens = tokens_of(source);
  const auto is_32 = [](const token& each) { return integer_value(each) == 32; };
  if (std::none_of(tokens.begin(), tokens.end(), is_32)) return {};
  std::vector<unsigned> lines;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is("for") || !tokens[i + 1].is("(")) continue;
    bool has_warp_size = false, has_shuffle = false;
    unsigned commas = 0;
    int depth = 0;
    // The head, and the one statement or the braces behind it.
    for (std::size_t at = i + 1, braces = 0; at < tokens.size(); ++at) {
      if (tokens[at].is("(")) ++depth;
      if (tokens[at].is(")")) --depth;
      if (tokens[at].is("{")) ++braces;
      if (tokens[at].is("}")) --braces;
      has_warp_size = has_warp_size || tokens[at].is("warpSize");
      if (tokens[at].text.starts_with("__shfl")) {
        const std::size_t open = at + 1;
        const std::size_t arguments = tokens[at].text.ends_with("_sync") ? 3 : 2;
        int inner = 0;
        for (std::size_t each = open; each < tokens.size(); ++each) {
          if (tokens[each].is("(")) ++inner;
          if (tokens[each].is(")") && --inner == 0) break;
          if (inner == 1 && tokens[each].is(",")) ++commas;
        }
        has_shuffle = has_shuffle || commas + 1 == arguments;
        commas = 0;
      }
      if (depth == 0 && braces == 0 && (tokens[at].is(";") || tokens[at].is("}"))) break;
    }
    if (has_warp_size && has_shuffle) lines.push_back(tokens[i].line);
  }
  return lines;
}

}  // namespace warpz
