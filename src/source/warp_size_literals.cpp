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

class literal_search {
 public:
  literal_search(std::string_view source, unsigned warp_size)
      : tokens_(tokens_of(source, directives::included)),
        constants_(integer_constants(tokens_)),
        warp_size_(warp_size) {
    find_names_of_thread();
  }

  std::set<unsigned> lines() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (has(i, "for") && has(i + 1, "(") && is_written_for_warp(loop_at(i))) report(i);
      if (is_call(i) && has_size_as_argument(i)) report(i);
      if (is_mask_cut_to_32_bits(i)) report(i);
      if (is_lane_or_warp_number(i)) report(i);
    }
    return found_;
  }

 private:
  using range = std::span<const token>;

  struct loop {
    range header, body;
  };

  void report(std::size_t at) { found_.insert(tokens_[at].line); }

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
  bool has_size_as_argument(std::size_t call) const {
    const bool is_masked = tokens_[call].text.ends_with("_sync");
    const std::vector<range> arguments = arguments_of(call + 1);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].size() != 1 || (is_masked && i == 1)) continue;
      const token& argument = arguments[i].front();
      const bool is_mask = warp_size_ == 32 && value(argument) == mask_of_32_lanes;
      const bool is_size = is_warp_size_or_half(argument) || value(argument) == warp_size_ - 1;
      if (i == 0 ? is_mask : is_size) return true;
    }
    return false;
  }

  /// `unsigned above = __ballot(...)`; namespaces may precede the operation.
  bool is_mask_cut_to_32_bits(std::size_t at) const {
    if (warp_size_ != 32 || !returns_lane_mask(tokens_[at].text) || !has(at + 1, "(")) return false;
    while (at > 0 && has(at - 1, "::")) at -= at > 1 && tokens_[at - 2].kind == token_kind::word ? 2 : 1;
    if (at < 3 || !has(at - 1, "=") || !has_32_bits(tokens_[at - 3].text)) return false;
    return at < 4 || !has(at - 4, "long");
  }

  /// Names that are given threadIdx.x as their value.
  void find_names_of_thread() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const std::size_t end = behind_thread(i + 2);
      if (has(i + 1, "=") && end != i + 2 && (has(end, ";") || has(end, ","))) threads_.insert(tokens_[i].text);
    }
  }

  /// The place behind threadIdx.x, or behind a name for it; `at` itself where it is neither.
  std::size_t behind_thread(std::size_t at) const {
    if (has(at, "threadIdx") && has(at + 1, ".") && has(at + 2, "x")) return at + 3;
    return at < tokens_.size() && threads_.contains(tokens_[at].text) ? at + 1 : at;
  }

  /// The same behind parentheses around nothing else, as in `static_cast<int>(threadIdx.x)`; `at` itself for a call.
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

  bool is_bounded_by_warp(const loop& each) const {
    return std::any_of(each.header.begin(), each.header.end(),
                       [this](const token& one) { return is_warp_size_or_half(one); });
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
  std::set<unsigned> found_;
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
  for (const unsigned line : literal_search(source, warp_size).lines())
    lines.push_back({trimmed_line(source, line), file, line});
  return lines;
}

}  // namespace warpz
