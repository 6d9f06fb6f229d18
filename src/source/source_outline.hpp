// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions, loops and branches a line of source is in, and in which statement: enough to say behind which line
// another one belongs. By tokens, without a grammar; code in macros is not looked into.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/tokens.hpp"

namespace warpz {

/// Calls that are barriers of a block.
inline const std::vector<std::string_view> block_barrier_words{"__syncthreads", "barrier"};

inline bool is_block_barrier(const token& each) {
  return std::find(block_barrier_words.begin(), block_barrier_words.end(), each.text) != block_barrier_words.end();
}

enum class scope_kind { function, loop, branch, other };

/// Code in braces.
struct source_scope {
  scope_kind kind;
  std::size_t header;  ///< the number of the token with which its head begins: `for`, `if`, a function's name
  std::size_t open;    ///< of its braces
  std::size_t close;
  bool is_kernel = false;  ///< a function that is __global__
};

/// The numbers of its first and its last token.
struct source_statement {
  std::size_t first;
  std::size_t last;
  friend bool operator==(const source_statement&, const source_statement&) = default;
};

class source_outline {
 public:
  /// The text has to outlive it.
  explicit source_outline(std::string_view text);

  const std::vector<token>& tokens() const { return tokens_; }

  /// The token at this place, or the first one of the line, if the column is 0; nothing where there is none.
  std::optional<std::size_t> token_at(unsigned line, unsigned column) const;

  /// The scopes around a token, the outermost function first.
  std::vector<source_scope> around(std::size_t number) const;

  /// The statements that stand in a scope itself.
  std::vector<source_statement> statements_in(const source_scope& scope) const;

  /// The one of those that a token belongs to.
  std::optional<source_statement> statement_at(const source_scope& scope, std::size_t number) const;

  /// The one in the innermost scope around a place.
  std::optional<source_statement> statement_around(unsigned line, unsigned column) const;

  /// Whether one of the tokens is one of these words.
  bool has_word(const source_statement& statement, const std::vector<std::string_view>& words) const;

  /// Whether it is that of an `if`, and no `else if`.
  bool is_of_if(const source_scope& branch) const;
  bool has_else(const source_scope& branch) const;
  /// What that `if` asks; nothing where it declares something.
  std::optional<std::string_view> condition_of(const source_scope& branch) const;

  /// Text from one token to another.
  std::string_view text(std::size_t first, std::size_t last) const;
  /// The line with these tokens of it replaced.
  std::string replaced(std::size_t first, std::size_t last, std::string_view by) const;
  unsigned line_of(std::size_t number) const { return tokens_[number].line; }
  /// Where the line begins in the text.
  std::size_t begin_of(unsigned line) const { return line_begins_[line - 1]; }
  /// The line's text, and its blanks at the beginning.
  std::string_view line_text(unsigned line) const;
  std::string_view indent_of(unsigned line) const;

 private:
  std::string_view text_;
  std::vector<token> tokens_;
  std::vector<std::size_t> line_begins_;
  std::vector<source_scope> scopes_;
};

}  // namespace warpz
