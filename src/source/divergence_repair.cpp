// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/divergence_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "findings/lane_groups.hpp"
#include "source/source_outline.hpp"

namespace warpz {
namespace {

constexpr std::uint64_t narrow_mask = 0xffffffff;

/// Whether it is the number of a mask of 32 lanes, whatever its type.
bool is_narrow_mask(const token& each) {
  const std::string_view digits = each.text.substr(0, each.text.find_last_not_of("uUlL") + 1);
  return digits == "0xffffffff" || digits == "0xFFFFFFFF";
}

/// The number of the first place where threads wait; nothing where they wait at several.
std::optional<std::size_t> only_waiting_place(const symbolized_finding& finding) {
  std::optional<std::size_t> found;
  const auto groups = groups_of(finding.record);
  for (std::size_t i = 0; i < groups.size() && i < finding.places.size(); ++i) {
    if (groups[i].state != WARPZ_LANE_WAITING) continue;
    const bool is_other = found && (finding.places[i].line != finding.places[*found].line ||
                                    finding.places[i].file != finding.places[*found].file);
    if (is_other || finding.places[i].line == 0) return {};
    if (!found) found = i;
  }
  return found;
}

bool calls_barrier(const token& each) { return each.is("__syncthreads") || each.is("barrier"); }

class barrier_repair {
 public:
  barrier_repair(std::string_view text, const source_line& place) : outline_(text), place_(place) {}

  /// Closes the branch before the barrier, and opens it again where something follows.
  std::optional<source_repair> find() const {
    const std::vector<token>& all = outline_.tokens();
    const auto at = std::find_if(all.begin(), all.end(),
                                 [this](const token& each) { return each.line == place_.line && calls_barrier(each); });
    if (at == all.end()) return {};
    const auto number = static_cast<std::size_t>(at - all.begin());
    const std::vector<source_scope> scopes = outline_.around(number);
    if (scopes.empty()) return {};
    const source_scope& branch = scopes.back();
    const auto is_branch = [](const source_scope& each) { return each.kind == scope_kind::branch; };
    if (!is_branch(branch) || std::count_if(scopes.begin(), scopes.end(), is_branch) != 1) return {};
    const bool has_else = branch.close + 1 < all.size() && all[branch.close + 1].is("else");
    const bool is_else = branch.header != 0 && all[branch.header - 1].is("else");
    if (!all[branch.header].is("if") || has_else || is_else) return {};
    const auto statement = outline_.statement_at(branch, number);
    if (!statement || outline_.line_of(statement->first) != place_.line ||
        outline_.line_of(statement->last) != place_.line || all[statement->first].is("if"))
      return {};
    // What is declared in front of the barrier is not known behind it.
    for (std::size_t i = branch.open + 1; i + 1 < statement->first; ++i) {
      const bool is_declared = all[i].kind == token_kind::word && all[i + 1].kind == token_kind::word;
      if (is_declared && is_used(all[i + 1].text, statement->last, branch.close)) return {};
    }
    return with(branch, *statement);
  }

 private:
  bool is_used(std::string_view name, std::size_t from, std::size_t to) const {
    const std::vector<token>& all = outline_.tokens();
    return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to),
                       [name](const token& each) { return each.is(name); });
  }

  source_repair with(const source_scope& branch, const source_statement& statement) const {
    const unsigned head = outline_.line_of(branch.header);
    const std::string_view indent = outline_.indent_of(head), barrier = outline_.text(statement.first, statement.last);
    source_repair repair;
    repair.file = place_.file;
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
    const std::optional<std::size_t> place = only_waiting_place(finding);
    return place ? barrier_repair(text, finding.places[*place]).find() : std::nullopt;
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
