// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the statements of a source declare, ask and leave: enough to put branches around them. By tokens, without a
// grammar.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/source_outline.hpp"

namespace warpz {

/// The parts of a `for`, `while` or `do`; one that ends before it begins is not there.
struct source_loop {
  source_statement head, begin, condition, step, body;
};

struct source_branch {
  std::size_t close;  ///< of the condition's parentheses
  source_statement condition, then;
  std::optional<source_statement> other;
  std::size_t otherwise = 0;  ///< the token `else`
};

struct source_declaration {
  std::vector<std::string_view> names;
  std::size_t first_name = 0;
  std::optional<std::string> type;        ///< with which they may be declared without a value, which is assigned later
  source_statement asked_for_type{1, 0};  ///< the value from which the type follows, if it is `auto`
  bool is_for_all = false;                ///< it does nothing where it stands
};

/// A variable of which a loop makes one value of all lanes.
struct reduced_variable {
  std::string_view name;
  bool keeps = false;  ///< one of the values, as a maximum does
  friend bool operator==(const reduced_variable&, const reduced_variable&) = default;
};

class statement_words {
 public:
  /// The outline has to outlive it.
  explicit statement_words(const source_outline& outline) : outline_(outline), all_(outline.tokens()) {}

  /// Whether all threads of a block come to a function: a kernel, or one that is called only where all come.
  bool is_called_by_all(const source_scope& function) const;
  /// The tokens where the function is called whose name stands at this one.
  std::vector<std::size_t> calls_of(std::size_t name) const;
  /// Whether the preprocessor may change it: by lines between its braces other than pragmas, or by a macro of the file
  /// that has more than a value.
  bool is_preprocessed(const source_scope& function) const;
  /// Whether it calls a function, of the file or of a library, that has a barrier or an operation of a warp.
  bool calls_meeting(const source_statement& each) const;

  /// A shuffle or a vote, with a mask or without one.
  bool is_call_of_warp(std::size_t number) const;
  /// `__syncthreads();`
  bool is_barrier_alone(const source_statement& each) const;

  std::optional<source_loop> loop_of(const source_statement& each) const;
  std::optional<source_branch> branch_of(const source_statement& each) const;
  /// Those of a body, in braces or alone.
  std::vector<source_statement> statements_of(const source_statement& body) const;
  source_declaration declared_in(const source_statement& each) const;

  /// Whether these tokens declare something.
  bool declares(const source_statement& part) const;
  /// Whether it may be computed at another time: without memory, calls and changes, but for one assignment.
  bool is_pure(const source_statement& part) const;
  /// Whether it may be computed where it is not meant to be, too: without divisions.
  bool is_harmless(const source_statement& part) const;
  /// Whether a part has the same value in all threads of a block, as far as its words tell.
  bool is_alike(const source_statement& part, const source_scope& function) const;
  /// The same of how often a loop goes round.
  bool counts_alike(const source_loop& loop, const source_scope& function) const;
  /// Whether the loop's step changes its own variable alone.
  bool is_own_step(const source_loop& loop) const;
  /// The variables of a loop that has no statements but `sum += __shfl_down(sum, offset)` and `top = max(top,
  /// __shfl_xor(top, offset))`; none where it has others.
  std::vector<reduced_variable> reduced_in(const source_loop& loop) const;
  /// The call of a warp at a token, if all lanes can make it in front of its statement.
  std::optional<source_statement> liftable(std::size_t number, const source_statement& each) const;

  /// Whether `break` or `continue` leaves the statement in which it stands.
  bool leaves(std::size_t number, const source_statement& each) const;
  /// Whether nothing of the statement comes behind an exit that it does not take anyway.
  bool is_last_in(std::size_t exit, const source_statement& each) const;

  /// One that the file does not have, and that was not asked for before.
  std::string unused_name(std::string_view base);

 private:
  bool is_alike(std::string_view word, const source_scope& function, int depth) const;
  bool is_alike(const source_statement& part, const source_scope& function, int depth) const;
  bool is_set_again(std::string_view word, std::size_t first, std::size_t last) const;
  bool may_be_declared_alone(std::string_view class_name) const;
  std::optional<reduced_variable> reduced_by(const source_statement& each) const;
  bool names_all_lanes(const source_statement& operand) const;
  bool is_called_by_all(const source_scope& function, int depth) const;
  bool calls_meeting(const source_statement& each, int depth) const;

  std::vector<token>::const_iterator at(std::size_t number) const {
    return all_.begin() + static_cast<std::ptrdiff_t>(number);
  }

  const source_outline& outline_;
  const std::vector<token>& all_;
  std::vector<std::string> names_;
};

}  // namespace warpz
