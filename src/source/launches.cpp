// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "source/passes.hpp"
#include "source/tokens.hpp"

namespace warpz {
namespace {

using token_range = std::span<const token>;

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Words that may precede a launch and are no part of what is launched.
constexpr std::array<std::string_view, 5> statement_words{"return", "else", "do", "co_return", "co_yield"};

/// Whether it is a function of HIP that launches a kernel by its address.
bool takes_address(const token& each) { return each.is("hipLaunchCooperativeKernel") || each.is("hipLaunchKernel"); }
bool is_cast(const token& each) { return each.is("reinterpret_cast") || each.is("static_cast"); }

bool is_open(const token& each) { return each.is("(") || each.is("[") || each.is("{"); }
bool is_close(const token& each) { return each.is(")") || each.is("]") || each.is("}"); }

/// The bracket that belongs to the one at `at`.
std::size_t matching_open(token_range all, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at + 1; i-- > 0;) {
    if (is_close(all[i])) ++depth;
    if (is_open(all[i]) && --depth == 0) return i;
  }
  return none;
}

std::size_t matching_close(token_range all, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < all.size(); ++i) {
    if (is_open(all[i])) ++depth;
    if (is_close(all[i]) && --depth == 0) return i;
  }
  return none;
}

/// Where the template arguments that end at `at` begin.
std::size_t opening_angle(token_range all, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at + 1; i-- > 0;) {
    if (all[i].is(";") || is_open(all[i])) return none;
    if (is_close(all[i])) {
      i = matching_open(all, i);
      if (i == none) return none;
    } else if (all[i].is("<")) {
      if (--depth == 0) return i;
    } else {
      depth += all[i].closing_angles();
    }
  }
  return none;
}

bool is_name(const token& each) {
  return each.kind == token_kind::word &&
         std::find(statement_words.begin(), statement_words.end(), each.text) == statement_words.end();
}

/// Where the name that ends at `at` begins: "scale" or "scale<float>".
std::size_t begin_of_name(token_range all, std::size_t at) {
  if (all[at].closing_angles() != 0) {
    const std::size_t open = opening_angle(all, at);
    if (open == none || open == 0) return none;
    at = open - 1;
  }
  return is_name(all[at]) ? at : none;
}

/// Whether a name can end with it: what follows in parentheses or behind `::` then belongs to that name.
bool ends_name(const token& each) { return is_name(each) || each.closing_angles() != 0; }

/// Where the operand begins that ends at `at`: a name, with what it is called with and its elements' indices, or any
/// expression in parentheses.
std::size_t begin_of_operand(token_range all, std::size_t at) {
  while (all[at].is(")") || all[at].is("]")) {
    const std::size_t open = matching_open(all, at);
    if (open == none) return none;
    // Parentheses behind anything but a name are no call: they may follow `if (...)`.
    if (all[open].is("(") && (open == 0 || !ends_name(all[open - 1]))) return open;
    if (open == 0) return none;
    at = open - 1;
  }
  const std::size_t begin = begin_of_name(all, at);
  return begin != none && begin != 0 && all[begin - 1].is("template") ? begin - 1 : begin;
}

/// Where the launched expression begins that ends at `at`: operands joined by `::`, `.` and `->`.
std::size_t begin_of_launched(token_range all, std::size_t at) {
  for (;;) {
    const std::size_t begin = begin_of_operand(all, at);
    if (begin == none || begin == 0) return begin;
    const token& before = all[begin - 1];
    const bool is_scope = before.is("::");
    const bool is_global = is_scope && (begin < 2 || !ends_name(all[begin - 2]));
    if (is_global) return begin - 1;
    if (!is_scope && !before.is(".") && !before.is("->")) return begin;
    if (begin < 2) return none;
    at = begin - 2;
  }
}

/// A literal without line breaks: a raw one becomes an ordinary one with escapes.
std::string without_line_breaks(std::string_view literal) {
  const std::size_t quote = literal.find('"');
  const std::size_t open = literal.find('(');
  if (quote == 0 || quote == std::string_view::npos || literal[quote - 1] != 'R' || open == std::string_view::npos) {
    return std::string(literal);
  }
  const std::size_t close = literal.rfind(')');
  if (close <= open) return std::string(literal);
  std::string escaped = std::string(literal.substr(0, quote - 1)) + '"';
  for (const char c : literal.substr(open + 1, close - open - 1)) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c == '\n' ? "\\n" : std::string(1, c);
  }
  return escaped.append(literal.substr(literal.find('"', close)));
}

/// The tokens as text on one line, for the compiler.
std::string joined(token_range some) {
  std::string text;
  for (const token& each : some) {
    if (!text.empty()) text += ' ';
    text += each.text.find('\n') == std::string_view::npos ? std::string(each.text) : without_line_breaks(each.text);
  }
  return text;
}

/// The tokens as text for people: "scale<float, 4>".
std::string spelled(token_range some) {
  std::string text;
  const token* before = nullptr;
  for (const token& each : some) {
    const auto is_textual = [](const token& one) { return one.kind != token_kind::punctuator; };
    if (before != nullptr && (before->is(",") || (is_textual(*before) && is_textual(each)))) text += ' ';
    text += each.text;
    before = &each;
  }
  return text;
}

std::string quoted_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c == '\n' ? ' ' : c;
  }
  return literal + "\"";
}

/// The line breaks and directives in what lies between two tokens.
std::string line_breaks_of_gap(std::string_view gap) {
  std::string kept;
  for (std::size_t at = 0; at < gap.size();) {
    const bool comment = gap.substr(at).starts_with("/*");
    std::size_t end = at + 1;
    if (comment) end = std::min(gap.find("*/", at + 2), gap.size() - 2) + 2;
    const bool line = gap[at] == '#' || gap.substr(at).starts_with("//");
    if (line) end = std::min(gap.find('\n', at), gap.size());
    if (gap[at] == '#') {
      kept += gap.substr(at, end - at);
    } else {
      kept.append(static_cast<std::size_t>(std::count(&gap[at], &gap[at] + (end - at), '\n')), '\n');
    }
    at = end;
  }
  return kept;
}

/// The line breaks and directives in and between these tokens: with them, all lines stay where they were.
std::string line_breaks_of(std::string_view text, token_range some) {
  std::string kept;
  std::size_t at = some.front().begin;
  for (const token& each : some) {
    kept += line_breaks_of_gap(text.substr(at, each.begin - at));
    kept.append(static_cast<std::size_t>(std::count(each.text.begin(), each.text.end(), '\n')), '\n');
    at = each.end();
  }
  return kept;
}

class rewriting {
 public:
  explicit rewriting(std::string_view text) : text_(text), list_(tokens_of(text)), all_(list_) {}

  std::string result() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].is("<<<")) rewrite_launch(i);
      if (all_[i].is(shared_mark)) rewrite_shared(i);
      if (all_[i].is(device_word)) rewrite_device(i);
      if (takes_address(all_[i])) rewrite_address(i);
      follow_scopes(i);
    }
    return edited();
  }

 private:
  struct edit {
    std::size_t begin, end;
    std::string text;
  };

  /// Replaces the text from `begin` to `end`, which consists of these tokens.
  void replace(std::size_t begin, std::size_t end, token_range replaced, std::string_view by) {
    edits_.push_back({begin, end, std::string(by) + line_breaks_of(text_, replaced)});
  }

  std::string edited() {
    std::sort(edits_.begin(), edits_.end(), [](const edit& a, const edit& b) { return a.begin < b.begin; });
    std::string edited;
    std::size_t at = 0;
    for (const edit& each : edits_) {
      // It lies within what another one has replaced.
      if (each.begin < at) continue;
      edited += text_.substr(at, each.begin - at);
      edited += each.text;
      at = each.end;
    }
    return edited += text_.substr(at);
  }

  /// Where the `>>>` of the launch is, which a parenthesis follows; none where it is no launch.
  std::size_t end_of_configuration(std::size_t at) const {
    for (std::size_t i = at + 1; i + 1 < all_.size(); ++i) {
      if (is_open(all_[i])) {
        i = matching_close(all_, i);
        if (i == none) return none;
      } else if (is_close(all_[i]) || all_[i].is(";")) {
        return none;
      } else if (all_[i].closing_angles() >= 3 && all_[i + 1].is("(")) {
        return i;
      }
    }
    return none;
  }

  void rewrite_launch(std::size_t at) {
    if (at == 0 || all_[at - 1].is("operator")) return;
    const std::size_t begin = begin_of_launched(all_, at - 1);
    const std::size_t end = end_of_configuration(at);
    if (begin == none || end == none) return;
    const token_range launched = all_.subspan(begin, at - begin);
    const std::string call = fmt::format("({})(simt_arguments...)", joined(launched));
    replace(all_[begin].begin, all_[at].end(), all_.subspan(begin, at + 1 - begin),
            fmt::format("::simt::launch_configured({}, [&](const auto&... simt_arguments) -> decltype({}) {{ return "
                        "{}; }}, ::simt::configuration(",
                        quoted_literal(spelled(launched)), call, call));
    const bool has_arguments = end + 2 < all_.size() && !all_[end + 2].is(")");
    // Further angle brackets of that token belong to the configuration.
    replace(all_[end].end() - 3, all_[end + 1].end(), all_.subspan(end, 2), has_arguments ? "), " : ")");
  }

  /// Removes the cast that makes a mere address of a kernel: the machine learns its parameters from its type.
  void rewrite_address(std::size_t call) {
    const token_range rest = all_.subspan(call + 1);
    if (rest.size() < 2 || !rest[0].is("(")) return;
    const bool is_named = is_cast(rest[1]);
    std::size_t end = is_named ? 2 : 1;
    if (end >= rest.size() || !rest[end].is(is_named ? "<" : "(")) return;
    const std::size_t type = end + 1;
    while (++end < rest.size() && (rest[end].is("const") || rest[end].is("void") || rest[end].is("*"))) {
    }
    if (end >= rest.size() || !rest[end].is(is_named ? ">" : ")")) return;
    const token_range cast_to = rest.subspan(type, end - type);
    const auto count = [&](std::string_view word) {
      return std::count_if(cast_to.begin(), cast_to.end(), [word](const token& each) { return each.is(word); });
    };
    if (count("void") != 1 || count("*") != 1) return;
    replace(rest[1].begin, rest[end].end(), rest.subspan(1, end), "");
  }

  /// A lambda's __device__ stands before its parameters or its body, where C++ allows no attribute.
  void rewrite_device(std::size_t mark) {
    std::size_t next = mark + 1;
    while (next < all_.size() && all_[next].is(device_word)) ++next;
    const bool is_lambda = next == all_.size() || all_[next].is("(") || all_[next].is("{") || all_[next].is("->") ||
                           all_[next].is("mutable") || all_[next].is("noexcept");
    replace(all_[mark].begin, all_[mark].end(), all_.subspan(mark, 1),
            is_lambda ? std::string() : fmt::format("__attribute__((annotate(\"{}\")))", device_mark));
  }

  void rewrite_shared(std::size_t mark) {
    const std::size_t begin = statement_;
    std::size_t end = mark;
    while (end < all_.size() && !all_[end].is(";") && !all_[end].is("{") && !all_[end].is("=")) ++end;
    const token_range declaration = all_.subspan(begin, end - begin);
    const auto has = [&](std::string_view word) {
      return std::any_of(declaration.begin(), declaration.end(), [word](const token& each) { return each.is(word); });
    };
    if (end < all_.size() && all_[end].is(";") && has("extern")) {
      if (const std::optional<std::string> declared = dynamic_shared(declaration)) {
        replace(declaration.front().begin, all_[end].begin, all_.subspan(begin, end + 1 - begin), *declared);
        return;
      }
    }
    replace(all_[mark].begin, all_[mark].end(), all_.subspan(mark, 1),
            fmt::format("{}thread_local __attribute__((used))", has("static") ? "" : "static "));
  }

  /// What declares an array of unknown size in the block's dynamic shared memory; nothing where it is no such array.
  std::optional<std::string> dynamic_shared(token_range declaration) const {
    declaration = without_attribute(declaration);
    std::size_t name = declaration.size();
    while (name-- > 0 && declaration[name].is("]")) {
      name = matching_open(declaration, name);
      if (name == none) return {};
    }
    if (name == none || declaration[name].kind != token_kind::word || name + 2 >= declaration.size() ||
        !declaration[name + 2].is("]")) {
      return {};
    }
    const std::string type = type_of(declaration.first(name));
    const std::string rest = joined(declaration.subspan(name + 3));
    const std::string_view variable = declaration[name].text;
    // Outside of functions there is no block yet to whose memory it could refer.
    if (!in_function()) {
      return fmt::format("[[maybe_unused]] static constexpr ::simt::dynamic_shared_array<{} {}> {}{{}}", type, rest,
                         variable);
    }
    return fmt::format(
        "[[maybe_unused]] {0} (&{1})[]{2} = *reinterpret_cast<{0} (*)[]{2}>(__get_dynamicgroupbaseptr())", type,
        variable, rest);
  }

  /// Without an alignment behind the name, `s[] __attribute__((aligned(16)))`.
  static token_range without_attribute(token_range declaration) {
    if (declaration.empty() || !declaration.back().is(")")) return declaration;
    const std::size_t open = matching_open(declaration, declaration.size() - 1);
    if (open == none || open == 0 || !declaration[open - 1].is("__attribute__")) return declaration;
    return without_attribute(declaration.first(open - 1));
  }

  /// The type without storage class and alignment: dynamic shared memory is aligned for everything.
  static std::string type_of(token_range specifiers) {
    std::vector<token> kept;
    for (std::size_t i = 0; i < specifiers.size(); ++i) {
      const token& each = specifiers[i];
      if (each.is("extern") || each.is("static") || each.is(shared_mark) || each.is(device_word)) continue;
      if ((each.is("__attribute__") || each.is("alignas") || each.is("__align__")) && i + 1 < specifiers.size()) {
        i = std::min(matching_close(specifiers, i + 1), specifiers.size());
        continue;
      }
      kept.push_back(each);
    }
    return joined(kept);
  }

  bool in_function() const { return std::find(scopes_.begin(), scopes_.end(), scope::other) != scopes_.end(); }

  void follow_scopes(std::size_t at) {
    const token& each = all_[at];
    if (each.is("{")) {
      const token_range before = all_.subspan(statement_, at - statement_);
      const auto is_space = [](const token& one) { return one.is("namespace"); };
      const bool linkage = before.size() == 2 && before[0].is("extern");
      const bool outside = linkage || std::any_of(before.begin(), before.end(), is_space);
      scopes_.push_back(outside ? scope::space : scope::other);
    }
    if (each.is("}") && !scopes_.empty()) scopes_.pop_back();
    if (each.is("{") || each.is("}") || each.is(";") || each.is(":")) statement_ = at + 1;
  }

  enum class scope { space, other };

  std::string_view text_;
  std::vector<token> list_;
  token_range all_;
  std::vector<edit> edits_;
  std::vector<scope> scopes_;
  std::size_t statement_ = 0;  ///< where the current statement begins
};

}  // namespace

bool is_whole_program(std::string_view source) {
  const std::vector<token> all = tokens_of(source);
  bool has_main = false, has_launch = false;
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    has_main = has_main || (all[i].is("main") && all[i - 1].is("int") && all[i + 1].is("("));
    has_launch = has_launch || all[i].is("<<<");
  }
  return has_main && has_launch;
}

std::string without_hip_syntax(std::string_view preprocessed) { return rewriting(preprocessed).result(); }

}  // namespace warpz
