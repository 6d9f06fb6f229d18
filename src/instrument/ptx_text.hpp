// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of PTX statements in assembly, taken apart.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace warpz::instrument {

/// One instruction: `@!p add.s32 r0, r0, $4`.
struct ptx_instruction {
  std::string text;                   ///< as it is written, with one space between words
  std::string predicate;              ///< the register that says whether it runs; empty: it always does
  bool is_negated = false;            ///< it runs where the predicate does not hold
  std::vector<std::string> name;      ///< the words between its points: "add", "s32"
  std::vector<std::string> operands;  ///< without blanks; a pair in braces is one: "{lo,hi}"

  bool has(llvm::StringRef word) const;
};

/// The instructions between the quotes of one asm.
struct ptx_text {
  std::string text;                                            ///< all of it, with one space between words
  std::vector<std::pair<std::string, std::string>> registers;  ///< that it declares: name and type
  std::vector<ptx_instruction> instructions;
};

/// Nothing where it has labels, or what is no PTX at all. Braces and bars may be LLVM's: $( $| $)
std::optional<ptx_text> read_ptx(llvm::StringRef assembly);

/// Parts between commas that are in no braces or brackets.
std::vector<std::string> ptx_parts(llvm::StringRef list);

}  // namespace warpz::instrument
