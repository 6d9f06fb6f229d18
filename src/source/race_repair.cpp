// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/race_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "findings/lane_groups.hpp"
#include "source/arrival_repair.hpp"
#include "source/atomic_update.hpp"
#include "source/fence_repair.hpp"
#include "source/read_first_repair.hpp"
#include "source/source_assignment.hpp"
#include "source/source_outline.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

const std::vector<std::string_view> barrier_words{"__syncthreads", "barrier", "__syncwarp", "syncwarp"};

/// The statements and scopes that one pair of accesses has in common.
struct common_code {
  std::vector<source_scope> scopes;  ///< around both, from the function on
  source_statement first, second;    ///< of the innermost of them, in the order of the source; equal: both are in it

  const source_scope& innermost() const { return scopes.back(); }
  const source_scope& function() const { return scopes.front(); }

  /// The innermost loop around both; null: there is none.
  const source_scope* loop() const {
    const auto found = std::find_if(scopes.rbegin(), scopes.rend(),
                                    [](const source_scope& each) { return each.kind == scope_kind::loop; });
    return found != scopes.rend() ? &*found : nullptr;
  }

  /// Whether some lanes may leave out all of it.
  bool is_in_branch() const {
    return std::any_of(scopes.begin(), scopes.end(),
                       [](const source_scope& each) { return each.kind == scope_kind::branch; });
  }
};

class race_repair {
 public:
  /// `relation`: between the lanes of all races of this memory.
  race_repair(const symbolized_finding& race, std::string_view text, std::uint32_t relation, unsigned warp_size)
      : race_(race), outline_(text), relation_(relation), warp_size_(warp_size) {
    repair_.file = race.places.front().file;
  }

  /// Nothing where none is known.
  std::optional<source_repair> find() {
    for (const auto& [one, other] : race_.pairs) {
      if (one.file != repair_.file || other.file != repair_.file || !order(one, other)) return {};
    }
    put_between();
    if (repair_.edits.empty()) return {};
    if (!places_.empty() && (repair_.advice.empty() || is_update_)) repair_.advice += advice_for_places();
    std::sort(repair_.edits.begin(), repair_.edits.end(),
              [](const line_edit& a, const line_edit& b) { return a.line < b.line; });
    return std::move(repair_);
  }

  /// Whether a loop goes around the accesses that the finding shows.
  bool has_loop() const {
    const auto found = common_of(race_.places[0], race_.places[1]);
    return !found || found->loop() != nullptr;
  }

 private:
  bool has_name(std::string_view space, std::string_view name) const {
    const std::vector<token>& all = outline_.tokens();
    for (std::size_t i = 2; i < all.size(); ++i) {
      if (all[i].is(name) && all[i - 1].is("::") && all[i - 2].is(space)) return true;
    }
    return false;
  }

  /// As the file calls it.
  std::string barrier(bool of_block) const {
    const bool own = has_name("warpz", "barrier") || has_name("warpz", "syncwarp");
    if (of_block) return own ? "warpz::barrier()" : "__syncthreads()";
    return own ? "warpz::syncwarp()" : "__syncwarp()";
  }

  /// Whether the barrier that orders all races of the memory is one of the block. Where a block has several warps,
  /// other warps take part sooner or later in what one warp is seen to do with the block's memory.
  bool is_of_block() const {
    const std::uint32_t memory = race_.record.memory;
    const bool is_shared = memory == WARPZ_MEMORY_SHARED || memory == WARPZ_MEMORY_DYNAMIC_SHARED;
    return relation_ != WARPZ_ONE_WARP || (is_shared && race_.record.threads > warp_size_);
  }

  std::string barrier() const { return barrier(is_of_block()); }

  bool reads() const {
    const auto groups = groups_of(race_.record);
    return std::any_of(groups.begin(), groups.end(), [](const auto& each) { return each.state == WARPZ_LANE_READ; });
  }

  std::optional<common_code> common_of(const source_line& one, const source_line& other) const {
    std::optional<std::size_t> first = outline_.token_at(one.line, one.column);
    std::optional<std::size_t> second = outline_.token_at(other.line, other.column);
    if (!first || !second) return {};
    if (*second < *first) std::swap(first, second);
    common_code found;
    const std::vector<source_scope> around = outline_.around(*first);
    for (const source_scope& each : around) {
      if (each.open < *second && *second < each.close) found.scopes.push_back(each);
    }
    if (found.scopes.empty()) return {};
    const auto begin = outline_.statement_at(found.innermost(), *first);
    const auto end = outline_.statement_at(found.innermost(), *second);
    if (!begin || !end) return {};
    found.first = *begin;
    found.second = *end;
    return found;
  }

  /// A statement that is a barrier as wide as the one that is needed, whatever the lanes' branches.
  bool is_barrier(const source_statement& each) const {
    // A group that synchronizes may be too small.
    const bool is_group = !is_of_block() && outline_.has_word(each, {"sync"}) &&
                          race_.record.ordered_at.line == outline_.line_of(each.first);
    return !outline_.tokens()[each.first].is("if") &&
           (is_group || outline_.has_word(each, is_of_block() ? block_barrier_words : barrier_words));
  }

  bool has_barrier_between(const common_code& code) const {
    const auto all = outline_.statements_in(code.innermost());
    return std::any_of(all.begin(), all.end(), [&](const source_statement& each) {
      return code.first.last < each.first && each.last < code.second.first && is_barrier(each);
    });
  }

  /// A barrier that stands in the loop itself, but not between the two.
  bool has_barrier_around(const source_scope& loop, const common_code& code) const {
    const auto all = outline_.statements_in(loop);
    return std::any_of(all.begin(), all.end(), [&](const source_statement& each) {
      return (each.last < code.first.first || code.second.last < each.first) && is_barrier(each);
    });
  }

  /// Several pairs may ask for one change.
  void add(line_edit edit) {
    if (std::find(repair_.edits.begin(), repair_.edits.end(), edit) == repair_.edits.end())
      repair_.edits.push_back(std::move(edit));
  }

  /// Puts text behind a line, with the blanks of that line or another one.
  void put(unsigned line, std::string_view text, unsigned like) {
    add({line, false, fmt::format("{}{}", outline_.indent_of(like), text)});
  }

  void replace(unsigned line, std::string text) { add({line, true, std::move(text)}); }

  void advise(std::string advice) {
    if (repair_.advice.empty()) repair_.advice = std::move(advice);
  }

  bool order(const source_line& one, const source_line& other) {
    if (race_.record.pattern == WARPZ_RACE_CHECKED_READ) return false;
    const std::optional<common_code> code = common_of(one, other);
    if (!code && (relation_ == WARPZ_TWO_BLOCKS || race_.record.pattern == WARPZ_RACE_UNUSED_VALUE)) return false;
    if (!code) return begin_called(one, other) || begin_called(other, one);
    if (race_.record.pattern == WARPZ_RACE_FORWARDED_READ) return order_behind_shuffle(*code);
    if (hold_lock(*code)) return true;
    if (code->first == code->second) {
      if (update(*code)) return true;
      if (race_.record.pattern == WARPZ_RACE_UPDATE) return false;
    }
    if (race_.record.pattern == WARPZ_RACE_BEHIND_ATOMIC) return change_present();
    if (relation_ == WARPZ_TWO_BLOCKS) {
      const source_statement all{code->first.first, code->function().close};
      return add_changes(arrival_repair(race_, outline_, barrier(true))) ||
             add_changes(fence_repair(race_, outline_, all, barrier(false)));
    }
    return code->first == code->second ? order_rounds_or_statement(*code) : order_statements(*code);
  }

  std::string advice_for_places() const {
    const bool is_alone = repair_.advice.empty();
    std::string text = fmt::format("{} {} {}", is_alone ? "Put" : "\n  And put", barrier(),
                                   is_alone && places_.size() == 1 ? "between the two, " : "");
    for (const auto& [line, note] : places_) {
      const bool is_first = line == places_.begin()->first;
      text += fmt::format("{}behind line {}{}", is_first ? "" : ", and ", line, note);
    }
    if (is_of_block()) return text + ", where all threads of the block arrive.";
    return text + ". A shuffle or a vote\n  brings lanes together but does not order memory.";
  }

  bool order_behind_shuffle(const common_code& code) {
    const unsigned line = outline_.line_of(code.second.first);
    put(line - 1, barrier(false) + ";", line);
    return true;
  }

  bool order_statements(const common_code& code) {
    if (has_barrier_between(code)) return code.loop() != nullptr ? end_round(code) : end_call(code);
    const unsigned behind = outline_.line_of(code.first.last);
    if (outline_.line_of(code.second.first) == behind) return false;
    const source_scope& scope = code.innermost();
    if (scope.kind == scope_kind::branch) return leave_branch(code, behind);
    if (code.is_in_branch()) return false;
    if (const auto left_out = left_out_in(scope, code.first.last, code.second.first))
      return call_always(*left_out, "for every block");
    gaps_.push_back({scope.open, behind, outline_.line_of(code.second.first) - 1, outline_.line_of(code.first.first)});
    if (const source_scope* const loop = code.loop(); loop != nullptr && !has_barrier_around(*loop, code)) {
      if (const unsigned line = put_at_end(*loop)) places_.insert({line, ", at the end of the loop"});
    }
    return true;
  }

  /// The fewest barriers that stand in each gap, each behind the last access that has to come before it.
  void put_between() {
    std::sort(gaps_.begin(), gaps_.end(), [](const gap& a, const gap& b) { return a.last < b.last; });
    while (!gaps_.empty()) {
      const gap first = gaps_.front();
      gap chosen = first;
      std::erase_if(gaps_, [&](const gap& each) {
        const bool has_same = each.scope == first.scope && each.behind <= first.last;
        if (has_same && each.behind > chosen.behind) chosen = each;
        return has_same;
      });
      put(chosen.behind, barrier() + ";", chosen.like);
      places_.insert({chosen.behind, ""});
    }
  }

  /// An argument is read where a function is called that writes the same memory: at its begin.
  bool begin_called(const source_line& caller, const source_line& called) {
    const auto call = outline_.token_at(caller.line, caller.column),
               within = outline_.token_at(called.line, called.column);
    const auto around_call = call ? outline_.around(*call) : std::vector<source_scope>();
    const auto around = within ? outline_.around(*within) : std::vector<source_scope>();
    if (around_call.size() != 1 || around.empty()) return false;
    const auto statement = outline_.statement_at(around_call.front(), *call);
    const source_scope& function = around.front();
    const unsigned line = outline_.line_of(function.open);
    const std::vector<token>& all = outline_.tokens();
    if (!statement || !outline_.has_word(*statement, {all[function.header].text}) ||
        outline_.has_word(*statement, {"if", "?"}) || all[function.open + 1].line == line)
      return false;
    put(line, barrier() + ";", all[function.open + 1].line);
    places_.insert({line, fmt::format(", at the beginning of {}", all[function.header].text)});
    return true;
  }

  /// Closes the branch before the barrier, and opens it again.
  bool leave_branch(const common_code& code, unsigned behind) {
    const source_scope& branch = code.innermost();
    const bool is_in_another = std::any_of(code.scopes.begin(), code.scopes.end() - 1,
                                           [](const source_scope& each) { return each.kind == scope_kind::branch; });
    if (!outline_.is_of_if(branch) || outline_.has_else(branch) || is_in_another) return false;
    const unsigned line = outline_.line_of(branch.header);
    put(behind,
        fmt::format("}}\n{0}{1};\n{0}{2}", outline_.indent_of(line), barrier(),
                    outline_.text(branch.header, branch.open)),
        line);
    advise(
        fmt::format("Put {} between the two, outside of the branch of line {}: close it behind line {}, and\n"
                    "  open it again behind the barrier.",
                    barrier(), line, behind));
    return true;
  }

  /// 0 where there is no line for it.
  unsigned put_at_end(const source_scope& scope) {
    const unsigned last = outline_.line_of(scope.close - 1);
    if (last == outline_.line_of(scope.close)) return 0;
    const auto all = outline_.statements_in(scope);
    put(last, barrier() + ";", outline_.line_of(all.empty() ? scope.close - 1 : all.front().first));
    return last;
  }

  bool end_round(const common_code& code) {
    if (code.is_in_branch()) return false;
    const unsigned line = put_at_end(*code.loop());
    if (line == 0) return false;
    const warpz_place& at = race_.record.ordered_at;
    const bool is_same = at.line != 0 && barrier().find(bounded(at.operation)) != std::string::npos;
    if (at.line != 0) {
      advise(
          fmt::format("The {} at {}:{} orders the two within a round, not from one round to the\n"
                      "  next. Put {}{} at the end of the loop, behind line {}.",
                      printable(bounded(at.operation)), printable(bounded(at.file)), at.line, is_same ? "another " : "",
                      barrier(), line));
    } else {
      advise(fmt::format("Nothing orders a round and the next one: put {} at the end of the loop, behind\n  line {}.",
                         barrier(), line));
    }
    return true;
  }

  /// A function that is called again, before all lanes have read what the first call has left them.
  bool end_call(const common_code& code) {
    const source_scope& function = code.function();
    if (function.is_kernel || code.is_in_branch()) return false;
    const auto all = outline_.statements_in(function);
    const bool returns = !all.empty() && outline_.tokens()[all.back().first].is("return");
    const std::size_t last = returns ? all.back().first - 1 : function.close - 1;
    const unsigned line = outline_.line_of(last);
    if (line == outline_.line_of(last + 1)) return false;
    put(line, barrier() + ";", outline_.line_of(all.front().first));
    advise(fmt::format(
        "{0} is called again before all lanes are done with {1} here. Put {2} at the\n"
        "  end of {0}, behind line {3}.",
        outline_.tokens()[function.header].text, race_.memory ? race_.memory->name : "the memory", barrier(), line));
    return true;
  }

  bool order_rounds_or_statement(const common_code& code) {
    const source_scope* const loop = code.loop();
    if (loop == nullptr || has_barrier_around(*loop, code)) return order_statement(code);
    const auto left_out = left_out_in(*loop, loop->open, loop->close);
    return left_out && !code.is_in_branch() ? call_always(*left_out, "in every round") : end_round(code);
  }

  /// A statement between two tokens that calls a barrier of the block under a condition.
  std::optional<source_statement> left_out_in(const source_scope& scope, std::size_t begin, std::size_t end) const {
    for (const source_statement& each : outline_.statements_in(scope)) {
      const bool is_between = begin < each.first && each.last < end;
      if (is_between && outline_.tokens()[each.first].is("if") && outline_.has_word(each, block_barrier_words))
        return each;
    }
    return {};
  }

  bool call_always(const source_statement& left_out, std::string_view when) {
    const unsigned line = outline_.line_of(left_out.first);
    put(outline_.line_of(left_out.last), barrier() + ";", line);
    advise(fmt::format("The condition of line {} leaves the barrier out: call {} {}.", line, barrier(), when));
    return true;
  }

  /// Where all read before they write, in the statement or in the branch that it is alone in.
  bool order_statement(const common_code& code) {
    if (!reads()) return false;
    source_statement statement = code.first;
    if (code.innermost().kind == scope_kind::branch) {
      const auto branch = outline_.statement_at(code.scopes[code.scopes.size() - 2], code.first.first);
      if (!branch) return false;
      statement = *branch;
    }
    const auto branches = std::count_if(code.scopes.begin(), code.scopes.end(),
                                        [](const source_scope& each) { return each.kind == scope_kind::branch; });
    const bool is_for_all = branches == (statement == code.first ? 0 : 1);
    return is_for_all && add_changes(read_first_repair(outline_, statement, barrier()));
  }

  /// In its line a call stands in place of an assignment.
  void replace_by(std::string_view call, const source_assignment& parts) {
    const unsigned line = outline_.line_of(parts.first);
    const std::string_view text = outline_.line_text(line), whole = outline_.text(parts.first, parts.last);
    const std::size_t begin = static_cast<std::size_t>(whole.data() - text.data());
    replace(line, fmt::format("{}{}{}", text.substr(0, begin), call, text.substr(begin + whole.size())));
  }

  /// Of `x = y` the one that is accessed now becomes an atomic.
  bool change_present() {
    const auto statement = outline_.statement_around(race_.places.front().line, race_.places.front().column);
    const auto parts = statement ? assignment_in(outline_, *statement) : std::nullopt;
    const bool is_set = parts && outline_.tokens()[parts->sign].is("=");
    if (!is_set || outline_.line_of(parts->first) != outline_.line_of(parts->last)) return false;
    const std::string_view target = outline_.text(parts->first, parts->sign - 1);
    const std::string_view value = outline_.text(parts->sign + 1, parts->last);
    const bool is_written = groups_of(race_.record).front().state == WARPZ_LANE_WROTE;
    if (!is_written && parts->last != parts->sign + 1) return false;
    const std::string call =
        is_written ? fmt::format("atomicExch(&{}, {})", target, value) : fmt::format("atomicAdd(&{}, 0)", value);
    replace_by(is_written ? call : fmt::format("{} = {}", target, call), *parts);
    advise(
        fmt::format("It works where the lane's own atomic has shown that all others are done. So that no rule is\n"
                    "  broken, {} it by {}.",
                    is_written ? "set" : "read", call));
    return true;
  }

  /// An update, also one of a branch around both, becomes an atomic.
  bool update(const common_code& code) {
    if (add_changes(atomic_update(race_, outline_, code.first))) return is_update_ = true;
    if (code.scopes.size() < 2 || code.innermost().kind != scope_kind::branch) return false;
    const auto branch = outline_.statement_at(code.scopes[code.scopes.size() - 2], code.first.first);
    return is_update_ = branch && add_changes(atomic_update(race_, outline_, *branch));
  }

  /// What the first atomic of a part is called on; empty: it has none of these.
  std::string_view lock_in(std::size_t first, std::size_t last) const {
    const std::vector<token>& all = outline_.tokens();
    for (std::size_t i = first; i + 2 < last; ++i) {
      if ((!all[i].is("atomicCAS") && !all[i].is("atomicExch")) || !all[i + 1].is("(")) continue;
      std::size_t end = i + 2;
      for (int depth = 0; end < last && (depth != 0 || !all[end].is(",")); ++end) {
        if (all[end].is("(") || all[end].is("[")) ++depth;
        if (all[end].is(")") || all[end].is("]")) --depth;
      }
      return outline_.text(i + 2, end - 1);
    }
    return "";
  }

  /// Both are between where a lock is taken and where it is given back, by atomics: what happens there has to be seen
  /// by whoever takes it next.
  bool hold_lock(const common_code& code) {
    for (std::size_t i = code.scopes.size(); i-- > 0;) {
      const source_scope& scope = code.scopes[i];
      const auto first = outline_.statement_at(scope, code.first.first),
                 second = outline_.statement_at(scope, code.second.last);
      if (!first || !second) return false;
      const auto all = outline_.statements_in(scope);
      // It may be taken where a branch asks for it.
      const bool is_branch = scope.kind == scope_kind::branch;
      source_statement taken{scope.header, scope.open};
      std::string_view lock = is_branch ? lock_in(scope.header, scope.open) : "";
      const source_statement* given_back = nullptr;
      for (const source_statement& each : all) {
        const std::string_view found = lock_in(each.first, each.last);
        if (found.empty()) continue;
        if (each.last < first->first) std::tie(taken, lock) = std::pair(each, found);
        if (given_back == nullptr && second->last < each.first && found == lock) given_back = &each;
      }
      if (given_back != nullptr) return pass_on(all, taken, *first, *second, *given_back);
    }
    return false;
  }

  bool pass_on(const std::vector<source_statement>& all, const source_statement& taken, const source_statement& first,
               const source_statement& second, const source_statement& given_back) {
    const auto has_fence = [&](const source_statement& from, const source_statement& to) {
      return std::any_of(all.begin(), all.end(), [&](const source_statement& each) {
        return from.last < each.first && each.last < to.first && outline_.has_word(each, {"__threadfence"});
      });
    };
    const unsigned behind = outline_.line_of(taken.last), before = outline_.line_of(given_back.first);
    const bool is_seen = has_fence(taken, first), is_passed_on = has_fence(second, given_back);
    const bool is_alone = outline_.line_of(first.first) != behind && outline_.line_of(second.last) != before;
    if (!is_alone || (is_seen && is_passed_on)) return false;
    if (!is_seen) put(behind, "__threadfence();", outline_.line_of(first.first));
    if (!is_passed_on) put(before - 1, "__threadfence();", before);
    advise(fmt::format("A lock orders nothing by itself. Put __threadfence() {}{}{}.",
                       is_seen ? "" : fmt::format("behind line {}, where it is taken", behind),
                       is_seen || is_passed_on ? "" : ", and\n  ",
                       is_passed_on ? "" : fmt::format("before line {}, where it is given back", before)));
    return true;
  }

  /// What another change is needed for than a barrier.
  bool add_changes(const std::optional<source_repair>& other) {
    if (!other) return false;
    for (const line_edit& each : other->edits) add(each);
    advise(other->advice);
    return true;
  }

  const symbolized_finding& race_;
  const source_outline outline_;
  const std::uint32_t relation_;
  const unsigned warp_size_;
  source_repair repair_;
  bool is_update_ = false;  ///< which a barrier alone does not mend
  /// Lines of a scope, from that of one access to the one in front of the other, behind one of which a barrier has to
  /// stand; and the line whose blanks it has.
  struct gap {
    std::size_t scope;
    unsigned behind, last, like;
  };
  std::vector<gap> gaps_;
  /// Lines behind which a barrier has to stand, with what else to say of them.
  std::map<unsigned, std::string> places_;
};

}  // namespace

std::optional<source_repair> repair_of_race(symbolized_finding& race, std::string_view text, std::uint32_t relation,
                                            unsigned warp_size) {
  race_repair repair(race, text, relation, warp_size);
  if (!repair.has_loop()) race.in_next_round.reset();
  return repair.find();
}

}  // namespace warpz
