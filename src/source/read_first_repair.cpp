// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/read_first_repair.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "source/source_assignment.hpp"
#include "source/statement_words.hpp"

namespace warpz {
namespace {

/// The only statement of the branch; nothing where it has an `else` or more statements.
std::optional<source_statement> only_statement_of(const source_outline& outline, const statement_words& words,
                                                  const source_branch& branch) {
  if (branch.other || outline.has_word(branch.then, {"else"})) return {};
  const auto all = words.statements_of(branch.then);
  const bool is_one = all.size() == 1 && !outline.has_word({all[0].first, all[0].first}, {"if", "for", "while", "do"});
  return is_one ? std::optional(all[0]) : std::nullopt;
}

}  // namespace

std::optional<source_repair> read_first_repair(const source_outline& outline, const source_statement& statement,
                                               std::string_view barrier) {
  const std::vector<token>& all = outline.tokens();
  statement_words words(outline);
  const unsigned line = outline.line_of(statement.first), last = outline.line_of(statement.last);
  const bool is_alone = statement.first == outline.token_at(line, 0) && outline.line_of(statement.last + 1) != last;
  const bool is_branch = all[statement.first].is("if");
  const auto branch = is_branch ? words.branch_of(statement) : std::nullopt;
  if (!is_alone || is_branch != branch.has_value()) return {};
  // It is asked before the barrier.
  if (branch && (!words.is_pure(branch->condition) || words.declares(branch->condition))) return {};
  const auto inner = branch ? only_statement_of(outline, words, *branch) : std::optional(statement);
  const auto parts = inner ? assignment_in(outline, *inner) : std::nullopt;
  if (!parts || parts->first != inner->first) return {};
  const std::string_view indent = outline.indent_of(line);
  const std::string_view target = outline.text(parts->first, parts->sign - 1);
  const std::string_view value = outline.text(parts->sign + 1, parts->last);
  const std::string_view sign = all[parts->sign].text;
  const std::string whole =
      sign == "=" ? std::string(value) : fmt::format("{} {} ({})", target, sign.substr(0, sign.size() - 1), value);
  const std::string name = words.unused_name("new_value");
  source_repair repair;
  std::string text;
  if (branch) {
    const std::string asked = words.unused_name("in_branch");
    text = fmt::format(
        "{0}const bool {1} = {2};\n{0}std::decay_t<decltype({3})> {4}{{}};\n{0}if ({1}) {4} = {3};\n"
        "{0}{5};\n{0}if ({1}) {6} = {4};",
        indent, asked, outline.text(branch->condition.first, branch->condition.last), whole, name, barrier, target);
  } else {
    text = fmt::format("{0}const auto {1} = {2};\n{0}{3};\n{0}{4} = {1};", indent, name, whole, barrier, target);
  }
  repair.edits.push_back({line, true, text});
  for (unsigned rest = line + 1; rest <= last; ++rest) repair.edits.push_back({rest, true, ""});
  repair.advice = fmt::format("Let all lanes read first, each into a variable of its own, then {}, then write{}.",
                              barrier, branch ? ":\n  the barrier for all, and the rest in branches" : "");
  return repair;
}

}  // namespace warpz
