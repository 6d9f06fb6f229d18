// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/collective_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "findings/lane_groups.hpp"
#include "source/early_exit.hpp"
#include "source/lane_votes.hpp"
#include "source/meeting_repair.hpp"
#include "source/source_outline.hpp"
#include "source/source_patch.hpp"
#include "source/statement_words.hpp"

namespace warpz {
namespace {

/// A call, by the numbers of its tokens: the first one of its name, and its parentheses.
struct source_call {
  std::size_t name, open, close;
};

/// A call that is made before its branch.
struct lifted_call {
  source_call call;
  std::size_t branch;  ///< the token `if`
};

class call_search {
 public:
  explicit call_search(std::string_view text) : outline_(text), all_(outline_.tokens()) {}

  const source_outline& outline() const { return outline_; }

  /// The only call of the operation in the line.
  std::optional<source_call> call_in(unsigned line, std::string_view operation) const {
    std::optional<source_call> found;
    for (std::size_t i = 0; i + 1 < all_.size(); ++i) {
      if (all_[i].line != line || !all_[i].is(operation) || !all_[i + 1].is("(")) continue;
      const std::size_t close = closing(i + 1);
      if (found || close == 0) return {};
      std::size_t name = i;
      while (name >= 2 && all_[name - 1].is("::")) name -= 2;
      found = {name, i + 1, close};
    }
    return found;
  }

  /// Those of operations with masks that stand in the scope itself, or in loops there.
  std::vector<source_call> calls_in(const source_scope& scope) const {
    std::vector<source_call> found;
    for (std::size_t i = scope.open; i + 1 < scope.close; ++i) {
      const std::vector<source_scope> around = outline_.around(i);
      const bool is_there = std::none_of(around.begin(), around.end(), [&](const source_scope& each) {
        return each.open > scope.open && each.kind != scope_kind::loop;
      });
      if (is_there && all_[i].text.ends_with("_sync") && all_[i + 1].is("(") && closing(i + 1) != 0)
        found.push_back({i, i + 1, closing(i + 1)});
    }
    return found;
  }

  /// The tokens of the call's argument of this number.
  std::optional<std::pair<std::size_t, std::size_t>> argument(const source_call& call, std::size_t number) const {
    std::size_t begin = call.open + 1, depth = 0;
    for (std::size_t i = begin; i <= call.close; ++i) {
      if (depth == 0 && (all_[i].is(",") || i == call.close)) {
        if (number-- == 0) return i > begin ? std::optional(std::pair(begin, i - 1)) : std::nullopt;
        begin = i + 1;
      }
      if (all_[i].is("(") || all_[i].is("[") || all_[i].is("{")) ++depth;
      if (all_[i].is(")") || all_[i].is("]") || all_[i].is("}")) --depth;
    }
    return {};
  }

  /// What a vote is on whose result alone is kept in the variable of this token.
  std::optional<std::pair<std::size_t, std::size_t>> vote_in(std::size_t variable) const {
    for (std::size_t i = variable; i-- > 1;) {
      if (!all_[i].is(all_[variable].text) || all_[i - 1].kind != token_kind::word || !all_[i + 1].is("=")) continue;
      const bool has_mask = all_[i + 2].is("__ballot_sync");
      if (!has_mask && !all_[i + 2].is("__ballot")) return {};
      const std::size_t close = closing(i + 3);
      if (close == 0 || !all_[close + 1].is(";")) return {};
      return argument({i + 2, i + 3, close}, has_mask ? 1 : 0);
    }
    return {};
  }

  /// Whether some lanes may not get to the call, for a branch or a loop around it or because they have left.
  bool is_conditional(const source_call& call) const {
    const std::vector<source_scope> scopes = outline_.around(call.name);
    if (scopes.empty() || early_exit_before(outline_, call.name)) return true;
    for (const source_scope& each : scopes) {
      const std::optional<source_statement> statement = outline_.statement_at(each, call.name);
      if (!statement || outline_.has_word(*statement, {"if", "while", "?", "&&", "||"})) return true;
      if (all_[statement->first].is("for") && !counts_alike(outline_, statement->first + 1)) return true;
    }
    return false;
  }

  /// Whether the call is a step of a loop that makes one value of those of all lanes, and not of groups of a width.
  bool is_step(const source_call& call) const {
    if (argument(call, 3)) return false;
    const statement_words words(outline_);
    for (const source_scope& each : outline_.around(call.name)) {
      const std::optional<source_statement> statement = outline_.statement_at(each, call.name);
      const std::optional<source_loop> loop =
          statement && all_[statement->first].is("for") ? words.loop_of(*statement) : std::nullopt;
      if (loop && !words.reduced_in(*loop).empty()) return true;
    }
    return false;
  }

  /// Where the call would stand in front of the one branch around it.
  std::optional<lifted_call> lifted(const source_call& call) const {
    if (!has_simple_operands(call)) return {};
    const std::vector<source_scope> scopes = outline_.around(call.name);
    if (scopes.empty()) return {};
    const source_scope& inner = scopes.back();
    const std::optional<source_statement> statement = outline_.statement_at(inner, call.name);
    if (!statement || outline_.line_of(statement->last) != all_[call.name].line) return {};
    if (all_[statement->first].is("if")) {
      // Without braces, in one line.
      const std::size_t condition = statement->first + 1;
      const bool is_behind = all_[condition].is("(") && closing(condition) < call.name &&
                             all_[statement->first].line == all_[call.name].line;
      return is_behind ? std::optional(lifted_call{call, statement->first}) : std::nullopt;
    }
    if (inner.kind != scope_kind::branch || all_[statement->first].line != all_[call.name].line) return {};
    const std::optional<std::size_t> begin = begin_of(inner);
    if (!begin || changes_operand(call, inner.open)) return {};
    return lifted_call{call, *begin};
  }

 private:
  /// The number of the parenthesis that closes; 0: there is none.
  std::size_t closing(std::size_t open) const {
    const std::size_t close = closing_bracket(all_, open);
    return close == all_.size() ? 0 : close;
  }

  /// Names and numbers only: the branch may be what keeps others within bounds.
  bool has_simple_operands(const source_call& call) const {
    return std::all_of(all_.begin() + static_cast<std::ptrdiff_t>(call.open),
                       all_.begin() + static_cast<std::ptrdiff_t>(call.close), [](const token& each) {
                         return each.kind == token_kind::word || each.kind == token_kind::number || each.is("(") ||
                                each.is(")") || each.is(",") || each.is("~") || each.is("+") || each.is("-") ||
                                each.is("<<");
                       });
  }

  /// The `if` with which the branch begins, also where it is the other branch of it.
  std::optional<std::size_t> begin_of(const source_scope& branch) const {
    if (all_[branch.header].is("if")) {
      const bool is_else = branch.header != 0 && all_[branch.header - 1].is("else");
      return is_else ? std::nullopt : std::optional(branch.header);
    }
    if (!all_[branch.header].is("else") || branch.header < 2) return {};
    const std::vector<source_scope> before = outline_.around(branch.header - 2);
    if (before.empty() || before.back().close + 1 != branch.header) return {};
    return begin_of(before.back());
  }

  /// Whether the branch declares or changes what the call needs, before it.
  bool changes_operand(const source_call& call, std::size_t from) const {
    for (std::size_t operand = call.open; operand < call.close; ++operand) {
      if (all_[operand].kind != token_kind::word) continue;
      for (std::size_t i = from + 1; i + 1 < call.name; ++i) {
        if (!all_[i].is(all_[operand].text)) continue;
        const std::string_view next = all_[i + 1].text;
        const bool is_changed = all_[i + 1].kind == token_kind::punctuator && next.ends_with('=') && next != "==" &&
                                next != "!=" && next != "<=" && next != ">=";
        // `mine = __shfl(mine, 3)` changes it behind the call.
        if ((is_changed && all_[i].line != all_[call.name].line) || all_[i - 1].kind == token_kind::word ||
            next == "++" || next == "--")
          return true;
      }
    }
    return false;
  }

  const source_outline outline_;
  const std::vector<token>& all_;
};

/// The name of the operation of a group of lanes.
std::string_view operation_at(const symbolized_finding& finding, std::size_t group) {
  const char* const name = finding.record.groups[group].place.operation;
  return {name, strnlen(name, sizeof finding.record.groups[group].place.operation)};
}

/// Calls in front of the one branch in whose arms lanes wait.
std::optional<source_repair> lift_calls(const symbolized_finding& finding, const call_search& search) {
  const source_outline& outline = search.outline();
  const auto groups = groups_of(finding.record);
  std::map<unsigned, lifted_call> calls;
  for (std::size_t i = 0; i < groups.size() && i < finding.places.size(); ++i) {
    if (groups[i].state != WARPZ_LANE_WAITING) continue;
    const source_line& place = finding.places[i];
    const std::optional<source_call> call =
        place.file == finding.places.front().file ? search.call_in(place.line, operation_at(finding, i)) : std::nullopt;
    const std::optional<lifted_call> lifted = call ? search.lifted(*call) : std::nullopt;
    // In a vote without a mask the others would have a say.
    const std::string_view name = operation_at(finding, i);
    if (lifted && (name == "__ballot" || name == "__any" || name == "__all")) return {};
    if (lifted) calls.insert_or_assign(place.line, *lifted);
  }
  if (calls.empty()) return {};
  const std::size_t branch = calls.begin()->second.branch;
  const unsigned head = outline.line_of(branch);
  source_repair repair{finding.places.front().file, {}, ""};
  std::string before;
  for (const auto& [line, each] : calls) {
    if (each.branch != branch || head == 1) return {};
    const std::string name = fmt::format("of_lanes_{}", line);
    before += fmt::format("{}{}const auto {} = {};", before.empty() ? "" : "\n", outline.indent_of(head), name,
                          outline.text(each.call.name, each.call.close));
    repair.edits.push_back({line, true, outline.replaced(each.call.name, each.call.close, name)});
  }
  repair.edits.push_back({head - 1, false, before});
  repair.advice = fmt::format(
      "All lanes of the warp have to reach the call: make it in front of line {}, and use its result in the branch.",
      head);
  return repair;
}

/// A mask of a call that all lanes make, and that does not name all of them.
std::optional<source_repair> name_all_lanes(const symbolized_finding& finding, const call_search& search,
                                            const source_call& call) {
  const auto mask = search.argument(call, 0);
  if (!mask || search.is_conditional(call)) return {};
  const source_line& place = finding.places.front();
  return source_repair{
      place.file,
      {{place.line, true, search.outline().replaced(mask->first, mask->second, mask_of_all_lanes(finding.is_of_cuda))}},
      fmt::format("All lanes of the warp make the call of line {}: let the mask name them all, by {}.", place.line,
                  mask_of_all_lanes(finding.is_of_cuda))};
}

struct masked_call {
  source_call call;
  std::pair<std::size_t, std::size_t> mask;  ///< tokens
};

/// The call of a finding's first operation, if it has a mask.
std::optional<masked_call> masked_call_of(const symbolized_finding& finding, const call_search& search) {
  const std::string_view operation = operation_at(finding, 0);
  const std::optional<source_call> call = search.call_in(finding.places.front().line, operation);
  const auto mask = call && operation.ends_with("_sync") ? search.argument(*call, 0) : std::nullopt;
  return mask ? std::optional(masked_call{*call, *mask}) : std::nullopt;
}

/// A vote in front of the line in which lanes leave, as the mask of the call behind it: of those that stay.
std::optional<source_repair> name_staying_lanes(const symbolized_finding& finding, const call_search& search) {
  const source_outline& outline = search.outline();
  const source_line& place = finding.places.front();
  const std::optional<masked_call> masked = masked_call_of(finding, search);
  const std::optional<early_exit> exit = masked ? early_exit_before(outline, masked->call.name) : std::nullopt;
  if (!exit || !exit->is_return || exit->scope.kind != scope_kind::function ||
      early_exit_before(outline, exit->statement.first) ||
      outline.around(masked->call.name).back().open != exit->scope.open)
    return {};
  const auto& [first, last] = masked->mask;
  const unsigned line = outline.line_of(exit->statement.first);
  const std::string stays = condition_to_stay(outline, *exit);
  if (const auto vote = first == last ? search.vote_in(first) : std::nullopt) {
    const unsigned voted = outline.line_of(vote->first);
    if (voted >= line || outline.line_of(vote->second) != voted) return {};
    return source_repair{place.file,
                         {{voted, true, outline.replaced(vote->first, vote->second, stays)}},
                         fmt::format("The mask has to name the lanes that make the call of line {}, and no others: let "
                                     "line {} vote\n  on what lets a lane stay in line {}.",
                                     place.line, voted, line)};
  }
  if (line < 2) return {};
  const std::string before = fmt::format("{}const auto staying = __ballot_sync({}, {});", outline.indent_of(line),
                                         outline.text(first, last), stays);
  return source_repair{place.file,
                       {{line - 1, false, before}, {place.line, true, outline.replaced(first, last, "staying")}},
                       fmt::format("The mask has to name the lanes that make the call of line {}, and no others: take "
                                   "it from a\n  vote in front of line {}, in which some leave.",
                                   place.line, line)};
}

/// The mask of a vote on the way to the call, in place of one that names lanes which do not come there; in all calls
/// with that mask that stand beside it.
std::optional<source_repair> name_coming_lanes(const symbolized_finding& finding, const call_search& search) {
  const source_outline& outline = search.outline();
  const source_line& place = finding.places.front();
  const std::optional<masked_call> masked = masked_call_of(finding, search);
  if (!masked || !std::all_of(finding.places.begin(), finding.places.end(),
                              [&](const source_line& each) { return each.line == 0 || each.line == place.line; }))
    return {};
  const std::string_view named = outline.text(masked->mask.first, masked->mask.second);
  std::vector<std::string> names;
  const auto votes = votes_before(outline, masked->call.name, {"__ballot_sync", std::string(named)}, names);
  if (!votes || votes->edits.empty()) return {};
  source_patch patch(outline);
  const source_scope scope = outline.around(masked->call.name).back();
  for (const source_call& each : search.calls_in(scope)) {
    const auto other = search.argument(each, 0);
    if (other && outline.text(other->first, other->second) == named)
      patch.replace(other->first, other->second, votes->lanes);
  }
  std::optional<std::vector<line_edit>> edits = patch.edits();
  if (!edits) return {};
  edits->insert(edits->begin(), votes->edits.begin(), votes->edits.end());
  return source_repair{
      place.file, *edits,
      fmt::format("The mask of line {} names lanes that do not come there. Vote with __ballot_sync {},\n"
                  "  and name those that it gives.",
                  place.line, votes->places)};
}

/// All lanes make the calls, and what is around these is in branches.
std::optional<source_repair> make_all_come(const symbolized_finding& finding, const call_search& search) {
  const auto groups = groups_of(finding.record);
  const bool is_missing = finding.record.kind == WARPZ_DIVERGED_COLLECTIVE ||
                          std::any_of(groups.begin(), groups.end(), [](const warpz_lane_group& each) {
                            return each.state == WARPZ_LANE_ELSEWHERE || each.state == WARPZ_LANE_EXITED;
                          });
  const source_line& place = finding.places.front();
  const std::vector<token>& all = search.outline().tokens();
  const auto call = std::find_if(all.begin(), all.end(), [&](const token& each) {
    return each.line == place.line && each.is(operation_at(finding, 0));
  });
  if (!is_missing || call == all.end()) return {};
  const auto number = static_cast<std::size_t>(call - all.begin());
  return repair_of_meeting(search.outline(), place.file, number,
                           finding.is_of_cuda ? meeting::of_cuda_warp : meeting::of_warp);
}

/// A width that is a number and no power of two.
std::optional<source_repair> round_width(const symbolized_finding& finding, const call_search& search,
                                         const source_call& call) {
  const auto width = search.argument(call, 2);
  if (!width || width->first != width->second) return {};
  const std::string_view text = search.outline().tokens()[width->first].text;
  unsigned value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || value == 0 || value > 64 ||
      std::has_single_bit(value))
    return {};
  const source_line& place = finding.places.front();
  const std::string wider = std::to_string(std::bit_ceil(value));
  return source_repair{
      place.file,
      {{place.line, true, search.outline().replaced(width->first, width->second, wider)}},
      fmt::format("A shuffle's groups are a power of two wide: make it {} in line {}, and give the lanes\n"
                  "  without an element a neutral value.",
                  wider, place.line)};
}

}  // namespace

std::optional<source_repair> collective_repair(const symbolized_finding& finding, std::string_view text) {
  if (finding.record.group_count == 0 || finding.places.empty() || finding.places.front().line == 0) return {};
  const call_search search(text);
  if (finding.record.kind == WARPZ_DIVERGED_COLLECTIVE) {
    std::optional<source_repair> found = lift_calls(finding, search);
    if (!found) found = name_staying_lanes(finding, search);
    // In a step over the warp, those that come read from those that do not, whatever the mask is.
    const std::optional<masked_call> masked = masked_call_of(finding, search);
    if (!found && masked && search.is_step(masked->call)) found = make_all_come(finding, search);
    if (!found) found = name_coming_lanes(finding, search);
    return found ? found : make_all_come(finding, search);
  }
  if (finding.record.kind == WARPZ_UNDEFINED_LANE_VALUE) return make_all_come(finding, search);
  const std::optional<source_call> call = search.call_in(finding.places.front().line, operation_at(finding, 0));
  if (!call) return {};
  if (finding.record.kind == WARPZ_WRONG_MASK) return name_all_lanes(finding, search, *call);
  const bool is_width = finding.record.kind == WARPZ_MISUSED_OPERATION &&
                        std::string_view(finding.record.message).find("width") != std::string_view::npos;
  return is_width ? round_width(finding, search, *call) : std::nullopt;
}

}  // namespace warpz
