// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ir_function.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace warpz {
namespace {

bool belongs_to_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '-';
}

/// The name that begins at `at`, with its sign. It may be quoted.
ir_name name_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (end < text.size() && text[end] == '"') {
    end = std::min(text.find('"', end + 1), text.size() - 1) + 1;
  } else {
    while (end < text.size() && belongs_to_name(text[end])) ++end;
  }
  return text.substr(at, end - at);
}

/// The names in a line, up to its metadata.
std::vector<ir_name> names_in(std::string_view text) {
  std::vector<ir_name> names;
  text = text.substr(0, text.find(", !"));
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' && text[i] != '@') continue;
    names.push_back(name_at(text, i));
    i += names.back().size() - 1;
  }
  return names;
}

/// The name of the block that a line begins, as branches have it without its sign; empty: it begins none.
std::string_view label_of(std::string_view line) {
  if (line.empty() || line.front() == ' ' || line.front() == '}') return {};
  const std::size_t colon = line.find(':');
  return colon == std::string_view::npos ? std::string_view() : line.substr(0, colon);
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

}  // namespace

ir_function::ir_function(const std::vector<std::string_view>& lines) {
  const std::vector<ir_name> head = names_in(lines.front());
  const auto named = std::find_if(head.begin(), head.end(), [](ir_name each) { return each.front() == '@'; });
  if (named != head.end()) name_ = *named;
  std::map<ir_name, std::size_t> numbers;
  blocks_.emplace_back();
  for (std::size_t line = 1; line < lines.size(); ++line) {
    if (const std::string_view label = label_of(lines[line]); !label.empty()) {
      if (!instructions_.empty()) blocks_.emplace_back();
      numbers[label] = blocks_.size() - 1;
    } else if (lines[line].starts_with("  ")) {
      add_instruction(lines[line].substr(2), line);
    }
  }
  link_blocks(numbers);
  find_loops();
}

void ir_function::add_instruction(std::string_view text, std::size_t line) {
  // The cases of a switch stand in lines of their own.
  const bool goes_on = text.starts_with("  ") || text.starts_with(']');
  if (goes_on) {
    if (instructions_.empty()) return;
    const std::vector<ir_name> more = names_in(text);
    instructions_.back().operands.insert(instructions_.back().operands.end(), more.begin(), more.end());
    return;
  }
  ir_instruction added;
  added.line = line;
  added.text = text;
  added.operands = names_in(text);
  const std::size_t assignment = text.find(" = ");
  if (text.starts_with('%') && assignment != std::string_view::npos) {
    added.result = added.operands.front();
    added.operands.erase(added.operands.begin());
    added.operation = first_word(text.substr(assignment + 3));
    definitions_[added.result] = instructions_.size();
  } else {
    added.operation = first_word(text);
  }
  added.block = blocks_.size() - 1;
  blocks_.back().last = instructions_.size();
  instructions_.push_back(std::move(added));
}

void ir_function::link_blocks(const std::map<ir_name, std::size_t>& numbers) {
  for (ir_block& each : blocks_) {
    if (instructions_.empty()) return;
    for (const ir_name target : instructions_[each.last].operands) {
      const auto found = numbers.find(target.substr(1));
      if (found != numbers.end() && definitions_.count(target) == 0) each.next.push_back(found->second);
    }
  }
}

const ir_instruction* ir_function::definition(ir_name result) const {
  const auto found = definitions_.find(result);
  return found == definitions_.end() ? nullptr : &instructions_[found->second];
}

bool ir_function::is_variable(ir_name name) const {
  const ir_instruction* const defined = definition(name);
  return defined != nullptr && defined->operation == "alloca";
}

ir_name ir_function::base_of(ir_name pointer) const {
  for (;;) {
    const ir_instruction* const defined = definition(pointer);
    if (defined == nullptr) return pointer;
    const bool computes = defined->operation == "getelementptr" || defined->operation == "bitcast" ||
                          defined->operation == "addrspacecast";
    // Names of types come first.
    const auto value = std::find_if(defined->operands.begin(), defined->operands.end(), [&](ir_name each) {
      return each.front() == '@' || definitions_.count(each) != 0 || is_number(each.substr(1));
    });
    if (!computes || value == defined->operands.end()) return pointer;
    pointer = *value;
  }
}

ir_name ir_function::object_of(ir_name pointer) const {
  for (;;) {
    const ir_name base = base_of(pointer);
    const ir_instruction* const defined = definition(base);
    if (defined == nullptr || defined->operation != "load") return base;
    pointer = pointer_of(*defined);
  }
}

/// Blocks that can be reached from this one without passing `barrier`.
block_set ir_function::reachable(std::size_t from, std::size_t barrier) const {
  block_set seen(blocks_.size());
  std::vector<std::size_t> left{from};
  while (!left.empty()) {
    const std::size_t block = left.back();
    left.pop_back();
    if (block == barrier || seen[block]) continue;
    seen[block] = true;
    left.insert(left.end(), blocks_[block].next.begin(), blocks_[block].next.end());
  }
  return seen;
}

/// Whether each way to `b` leads through `a`.
bool ir_function::dominates(std::size_t a, std::size_t b) const { return a == b || !reachable(0, a)[b]; }

/// Whether each way from `b` to the function's end leads through `a`.
bool ir_function::comes_after(std::size_t a, std::size_t b) const {
  const block_set passed = reachable(b, a);
  for (std::size_t each = 0; each < blocks_.size(); ++each) {
    if (passed[each] && blocks_[each].next.empty()) return false;
  }
  return true;
}

const block_set& ir_function::decided_by(std::size_t block) const {
  block_set& decided = decided_[block];
  const std::vector<std::size_t>& next = blocks_[block].next;
  if (!decided.empty()) return decided;
  decided.resize(blocks_.size());
  for (std::size_t each = 0; each < blocks_.size() && next.size() > 1; ++each) {
    const auto follows =
        std::count_if(next.begin(), next.end(), [&](std::size_t one) { return comes_after(each, one); });
    decided[each] = follows != 0 && follows != static_cast<std::ptrdiff_t>(next.size());
  }
  return decided;
}

void ir_function::find_loops() {
  constexpr std::size_t max_blocks = 1000;
  if (blocks_.size() > max_blocks) return;
  const block_set live = reachable(0, blocks_.size());
  for (std::size_t latch = 0; latch < blocks_.size(); ++latch) {
    for (const std::size_t header : blocks_[latch].next) {
      if (!live[latch] || !dominates(header, latch)) continue;
      // All that the header dominates and that reach the latch without passing it.
      const block_set before = reachable(0, header);
      block_set& loop = loops_.emplace_back(blocks_.size());
      for (std::size_t each = 0; each < blocks_.size(); ++each) {
        loop[each] = each == header || (live[each] && !before[each] && reachable(each, header)[latch]);
      }
    }
  }
}

std::vector<block_set> ir_function::loops_around(std::size_t block) const {
  std::vector<block_set> loops;
  std::copy_if(loops_.begin(), loops_.end(), std::back_inserter(loops),
               [block](const block_set& each) { return each[block]; });
  return loops;
}

ir_name pointer_of(const ir_instruction& access) {
  return access.operands.empty() ? ir_name() : access.operands.back();
}

}  // namespace warpz
