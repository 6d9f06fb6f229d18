// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of LLVM's intermediate code as text: its instructions, its blocks and its loops.
//
// Of code that is not optimized, in which each variable is memory of its own (an alloca).
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace warpz {

using ir_name = std::string_view;  ///< with its sign: "%7", "@flag"
using ir_names = std::set<ir_name>;
using block_set = std::vector<bool>;  ///< by the number of the block

struct ir_instruction {
  std::size_t line = 0;  ///< in the function's text
  std::string_view text;
  std::string_view operation;     ///< "load", "call"
  ir_name result;                 ///< empty: none
  std::vector<ir_name> operands;  ///< values and globals, and names of types and blocks, which no value has
  std::size_t block = 0;
};

struct ir_block {
  std::vector<std::size_t> next;
  std::size_t last = 0;  ///< its last instruction
};

class ir_function {
 public:
  /// The lines from "define" to the closing brace.
  explicit ir_function(const std::vector<std::string_view>& lines);

  ir_name name() const { return name_; }
  const std::vector<ir_instruction>& instructions() const { return instructions_; }
  const std::vector<ir_block>& blocks() const { return blocks_; }

  /// The instruction with this result; null for parameters, globals and constants.
  const ir_instruction* definition(ir_name result) const;
  bool is_variable(ir_name name) const;

  /// The pointer from which this one is computed: a variable, a global, a parameter, or one that was loaded.
  ir_name base_of(ir_name pointer) const;

  /// The memory that a pointer leads to, by the name of the variable or global that it is or is held by.
  ir_name object_of(ir_name pointer) const;

  /// The natural loops around a block, each as the set of its blocks. None in a function of thousands of blocks, where
  /// looking for them would take seconds.
  std::vector<block_set> loops_around(std::size_t block) const;

  /// The blocks of which the end of this one decides whether they run.
  const block_set& decided_by(std::size_t block) const;

 private:
  void add_instruction(std::string_view text, std::size_t line);
  void link_blocks(const std::map<ir_name, std::size_t>& numbers);
  block_set reachable(std::size_t from, std::size_t barrier) const;
  bool dominates(std::size_t a, std::size_t b) const;
  bool comes_after(std::size_t a, std::size_t b) const;
  void find_loops();

  ir_name name_;
  std::vector<ir_instruction> instructions_;
  std::vector<ir_block> blocks_;
  std::map<ir_name, std::size_t> definitions_;
  std::vector<block_set> loops_;
  mutable std::map<std::size_t, block_set> decided_;  ///< as far as they have been asked for
};

/// The pointer of a load or a store: its last operand that is no metadata.
ir_name pointer_of(const ir_instruction& access);

}  // namespace warpz
