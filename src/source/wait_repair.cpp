// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/wait_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "findings/source_text.hpp"
#include "source/source_outline.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

class wait_before {
 public:
  /// The lines where the work is given, and where the access or the later work is.
  wait_before(std::string_view text, unsigned given, const source_line& later)
      : outline_(text), given_(outline_.token_at(given, 0)), later_(outline_.token_at(later.line, later.column)) {}

  std::optional<source_repair> find(const std::string& file, bool is_of_host, bool is_of_cuda) {
    if (!given_ || !later_) return {};
    const std::vector<source_scope> around_given = outline_.around(*given_), around_later = outline_.around(*later_);
    if (around_given.empty() || around_later.empty() || is_callback(around_later.front())) return {};
    std::size_t shared = 0;
    while (shared < std::min(around_given.size(), around_later.size()) &&
           around_given[shared].open == around_later[shared].open)
      ++shared;
    const source_scope& scope = shared != 0 ? around_later[shared - 1] : around_later.back();
    const auto statement = outline_.statement_at(scope, *later_);
    // Of one statement nothing can come between.
    if (!statement || (statement->first <= *given_ && *given_ <= statement->last)) return {};
    const unsigned line = outline_.line_of(statement->first);
    // Another statement may begin before it on its line: before that one then.
    if (!begins_statement(line) || outline_.line_of(*given_) == line) return {};
    const std::string_view stream = shared == around_given.size() ? stream_of_given() : "";
    const std::string_view runtime = is_of_cuda ? "cuda" : "hip";
    const std::string wait = stream.empty() ? fmt::format("{}DeviceSynchronize()", runtime)
                                            : fmt::format("{}StreamSynchronize({})", runtime, stream);
    source_repair repair{file, {{line - 1, false, fmt::format("{}{};", outline_.indent_of(line), wait)}}, {}};
    repair.advice = is_of_host ? fmt::format("Wait before line {}: {}.", line, wait)
                               : fmt::format(
                                     "Order the two: hipStreamWaitEvent with an event that is recorded behind "
                                     "line {}, or\n  {} before line {}.",
                                     outline_.line_of(*given_), wait, line);
    return repair;
  }

 private:
  /// Whether a line begins with a statement, which no branch without braces may hold.
  bool begins_statement(unsigned line) const {
    const std::optional<std::size_t> first = outline_.token_at(line, 0);
    const std::vector<source_scope> around = first ? outline_.around(*first) : std::vector<source_scope>();
    const auto statement = around.empty() ? std::nullopt : outline_.statement_at(around.back(), *first);
    return statement && statement->first == *first;
  }

  /// Whether the function is given to a stream, where it must not wait.
  bool is_callback(const source_scope& function) const {
    const std::vector<token>& all = outline_.tokens();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].text.ends_with("LaunchHostFunc") && !all[i].text.ends_with("StreamAddCallback")) continue;
      for (std::size_t k = i; k < all.size() && !all[k].is(";"); ++k) {
        if (all[k].text == all[function.header].text) return true;
      }
    }
    return false;
  }

  /// A name that the launch or call gives as its stream; empty: none, or what is no name.
  std::string_view stream_of_given() const {
    const std::vector<token>& all = outline_.tokens();
    bool is_launch = false;
    std::size_t begin = *given_;
    while (begin < all.size() && !all[begin].is(";") && !all[begin].is("<<<")) ++begin;
    if (begin < all.size() && all[begin].is("<<<")) {
      is_launch = true;
    } else {
      begin = *given_;
      while (begin < all.size() && !all[begin].is(";") &&
             !(all[begin].is("(") && begin > 0 && all[begin - 1].text.ends_with("Async")))
        ++begin;
      if (begin == all.size() || all[begin].is(";")) return "";
    }
    std::vector<std::size_t> arguments{begin + 1};
    std::size_t end = begin + 1;
    for (int depth = 0; end < all.size() && !all[end].is(";"); ++end) {
      const bool opens = all[end].is("(") || all[end].is("[") || all[end].is("{");
      const bool closes = all[end].is(")") || all[end].is("]") || all[end].is("}");
      if (depth == 0 && (is_launch ? all[end].is(">>>") : all[end].is(")"))) break;
      depth += opens ? 1 : closes ? -1 : 0;
      if (depth == 0 && all[end].is(",")) arguments.push_back(end + 1);
    }
    const bool has_stream = arguments.back() + 1 == end && (!is_launch || arguments.size() == 4);
    const token& last = all[arguments.back()];
    return has_stream && last.kind == token_kind::word && !last.is("nullptr") && !last.is("NULL") ? last.text : "";
  }

  const source_outline outline_;
  const std::optional<std::size_t> given_, later_;
};

}  // namespace

std::optional<source_repair> wait_repair(const symbolized_finding& race, const code_location& code) {
  if (race.related.empty() || race.record.given_at[0] == 0 || race.record.of_one_graph != 0) return {};
  const related_line& given = race.related.front();
  const auto later = std::find_if(race.stack.begin(), race.stack.end(),
                                  [&](const source_line& each) { return each.file == given.file && each.line != 0; });
  const std::string_view text = file_text(code, given.file);
  if (later == race.stack.end() || text.empty()) return {};
  const bool is_of_host = bounded(race.record.message).starts_with("the host");
  return wait_before(text, given.line, *later).find(given.file, is_of_host, race.is_of_cuda);
}

}  // namespace warpz
