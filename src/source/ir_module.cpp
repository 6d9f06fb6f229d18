// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ir_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace warpz {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

/// Words between `define` or `=` and what is defined.
constexpr std::array<std::string_view, 7> internal_and_merged{"private",  "internal", "linkonce_odr",        "weak_odr",
                                                              "linkonce", "weak",     "available_externally"};
constexpr std::array<std::string_view, 10> other_linkage{"common",    "appending",       "external", "extern_weak",
                                                         "dso_local", "dso_preemptable", "default",  "hidden",
                                                         "protected", "dllimport"};

template <std::size_t Count>
bool is_one_of(const std::array<std::string_view, Count>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_linkage(std::string_view word) {
  return is_one_of(internal_and_merged, word) || is_one_of(other_linkage, word);
}

/// The text from `at` on, which may lie behind its end.
std::string_view from(std::string_view text, std::size_t at) { return text.substr(std::min(at, text.size())); }

std::string_view leading_word(std::string_view text) { return text.substr(0, text.find(' ')); }

/// The end of the quoted text that begins at `at`. A quote within is written as a number.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const std::size_t close = text.find('"', at + 1);
  return close == nowhere ? text.size() : close + 1;
}

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '$' ||
         c == '.' || c == '_';
}

/// The name that begins at `at`, behind its `@`.
std::string_view entity_name_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && text[end] == '"') {
    end = end_of_quoted(text, end);
  } else {
    while (end < text.size() && is_name_letter(text[end])) ++end;
  }
  return from(text, at).substr(0, end - at);
}

/// Calls `visit(name)` for each name behind an `@`, outside of quotes.
template <class Visit>
void visit_names(std::string_view text, const Visit& visit) {
  for (std::size_t at = text.find_first_of("@\""); at != nowhere; at = text.find_first_of("@\"", at)) {
    if (text[at] == '"') {
      at = end_of_quoted(text, at);
      continue;
    }
    const std::string_view name = entity_name_at(text, at + 1);
    if (!name.empty()) visit(name);
    at += 1 + name.size();
  }
}

/// The end of the bracket that opens at `at`.
std::size_t end_of_bracket(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_quoted(text, at);
      continue;
    }
    ++at;
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if ((c == ')' || c == ']' || c == '}' || c == '>') && --depth == 0) break;
  }
  return at;
}

/// The end of the type that begins at `at`: "[4 x float]", "%struct.pair", "i32 (float)*".
std::size_t end_of_type(std::string_view text, std::size_t at) {
  if (at < text.size() && (text[at] == '[' || text[at] == '{' || text[at] == '<')) {
    at = end_of_bracket(text, at);
  } else {
    if (at < text.size() && text[at] == '%') ++at;
    at += entity_name_at(text, at).size();
  }
  for (;;) {
    if (at < text.size() && text[at] == '*') {
      ++at;
    } else if (from(text, at).starts_with(" (") || from(text, at).starts_with(" addrspace(")) {
      at = end_of_bracket(text, text.find('(', at));
    } else {
      return at;
    }
  }
}

/// Where the keyword stands that the words for linkage precede: "global", "constant", "alias"; or the result's type.
std::size_t end_of_linkage(std::string_view text, std::size_t at) {
  while (is_linkage(leading_word(from(text, at)))) at += leading_word(from(text, at)).size() + 1;
  return at;
}

void read_linkage(ir_entity& entity, std::string_view words) {
  while (!words.empty()) {
    const std::string_view word = leading_word(words);
    if (word == "private" || word == "internal") entity.is_internal = true;
    if (word == "external" || word == "extern_weak") entity.is_defined = false;
    if (word == "available_externally") entity.is_copy = true;
    if (word.starts_with("linkonce") || word.starts_with("weak")) entity.is_mergeable = true;
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
}

/// Where the word stands that is not within a name or an initial value; the words before it are about linkage.
std::size_t place_of_keyword(std::string_view text, std::string_view wanted) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view word = leading_word(text.substr(at));
    if (word == wanted) return at;
    if (word.empty() || word.find_first_of("[{<%@\"") != nowhere) break;
    at += word.size() + 1;
  }
  return nowhere;
}

/// Where in a variable's line its type begins, behind the name.
std::size_t begin_of_type(std::string_view text) {
  for (const std::string_view each : {"global", "constant"}) {
    const std::size_t at = place_of_keyword(text, each);
    if (at != nowhere) return at + each.size() + 1;
  }
  return nowhere;
}

/// The line that defines a variable or an alias, or declares a variable.
ir_entity read_object(std::string_view line) {
  ir_entity entity;
  entity.text = line;
  const std::string_view name = entity_name_at(line, 1);
  const std::size_t words = 1 + name.size() + std::string_view(" = ").size();
  if (name.empty() || name.starts_with("llvm.") || words > line.size()) return entity;
  // Behind the name, which may contain any word.
  const std::string_view rest = line.substr(words);
  const std::size_t alias = place_of_keyword(rest, "alias");
  const std::size_t type = begin_of_type(rest);
  if (type == nowhere && alias == nowhere) return entity;
  entity.name = name;
  entity.kind = type != nowhere ? ir_kind::variable : ir_kind::alias;
  entity.is_defined = true;
  const std::string_view head = rest.substr(0, type != nowhere ? type : alias);
  read_linkage(entity, head);
  entity.is_constant = place_of_keyword(rest, "constant") != nowhere;
  entity.is_thread_local = head.find("thread_local") != nowhere;
  return entity;
}

/// A function's lines, which begin with `define` or `declare`.
ir_entity read_function(std::string_view lines) {
  ir_entity entity;
  entity.text = lines;
  entity.kind = ir_kind::function;
  entity.is_defined = lines.starts_with("define ");
  const std::size_t begin = leading_word(lines).size() + 1;
  const std::size_t end = end_of_linkage(lines, begin);
  read_linkage(entity, from(lines, begin).substr(0, end - begin));
  bool found = false;
  visit_names(from(lines.substr(0, lines.find('\n')), end), [&](std::string_view name) {
    if (!std::exchange(found, true)) entity.name = name;
  });
  return entity;
}

/// The parts of a function's first line.
struct signature {
  std::string_view result_and_name;  ///< "noundef i32 @name"
  std::string_view parameters;       ///< in their parentheses
  std::string_view attributes;       ///< what follows, up to the brace or the line's end
};

signature signature_of(const ir_entity& function) {
  const std::string_view line = function.text.substr(0, function.text.find('\n'));
  const std::size_t begin = end_of_linkage(line, leading_word(line).size() + 1);
  // Behind the name; a function without one has no parameters.
  const std::size_t open =
      function.name.empty() ? line.size() : static_cast<std::size_t>(function.name.end() - line.begin());
  const std::size_t close = end_of_bracket(line, open);
  return {from(line, begin).substr(0, open - begin), from(line, open).substr(0, close - open), from(line, close)};
}

/// Without " comdat" or " comdat($name)".
std::string without_group(std::string_view text) {
  constexpr std::string_view word = " comdat";
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      at = end_of_quoted(text, at) - 1;
    } else if (text.substr(at).starts_with(word)) {
      std::size_t end = at + word.size();
      if (end < text.size() && text[end] == '(') end = end_of_bracket(text, end);
      const bool has_comma = at > 0 && text[at - 1] == ',';
      return std::string(text.substr(0, has_comma ? at - 1 : at)) + std::string(text.substr(end));
    }
  }
  return std::string(text);
}

std::string declared_function(const ir_entity& defined, bool hidden) {
  const signature parts = signature_of(defined);
  std::string groups;
  for (std::string_view rest = parts.attributes; !rest.empty();) {
    const std::string_view word = leading_word(rest);
    if (word.starts_with('#')) groups += fmt::format(" {}", word);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return fmt::format("declare {}{}{}{}\n", hidden ? "hidden " : "", parts.result_and_name, parts.parameters, groups);
}

std::string declared_variable(const ir_entity& defined, bool hidden) {
  const std::size_t words = 1 + defined.name.size() + std::string_view(" = ").size();
  const std::string_view rest = from(defined.text.substr(0, defined.text.find('\n')), words);
  const std::size_t kept = end_of_linkage(rest, 0);
  const std::size_t type = begin_of_type(rest);
  std::string_view attributes = from(rest, kept).substr(0, type - kept);
  const std::size_t end = end_of_type(rest, type);
  std::string text = fmt::format("@{} = external {}", defined.name, hidden ? "hidden " : "");
  // It may be initialized elsewhere, as any variable that is only declared.
  for (; !attributes.empty();) {
    const std::string_view word = leading_word(attributes);
    if (word != "externally_initialized") text += fmt::format("{} ", word);
    attributes.remove_prefix(std::min(word.size() + 1, attributes.size()));
  }
  text += from(rest, type).substr(0, end - type);
  const std::size_t alignment = rest.rfind(", align ");
  if (alignment != nowhere && alignment >= end) {
    const std::size_t behind = rest.find_first_of(", ", alignment + std::string_view(", align ").size());
    text += rest.substr(alignment, behind == nowhere ? nowhere : behind - alignment);
  }
  return text + "\n";
}

}  // namespace

ir_module::ir_module(std::string_view code) {
  while (!code.empty()) {
    const bool is_function = code.starts_with("define ");
    const std::size_t end = code.find(is_function ? "\n}\n" : "\n");
    const std::string_view text = code.substr(0, end == nowhere ? nowhere : end + (is_function ? 3 : 1));
    code.remove_prefix(text.size());
    ir_entity entity;
    if (is_function || text.starts_with("declare ")) {
      entity = read_function(text);
    } else if (text.starts_with('@')) {
      entity = read_object(text);
    }
    entity.text = text;
    if (!entity.name.empty()) places_.emplace(entity.name, entities_.size());
    entities_.push_back(entity);
  }
}

const ir_entity* ir_module::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &entities_[found->second];
}

std::vector<std::string_view> ir_module::annotated(std::string_view mark) const {
  const std::string text = fmt::format("c\"{}\\00\"", mark);
  std::unordered_set<std::string_view> marks;
  std::vector<std::string_view> found;
  for (const ir_entity& each : entities_) {
    if (each.kind == ir_kind::variable && each.text.find(text) != nowhere) marks.insert(each.name);
  }
  for (const ir_entity& each : entities_) {
    if (!each.text.starts_with("@llvm.global.annotations = ")) continue;
    // The mark follows what is marked.
    const std::vector<std::string_view> names = references(each.text);
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (marks.count(names[i]) != 0) found.push_back(names[i - 1]);
    }
  }
  return found;
}

bool is_list_of_used(const ir_entity& entity) {
  return entity.text.starts_with("@llvm.compiler.used = ") || entity.text.starts_with("@llvm.used = ");
}

bool is_list_of_annotations(const ir_entity& entity) { return entity.text.starts_with("@llvm.global.annotations = "); }

std::string with_elements(std::string_view list, const std::function<bool(std::string_view)>& keeps) {
  // @llvm.used = appending global [2 x i8*] [i8* @a, i8* bitcast (i32* @b to i8*)], section "llvm.metadata"
  const std::size_t type = std::min(list.find('['), list.size());
  const std::size_t begin = end_of_bracket(list, type) + 1;
  const std::size_t end = end_of_bracket(list, begin);
  std::string kept;
  std::size_t count = 0;
  for (std::size_t at = begin + 1; at < end;) {
    std::size_t next = at;
    while (next + 1 < end && list[next] != ',') {
      const bool opens = list[next] == '(' || list[next] == '{', quotes = list[next] == '"';
      next = opens ? end_of_bracket(list, next) : quotes ? end_of_quoted(list, next) : next + 1;
    }
    const std::string_view element = from(list, at).substr(0, next - at);
    const std::vector<std::string_view> names = references(element);
    if (!names.empty() && keeps(names.front())) kept += fmt::format("{}{}", count++ == 0 ? "" : ", ", element);
    at = next + 2;
  }
  if (count == 0) return {};
  const std::string_view element_type =
      from(list, list.find(" x ", type)).substr(0, begin - 1 - list.find(" x ", type));
  return fmt::format("{}[{}{} [{}{}", list.substr(0, type), count, element_type, kept, from(list, end - 1));
}

std::vector<std::string_view> references(std::string_view text) {
  std::vector<std::string_view> names;
  visit_names(text, [&names](std::string_view name) { names.push_back(name); });
  return names;
}

std::string renamed(std::string_view text, const std::unordered_map<std::string_view, std::string>& names) {
  std::string result;
  const char* copied = text.begin();
  visit_names(text, [&](std::string_view name) {
    const auto found = names.find(name);
    if (found == names.end()) return;
    result.append(copied, name.begin());
    result += found->second;
    copied = name.end();
  });
  return result.append(copied, text.end());
}

std::string extended_name(std::string_view name, std::string_view suffix) {
  if (!name.ends_with('"')) return fmt::format("{}{}", name, suffix);
  return fmt::format("{}{}\"", name.substr(0, name.size() - 1), suffix);
}

std::string declaration(const ir_entity& defined, bool hidden) {
  return defined.kind == ir_kind::function ? declared_function(defined, hidden) : declared_variable(defined, hidden);
}

std::string relinked(const ir_entity& defined, std::string_view linkage, bool keep_group) {
  const auto grouped = [&](std::string_view text) {
    return keep_group && defined.is_mergeable ? std::string(text) : without_group(text);
  };
  if (defined.kind == ir_kind::function) {
    const signature parts = signature_of(defined);
    return fmt::format("define {} {}{}{}{}", linkage, parts.result_and_name, parts.parameters,
                       grouped(parts.attributes), from(defined.text, defined.text.find('\n')));
  }
  const std::size_t words = 1 + defined.name.size() + std::string_view(" = ").size();
  const std::string_view rest = defined.text.substr(words);
  return fmt::format("@{} = {} {}", defined.name, linkage, grouped(rest.substr(end_of_linkage(rest, 0))));
}

}  // namespace warpz
