// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/ptx_text.hpp"

#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cctype>

namespace warpz::instrument {
namespace {

/// What LLVM writes for the braces and bars that x86's assembly would take for alternatives.
std::string with_braces(llvm::StringRef assembly) {
  std::string text;
  for (std::size_t i = 0; i < assembly.size(); ++i) {
    const llvm::StringRef pair = assembly.substr(i, 2);
    const bool is_escape = pair == "$(" || pair == "$|" || pair == "$)" || pair == "$$";
    if (is_escape) ++i;
    text += pair == "$(" ? '{' : pair == "$)" ? '}' : pair == "$|" ? '|' : assembly[i];
  }
  return text;
}

std::string without_comments(llvm::StringRef text) {
  std::string rest;
  while (!text.empty()) {
    if (text.starts_with("//")) {
      text = text.drop_until([](char letter) { return letter == '\n'; });
    } else if (text.starts_with("/*")) {
      text = text.drop_front(std::min(text.find("*/", 2), text.size() - 2) + 2);
      rest += ' ';
    } else {
      rest += text.front();
      text = text.drop_front();
    }
  }
  return rest;
}

bool is_blank(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

/// One space between words.
std::string plain(llvm::StringRef text) {
  std::string result;
  for (const char letter : text.trim()) {
    if (!is_blank(letter)) {
      result += letter;
    } else if (result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

std::string without_blanks(llvm::StringRef text) {
  std::string result = text.str();
  result.erase(std::remove_if(result.begin(), result.end(), is_blank), result.end());
  return result;
}

/// `.reg .u32 a, b<4>`: b0 to b3.
bool declare(llvm::StringRef declaration, ptx_text& result) {
  auto [type, names] = declaration.split(' ');
  if (!type.consume_front(".") || names.empty()) return false;
  for (const std::string& name : ptx_parts(names)) {
    const auto [stem, count] = llvm::StringRef(name).split('<');
    unsigned numbered = 0;
    if (count.empty()) {
      result.registers.emplace_back(name, type.str());
    } else if (count.drop_back().getAsInteger(10, numbered) || numbered > 1000) {
      return false;
    }
    for (unsigned i = 0; i < numbered; ++i) result.registers.emplace_back(stem.str() + std::to_string(i), type.str());
  }
  return true;
}

bool add_instruction(llvm::StringRef statement, ptx_text& result) {
  ptx_instruction one;
  one.text = statement.str();
  if (statement.consume_front("@")) {
    one.is_negated = statement.consume_front("!");
    one.predicate = statement.take_until(is_blank).str();
    statement = statement.drop_front(one.predicate.size()).ltrim();
  }
  const llvm::StringRef name = statement.take_until(is_blank);
  if (name.empty() || name.contains(':') || std::isalpha(static_cast<unsigned char>(name.front())) == 0) return false;
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '.');
  for (const llvm::StringRef each : words) one.name.push_back(each.str());
  one.operands = ptx_parts(statement.drop_front(name.size()));
  result.instructions.push_back(std::move(one));
  return true;
}

}  // namespace

bool ptx_instruction::has(llvm::StringRef word) const {
  return std::any_of(name.begin(), name.end(), [word](const std::string& each) { return word == each; });
}

std::vector<std::string> ptx_parts(llvm::StringRef list) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char letter : without_blanks(list)) {
    depth += letter == '{' || letter == '[' ? 1 : letter == '}' || letter == ']' ? -1 : 0;
    if (letter == ',' && depth == 0) {
      parts.push_back(std::move(part));
      part.clear();
    } else {
      part += letter;
    }
  }
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

std::optional<ptx_text> read_ptx(llvm::StringRef assembly) {
  const std::string text = without_comments(with_braces(assembly));
  ptx_text result;
  result.text = llvm::StringRef(plain(text)).rtrim(" ;").str();
  llvm::SmallVector<llvm::StringRef, 16> statements;
  llvm::StringRef(text).split(statements, ';');
  for (const llvm::StringRef each : statements) {
    // A scope of registers: their names are the statement's own anyway.
    const std::string statement = plain(each.ltrim(" \t\n{}"));
    if (statement.empty()) continue;
    llvm::StringRef rest = statement;
    if (rest.consume_front(".reg ") ? !declare(rest, result) : !add_instruction(rest, result)) return std::nullopt;
  }
  return result;
}

}  // namespace warpz::instrument
