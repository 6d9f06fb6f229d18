// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/atomic_update.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "findings/lane_groups.hpp"
#include "source/source_assignment.hpp"

namespace warpz {
namespace {

/// `atomicAdd(&target, operand)`
struct atomic_call {
  std::string_view function;
  std::string_view target;
  std::string operand;
  source_statement replaced;  ///< without its `;`
};

class update_search {
 public:
  update_search(const symbolized_finding& race, const source_outline& outline)
      : race_(race), outline_(outline), all_(outline.tokens()) {}

  std::optional<atomic_call> find(const source_statement& statement) const {
    // Of a sum it takes the run to tell: a tree's steps look the same.
    const bool is_update = race_.record.pattern == WARPZ_RACE_UPDATE;
    std::optional<atomic_call> found = conditional(statement);
    if (!found && is_update) found = counted(statement);
    const auto parts = assignment_in(outline_, statement);
    if (!found && parts && is_update) found = assigned(*parts);
    return found && (!chooses(*found) || !is_of_same(*found)) ? found : std::nullopt;
  }

  /// Whether there is such an atomic of the element's type. CUDA has none for the maximum of floats.
  bool exists(const atomic_call& call) const {
    const auto groups = groups_of(race_.record);
    const bool is_small =
        std::any_of(groups.begin(), groups.end(), [](const auto& each) { return each.bytes % 4 != 0; });
    return !is_small && (!chooses(call) || !race_.is_of_cuda || is_of_integers(call.target));
  }

 private:
  static bool chooses(const atomic_call& call) { return call.function != "atomicAdd"; }

  /// Whether all that the file declares by the target's name are integers, or point to some.
  bool is_of_integers(std::string_view target) const {
    constexpr std::array<std::string_view, 6> between{"*", "&", "const", "volatile", "__restrict__", "__restrict"};
    constexpr std::array<std::string_view, 4> floats{"float", "double", "half", "__half"};
    constexpr std::array<std::string_view, 7> integers{"int",     "unsigned", "long",   "uint32_t",
                                                       "int32_t", "uint64_t", "int64_t"};
    const auto has = [](const auto& words, const token& each) {
      return std::find(words.begin(), words.end(), each.text) != words.end();
    };
    const std::vector<token> words = tokens_of(target);
    const auto name =
        std::find_if(words.begin(), words.end(), [](const token& each) { return each.kind == token_kind::word; });
    bool is_known = false;
    for (std::size_t i = 1; name != words.end() && i < all_.size(); ++i) {
      std::size_t type = i - 1;
      while (type > 0 && has(between, all_[type])) --type;
      if (!all_[i].is(name->text)) continue;
      if (has(floats, all_[type])) return false;
      is_known = is_known || has(integers, all_[type]);
    }
    return is_known;
  }

  /// Whether the operand is of the same array: a step of a tree.
  bool is_of_same(const atomic_call& call) const {
    const std::vector<token> target = tokens_of(call.target), operand = tokens_of(call.operand);
    const auto is_word = [](const token& each) { return each.kind == token_kind::word; };
    const auto name = std::find_if(target.begin(), target.end(), is_word);
    return name == target.end() ||
           std::any_of(operand.begin(), operand.end(), [&](const token& each) { return each.is(name->text); });
  }

  std::string_view text(std::size_t first, std::size_t last) const { return outline_.text(first, last); }

  /// The only token of these words in the part, outside of brackets.
  template <std::size_t count>
  std::optional<std::size_t> only(std::size_t first, std::size_t last,
                                  const std::array<std::string_view, count>& words) const {
    std::optional<std::size_t> found;
    int depth = 0;
    for (std::size_t i = first; i <= last; ++i) {
      if (all_[i].is("(") || all_[i].is("[") || all_[i].is("{")) ++depth;
      if (all_[i].is(")") || all_[i].is("]") || all_[i].is("}")) --depth;
      if (depth != 0) continue;
      const bool is_logic = all_[i].is("&&") || all_[i].is("||");
      if (is_logic) return {};
      if (std::find(words.begin(), words.end(), all_[i].text) == words.end()) continue;
      if (found) return {};
      found = i;
    }
    return found && *found > first && *found < last ? found : std::nullopt;
  }

  /// What takes the place of `target` where these tokens compare it with that: the greater value or the smaller one.
  std::optional<atomic_call> replaced_if(std::size_t first, std::size_t last, std::string_view target,
                                         std::string_view value) const {
    constexpr std::array<std::string_view, 4> signs{"<", ">", "<=", ">="};
    const auto sign = only(first, last, signs);
    if (!sign) return {};
    const std::string_view left = text(first, *sign - 1), right = text(*sign + 1, last);
    const bool is_left = left == value && right == target;
    if (!is_left && !(left == target && right == value)) return {};
    const bool is_greater = all_[*sign].text.front() == '>';
    return atomic_call{is_greater == is_left ? "atomicMax" : "atomicMin", target, std::string(value), {}};
  }

  /// `if (value > top) top = value;`
  std::optional<atomic_call> conditional(const source_statement& statement) const {
    if (!all_[statement.first].is("if") || !all_[statement.first + 1].is("(")) return {};
    const std::size_t close = closing_bracket(all_, statement.first + 1);
    if (close + 3 > statement.last) return {};
    const bool has_braces = all_[close + 1].is("{");
    if (has_braces && !all_[statement.last].is("}")) return {};
    const source_statement inner{close + (has_braces ? 2U : 1U), statement.last - (has_braces ? 1 : 0)};
    if (!all_[inner.last].is(";") || all_[inner.first].is("if") || outline_.has_word(inner, {"else"})) return {};
    const auto ends = std::count_if(all_.begin() + static_cast<std::ptrdiff_t>(inner.first),
                                    all_.begin() + static_cast<std::ptrdiff_t>(inner.last) + 1,
                                    [](const token& each) { return each.is(";"); });
    const auto parts = ends == 1 ? assignment_in(outline_, inner) : std::nullopt;
    if (!parts || !all_[parts->sign].is("=")) return {};
    auto found = replaced_if(statement.first + 2, close - 1, text(parts->first, parts->sign - 1),
                             text(parts->sign + 1, parts->last));
    if (found) found->replaced = {statement.first, has_braces ? statement.last : statement.last - 1};
    return found;
  }

  /// `count++`, also behind an `if`.
  std::optional<atomic_call> counted(const source_statement& statement) const {
    std::size_t first = statement.first;
    if (all_[first].is("if") && all_[first + 1].is("(")) first = closing_bracket(all_, first + 1) + 1;
    const std::size_t last = statement.last - 1;
    if (first + 1 > last || !all_[statement.last].is(";")) return {};
    const bool is_behind = all_[last].is("++") || all_[last].is("--");
    const bool is_before = all_[first].is("++") || all_[first].is("--");
    if (is_behind == is_before) return {};
    const source_statement target{first + (is_before ? 1 : 0), last - (is_behind ? 1 : 0)};
    const bool is_pointed_to = all_[target.first].is("*") && target.first + 1 == target.last;
    const bool is_alone =
        is_pointed_to || all_[target.first].is("(") || target.first == target.last || all_[target.last].is("]");
    if (!is_alone || outline_.has_word(target, {"=", "*=", ",", "?"})) return {};
    source_statement named = target;
    if (all_[named.first].is("(") && closing_bracket(all_, named.first) == named.last)
      named = {named.first + 1, named.last - 1};
    const bool counts_up = all_[is_behind ? last : first].is("++");
    return atomic_call{"atomicAdd", text(named.first, named.last), counts_up ? "1" : "-1", {first, last}};
  }

  std::optional<atomic_call> assigned(const source_assignment& parts) const {
    const std::string_view target = text(parts.first, parts.sign - 1), sign = all_[parts.sign].text;
    const source_statement whole{parts.first, parts.last};
    const std::string value(text(parts.sign + 1, parts.last));
    if (sign == "+=") return atomic_call{"atomicAdd", target, value, whole};
    if (sign == "-=") return atomic_call{"atomicAdd", target, fmt::format("-({})", value), whole};
    if (sign != "=") return {};
    const std::size_t begin = parts.sign + 1, length = parts.sign - parts.first;
    if (begin + length < parts.last && all_[begin + length].is("+") && text(begin, begin + length - 1) == target)
      return atomic_call{"atomicAdd", target, std::string(text(begin + length + 1, parts.last)), whole};
    std::optional<atomic_call> found = chosen(begin, parts.last, target);
    if (!found) found = of_two(begin, parts.last, target);
    if (found) found->replaced = whole;
    return found;
  }

  /// `value > top ? value : top`
  std::optional<atomic_call> chosen(std::size_t first, std::size_t last, std::string_view target) const {
    constexpr std::array<std::string_view, 1> asks{"?"}, otherwise{":"};
    const auto question = only(first, last, asks), colon = only(first, last, otherwise);
    if (!question || !colon || *colon < *question + 2) return {};
    const std::string_view one = text(*question + 1, *colon - 1), other = text(*colon + 1, last);
    if ((one == target) == (other == target)) return {};
    std::optional<atomic_call> found = replaced_if(first, *question - 1, target, one == target ? other : one);
    // It stays where the comparison holds.
    if (found && one == target) found->function = found->function == "atomicMax" ? "atomicMin" : "atomicMax";
    return found;
  }

  /// `max(top, value)`
  std::optional<atomic_call> of_two(std::size_t first, std::size_t last, std::string_view target) const {
    constexpr std::array<std::string_view, 5> greater{"max", "fmaxf", "fmax", "umax", "ullmax"},
        smaller{"min", "fminf", "fmin", "umin", "ullmin"};
    const std::size_t name = first + (all_[first].is("std") || all_[first].is("::") ? 1 : 0) + (all_[first].is("std"));
    const auto is_one_of = [&](const auto& words) {
      return std::find(words.begin(), words.end(), all_[name].text) != words.end();
    };
    const bool is_max = is_one_of(greater);
    if ((!is_max && !is_one_of(smaller)) || !all_[name + 1].is("(") || closing_bracket(all_, name + 1) != last)
      return {};
    constexpr std::array<std::string_view, 1> commas{","};
    const auto comma = only(name + 2, last - 1, commas);
    if (!comma) return {};
    const std::string_view one = text(name + 2, *comma - 1), other = text(*comma + 1, last - 1);
    if ((one == target) == (other == target)) return {};
    return atomic_call{is_max ? "atomicMax" : "atomicMin", target, std::string(one == target ? other : one), {}};
  }

  const symbolized_finding& race_;
  const source_outline& outline_;
  const std::vector<token>& all_;
};

/// `&*top` is `top`.
std::string address_of(std::string_view target) {
  const std::string_view pointer = target.substr(1);
  const bool is_name = std::all_of(pointer.begin(), pointer.end(), [](char each) {
    return each == '_' || (each >= '0' && each <= '9') || ((each | 0x20) >= 'a' && (each | 0x20) <= 'z');
  });
  return target.front() == '*' && is_name ? std::string(pointer) : fmt::format("&{}", target);
}

/// The call in place of the statement; nothing where it shares its lines with others.
std::vector<line_edit> edits_for(const source_outline& outline, const source_statement& replaced,
                                 const std::string& call) {
  const unsigned line = outline.line_of(replaced.first), last = outline.line_of(replaced.last);
  if (line == last) return {{line, true, outline.replaced(replaced.first, replaced.last, call)}};
  const std::vector<token>& all = outline.tokens();
  const std::size_t behind = replaced.last + (all[replaced.last + 1].is(";") ? 2 : 1);
  const bool is_alone = (replaced.first == 0 || all[replaced.first - 1].line != line) && all[behind].line != last;
  if (!is_alone) return {};
  std::vector<line_edit> edits{{line, true, fmt::format("{}{};", outline.indent_of(line), call)}};
  for (unsigned rest = line + 1; rest <= last; ++rest) edits.push_back({rest, true, ""});
  return edits;
}

}  // namespace

std::optional<source_repair> atomic_update(const symbolized_finding& race, const source_outline& outline,
                                           const source_statement& statement) {
  const update_search search(race, outline);
  const std::optional<atomic_call> found = search.find(statement);
  if (!found || !search.exists(*found)) return {};
  std::string call = fmt::format("{}({}, {})", found->function, address_of(found->target), found->operand);
  const bool has_braces = outline.tokens()[found->replaced.last].is("}");
  const bool is_in_line = outline.line_of(found->replaced.first) == outline.line_of(found->replaced.last);
  source_repair repair{race.places.front().file,
                       edits_for(outline, found->replaced, has_braces && is_in_line ? call + ";" : call),
                       fmt::format("Both read the element and write it again, and one of the two updates is lost. Use\n"
                                   "  {}, or give each lane an element of its own.",
                                   call)};
  return repair.edits.empty() ? std::nullopt : std::optional(std::move(repair));
}

}  // namespace warpz
