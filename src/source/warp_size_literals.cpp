// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/warp_size_literals.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "text/number.hpp"

namespace warpz {
namespace {

struct token {
  std::string_view text;
  unsigned line;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Words and single signs, without comments and without what stands in quotes.
std::vector<token> tokens_of(std::string_view source) {
  std::vector<token> tokens;
  unsigned line = 1;
  for (std::size_t i = 0; i < source.size();) {
    const std::string_view rest = source.substr(i);
    std::size_t length = 1;
    if (rest.starts_with("//")) {
      length = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      length = end == std::string_view::npos ? rest.size() : end + 2;
    } else if (rest[0] == '"') {
      while (length < rest.size() && rest[length] != '"' && rest[length] != '\n')
        length += rest[length] == '\\' ? 2 : 1;
      length = std::min(length + 1, rest.size());
    } else if (is_word(rest[0])) {
      const bool number = std::isdigit(static_cast<unsigned char>(rest[0])) != 0;
      while (length < rest.size() && (is_word(rest[length]) || (number && rest[length] == '\''))) ++length;
      tokens.push_back({rest.substr(0, length), line});
    } else if (std::isspace(static_cast<unsigned char>(rest[0])) == 0) {
      tokens.push_back({rest.substr(0, 1), line});
    }
    line += static_cast<unsigned>(std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
    i += length;
  }
  return tokens;
}

std::optional<std::uint64_t> literal(std::string_view word) {
  std::string digits;
  std::copy_if(word.begin(), word.end(), std::back_inserter(digits), [](char c) { return c != '\''; });
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos) digits.pop_back();
  if (digits.empty() || std::isdigit(static_cast<unsigned char>(digits[0])) == 0) return {};
  std::size_t used = 0;
  try {
    const std::uint64_t value = std::stoull(digits, &used, 0);
    return used == digits.size() ? std::optional(value) : std::nullopt;
  } catch (const std::exception&) {
    return {};
  }
}

bool is_warp_operation(std::string_view name) {
  constexpr std::array beginnings{"__shfl", "__match_a", "__reduce_", "__ballot", "shuffle_", "shfl"};
  constexpr std::array names{"__any", "__all", "__any_sync", "__all_sync", "__syncwarp", "syncwarp", "broadcast"};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [name](const char* each) { return name.starts_with(each); }) ||
         std::find(names.begin(), names.end(), name) != names.end();
}

bool is_lane_mask(std::string_view name) {
  return name.starts_with("__ballot") || name.starts_with("__match_a") || name == "__activemask";
}

class scanner {
 public:
  scanner(std::string_view source, unsigned lanes) : tokens_(tokens_of(source)), lanes_(lanes) {
    find_constants();
    find_thread_numbers();
  }

  std::set<unsigned> lines() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (text(i) == "for" && text(i + 1) == "(") look_at_loop(i);
      if (is_call(i)) look_at_call(i);
      if (lanes_ == 32 && is_lane_mask(text(i)) && text(i + 1) == "(") look_at_kept_mask(i);
      if (const std::size_t behind_it = behind_thread_number(i); behind_it != i) look_at_lane_number(i, behind_it);
    }
    return found_;
  }

 private:
  std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  bool is_call(std::size_t i) const { return is_warp_operation(text(i)) && text(i + 1) == "("; }

  /// Names that have one value in the whole file, given as a literal: by a definition or an only assignment.
  void find_constants() {
    std::set<std::string_view> changed;
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      const bool defined = text(i) == "define" && i > 0 && text(i - 1) == "#" && tokens_[i + 2].line == tokens_[i].line;
      const std::string_view name = text(defined ? i + 1 : i);
      if (is_changed_at(i)) changed.insert(name);
      if (!defined && text(i + 1) != "=") continue;
      const auto value = literal(text(i + 2));
      const bool only = defined || text(i + 3) == ";" || text(i + 3) == ",";
      if (only && value && constants_.emplace(name, *value).second) continue;
      if (is_word(name.empty() ? ' ' : name[0])) changed.insert(name);
    }
    for (const std::string_view name : changed) constants_.erase(name);
  }

  /// Names that stand for threadIdx.x.
  void find_thread_numbers() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const std::size_t end = behind_thread_number(i + 2);
      if (text(i + 1) == "=" && end != i + 2 && (text(end) == ";" || text(end) == ",")) threads_.insert(text(i));
    }
  }

  /// The token behind threadIdx.x, or behind a name for it; the token itself where it is neither.
  std::size_t behind_thread_number(std::size_t i) const {
    if (text(i) == "threadIdx" && text(i + 1) == "." && text(i + 2) == "x") return i + 3;
    return threads_.count(text(i)) != 0 ? i + 1 : i;
  }

  /// `threadIdx.x / 32`, `% 32`, `& 31`, `>> 5`.
  void look_at_lane_number(std::size_t at, std::size_t behind_it) {
    // As in static_cast<int>(threadIdx.x), but not in a call.
    for (std::size_t open = at; text(behind_it) == ")" && open >= 2 && text(open - 1) == "("; ++behind_it) {
      --open;
      if (is_word(text(open - 1)[0])) return;
    }
    const std::string_view sign = text(behind_it);
    const bool shift = sign == ">" && text(behind_it + 1) == ">";
    const auto size = value(behind_it + (shift ? 2 : 1));
    if (!size) return;
    const bool divides = (sign == "/" || sign == "%") && *size == lanes_;
    const bool takes_bits = sign == "&" && *size == lanes_ - 1;
    if (divides || takes_bits || (shift && std::uint64_t{1} << (*size & 63) == lanes_)) found_.insert(tokens_[at].line);
  }

  /// `unsigned above = __ballot(...)`.
  void look_at_kept_mask(std::size_t at) {
    // In front of it may stand namespaces.
    while (at >= 3 && text(at - 1) == ":" && text(at - 2) == ":") at -= 3;
    if (at < 3 || text(at - 1) != "=") return;
    const std::string_view type = text(at - 3), before = at > 3 ? text(at - 4) : std::string_view();
    const bool narrow = type == "int" || type == "unsigned" || type == "uint32_t" || type == "int32_t";
    if (narrow && before != "long") found_.insert(tokens_[at].line);
  }

  /// `n += 1`, `n >>= 1`, `n++`, `++n`.
  bool is_changed_at(std::size_t i) const {
    const auto twice = [this](std::size_t k, std::string_view sign) { return text(k) == sign && text(k + 1) == sign; };
    const bool compound =
        std::string_view("+-*/%&|^").find(text(i + 1)) != std::string_view::npos && text(i + 2) == "=";
    const bool shift = (twice(i + 1, "<") || twice(i + 1, ">")) && text(i + 3) == "=";
    const bool step = twice(i + 1, "+") || twice(i + 1, "-") || (i > 1 && (twice(i - 2, "+") || twice(i - 2, "-")));
    return compound || shift || step;
  }

  std::optional<std::uint64_t> value(std::size_t i) const {
    const auto known = constants_.find(text(i));
    return known != constants_.end() ? std::optional(known->second) : literal(text(i));
  }

  /// The token behind the one that closes what the token opens; the end where nothing does.
  std::size_t behind(std::size_t open, std::string_view opens, std::string_view closes) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (text(i) == opens) ++depth;
      if (text(i) == closes && --depth == 0) return i + 1;
    }
    return tokens_.size();
  }

  void look_at_call(std::size_t at) {
    const bool masked = text(at).ends_with("_sync");
    const std::size_t end = behind(at + 1, "(", ")");
    std::size_t argument = 0, depth = 0;
    for (std::size_t i = at + 1; i < end; ++i) {
      if (text(i) == "(" || text(i) == "[") ++depth;
      if (text(i) == ")" || text(i) == "]") --depth;
      if (depth == 1 && text(i) == ",") ++argument;
      // The argument is nothing but this word.
      const bool alone = depth == 1 && (text(i - 1) == "," || i == at + 2) && (text(i + 1) == "," || i + 2 == end);
      if (!alone || (masked && argument == 1)) continue;
      const auto size = value(i);
      if (size && (argument == 0 ? is_mask(*size) : *size == lanes_ || *size == lanes_ - 1 || *size == lanes_ / 2)) {
        found_.insert(tokens_[at].line);
      }
    }
  }

  /// All lanes of the smaller warp, none of the greater one's others.
  bool is_mask(std::uint64_t value) const { return lanes_ == 32 && value == 0xffffffff; }

  void look_at_loop(std::size_t at) {
    const std::size_t body = behind(at + 1, "(", ")");
    std::set<std::string_view> variables;
    bool bounded = false, begins_at_thread = false, steps = false;
    for (std::size_t i = at + 2; i + 1 < body; ++i) {
      if (text(i + 1) == "=" && text(i + 2) != "=") variables.insert(text(i));
      const auto size = value(i);
      bounded = bounded || (size && (*size == lanes_ || *size == lanes_ / 2));
      begins_at_thread = begins_at_thread || behind_thread_number(i) != i;
      steps = steps || (text(i - 2) == "+" && text(i - 1) == "=" && size == lanes_);
    }
    if (begins_at_thread && steps) found_.insert(tokens_[at].line);
    if (!bounded) return;
    std::size_t end = body;
    if (text(body) == "{") {
      end = behind(body, "{", "}");
    } else {
      while (end < tokens_.size() && text(end) != ";") ++end;
    }
    for (std::size_t i = body; i < end; ++i) {
      if (!is_call(i)) continue;
      const std::size_t call_end = behind(i + 1, "(", ")");
      for (std::size_t k = i + 2; k < call_end; ++k) {
        if (variables.count(text(k)) != 0) found_.insert(tokens_[at].line);
      }
    }
  }

  std::vector<token> tokens_;
  std::uint64_t lanes_;
  std::map<std::string_view, std::uint64_t> constants_;
  std::set<std::string_view> threads_;
  std::set<unsigned> found_;
};

std::string line_of(std::string_view source, unsigned number) {
  while (--number != 0) source.remove_prefix(std::min(source.find('\n') + 1, source.size()));
  const std::string_view line = source.substr(0, source.find('\n'));
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1));
}

}  // namespace

std::vector<source_line> warp_size_literals(std::string_view source, const std::string& file, unsigned lanes) {
  std::vector<source_line> lines;
  for (const unsigned line : scanner(source, lanes).lines()) lines.push_back({line_of(source, line), file, line});
  return lines;
}

}  // namespace warpz
