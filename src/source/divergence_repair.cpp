// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/divergence_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "findings/lane_groups.hpp"
#include "source/meeting_repair.hpp"
#include "source/source_outline.hpp"

namespace warpz {
namespace {

constexpr std::uint64_t narrow_mask = 0xffffffff;

/// Whether it is the number of a mask of 32 lanes, whatever its type.
bool is_narrow_mask(const token& each) {
  const std::string_view digits = each.text.substr(0, each.text.find_last_not_of("uUlL") + 1);
  return digits == "0xffffffff" || digits == "0xFFFFFFFF";
}

/// The numbers of the places where threads wait, each once.
std::vector<std::size_t> waiting_places(const symbolized_finding& finding) {
  std::vector<std::size_t> found;
  const auto groups = groups_of(finding.record);
  for (std::size_t i = 0; i < groups.size() && i < finding.places.size(); ++i) {
    if (groups[i].state != WARPZ_LANE_WAITING || finding.places[i].line == 0) continue;
    const bool is_known = std::any_of(found.begin(), found.end(), [&](std::size_t each) {
      return finding.places[i].line == finding.places[each].line && finding.places[i].file == finding.places[each].file;
    });
    if (!is_known) found.push_back(i);
  }
  return found;
}

class barrier_repair {
 public:
  barrier_repair(std::string_view text, const source_line& place) : outline_(text), place_(place) {}

  std::optional<source_repair> find() const {
    const std::vector<token>& all = outline_.tokens();
    const auto at = std::find_if(all.begin(), all.end(), [this](const token& each) {
      return each.line == place_.line && is_block_barrier(each);
    });
    if (at == all.end()) return {};
    const auto number = static_cast<std::size_t>(at - all.begin());
    std::optional<source_repair> found = split_branch(number);
    if (found) found->file = place_.file;
    return found ? found : repair_of_meeting(outline_, place_.file, number, meeting::of_block);
  }

 private:
  /// Closes the branch before the barrier, and opens it again where something follows.
  std::optional<source_repair> split_branch(std::size_t number) const {
    const std::vector<token>& all = outline_.tokens();
    const std::vector<source_scope> scopes = outline_.around(number);
    if (scopes.empty()) return {};
    const source_scope& branch = scopes.back();
    const auto is_branch = [](const source_scope& each) { return each.kind == scope_kind::branch; };
    if (!is_branch(branch) || std::count_if(scopes.begin(), scopes.end(), is_branch) != 1) return {};
    if (!outline_.is_of_if(branch) || outline_.has_else(branch)) return {};
    const auto statement = outline_.statement_at(branch, number);
    if (!statement || outline_.line_of(statement->first) != place_.line ||
        outline_.line_of(statement->last) != place_.line || all[statement->first].is("if"))
      return {};
    source_repair repair = split(branch, *statement);
    // What is declared in front of the barrier is not known behind it.
    for (std::size_t i = branch.open + 1; i + 1 < statement->first; ++i) {
      const bool is_declared =
          all[i].kind == token_kind::word && all[i + 1].kind == token_kind::word && all[i + 2].kind != token_kind::word;
      if (!is_declared || !is_used(all[i + 1].text, statement->last, branch.close)) continue;
      if (!declare_before(branch, i + 1, repair)) return {};
    }
    std::sort(repair.edits.begin(), repair.edits.end(),
              [](const line_edit& one, const line_edit& other) { return one.line < other.line; });
    return repair;
  }

  /// Moves the declaration `const float mine = tile[0];` of a variable in front of the branch, and leaves its value
  /// there.
  bool declare_before(const source_scope& branch, std::size_t name, source_repair& repair) const {
    const std::vector<token>& all = outline_.tokens();
    const auto statement = outline_.statement_at(branch, name);
    const unsigned line = outline_.line_of(name), head = outline_.line_of(branch.header);
    if (!statement || !all[name + 1].is("=") || outline_.line_of(statement->first) != line ||
        outline_.line_of(statement->last) != line || head < 2 || outline_.has_word(*statement, {"auto", "static"}))
      return false;
    const std::size_t type = statement->first + (all[statement->first].is("const") ? 1 : 0);
    const bool are_words =
        std::all_of(all.begin() + static_cast<std::ptrdiff_t>(type), all.begin() + static_cast<std::ptrdiff_t>(name),
                    [](const token& each) { return each.kind == token_kind::word; });
    if (!are_words || type == name) return false;
    repair.edits.push_back(
        {head - 1, false,
         fmt::format("{}{} {}{{}};", outline_.indent_of(head), outline_.text(type, name - 1), all[name].text)});
    repair.edits.push_back(
        {line, true, fmt::format("{}{}", outline_.indent_of(line), outline_.text(name, statement->last))});
    return true;
  }

  bool is_used(std::string_view name, std::size_t from, std::size_t to) const {
    const std::vector<token>& all = outline_.tokens();
    return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to),
                       [name](const token& each) { return each.is(name); });
  }

  source_repair split(const source_scope& branch, const source_statement& statement) const {
    const unsigned head = outline_.line_of(branch.header);
    const std::string_view indent = outline_.indent_of(head), barrier = outline_.text(statement.first, statement.last);
    source_repair repair;
    repair.edits.push_back(
        {place_.line, true,
         fmt::format("{0}}}\n{0}{1}\n{0}{2}", indent, barrier, outline_.text(branch.header, branch.open))});
    repair.advice = fmt::format(
        "Every thread of the block has to reach the same barrier: close the branch of line {} before it, and\n"
        "  open it again behind it.",
        head);
    return repair;
  }

  const source_outline outline_;
  const source_line& place_;
};

/// The masks of 32 lanes that are written as numbers in calls, widened: a change for each line that has some.
std::vector<line_edit> widened_masks(const source_outline& outline) {
  std::vector<line_edit> edits;
  const std::vector<token>& all = outline.tokens();
  for (std::size_t i = all.size(); i-- > 2;) {
    if (!is_narrow_mask(all[i]) || !all[i - 1].is("(") || !all[i - 2].text.ends_with("_sync")) continue;
    const unsigned line = all[i].line;
    if (edits.empty() || edits.back().line != line) edits.push_back({line, true, std::string(outline.line_text(line))});
    // From the last one of a line on, so that the others stay where they are.
    const auto at = static_cast<std::size_t>(all[i].text.data() - outline.line_text(line).data());
    edits.back().text.replace(at, all[i].text.size(), "~0ull");
  }
  std::reverse(edits.begin(), edits.end());
  return edits;
}

}  // namespace

std::optional<source_repair> divergence_repair(const symbolized_finding& finding, std::string_view text) {
  if (finding.record.kind == WARPZ_DIVERGED_BARRIER) {
    std::vector<std::size_t> places = waiting_places(finding);
    // The one that is to be changed is mostly farther within.
    const source_outline outline(text);
    const auto depth = [&](std::size_t place) {
      const auto token = outline.token_at(finding.places[place].line, finding.places[place].column);
      return token ? outline.around(*token).size() : 0;
    };
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return depth(a) > depth(b); });
    for (const std::size_t place : places) {
      std::optional<source_repair> found = barrier_repair(text, finding.places[place]).find();
      if (found) return found;
    }
    return {};
  }
  const bool has_mask = finding.record.kind == WARPZ_WRONG_MASK && finding.record.group_count == 1 &&
                        finding.record.groups[0].place.mask == narrow_mask;
  if (!has_mask || finding.places.empty()) return {};
  source_repair repair{finding.places.front().file, widened_masks(source_outline(text)), ""};
  const bool has_line = std::any_of(repair.edits.begin(), repair.edits.end(),
                                    [&](const line_edit& each) { return each.line == finding.places.front().line; });
  return has_line ? std::optional(std::move(repair)) : std::nullopt;
}

}  // namespace warpz
