// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's own syntax rewritten as C++: of any bytes, and of a program that is made from them together with the expected
// result. And what else is read from tokens.
#include <algorithm>
#include <array>
#include <span>

#include "fuzz/fuzz_support.hpp"
#include "source/launch_bounds.hpp"
#include "source/launches.hpp"
#include "source/tokens.hpp"
#include "source/warp_size_literals.hpp"

namespace {

using namespace warpz;

auto lines_in(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

// Any bytes.

void check_tokens(std::string_view text, const std::vector<token>& all) {
  std::size_t at = 0;
  unsigned line = 1;
  for (const token& each : all) {
    line += static_cast<unsigned>(lines_in(text.substr(at, each.begin - at)));
    fuzz::require(each.line == line, "a token knows its line");
    line += static_cast<unsigned>(lines_in(each.text));
    fuzz::require(each.begin >= at && !each.text.empty() && each.end() <= text.size(),
                  "tokens are in the text's order");
    fuzz::require(each.text.data() == text.data() + each.begin, "a token's text lies at its place");
    const std::string_view between = text.substr(at, each.begin - at);
    constexpr std::string_view hidden_begins = " \t\n\v\f\r/#";
    fuzz::require(between.empty() || hidden_begins.find(between[0]) != std::string_view::npos,
                  "only blanks, comments and the preprocessor's lines are no tokens", between);
    at = each.end();
    // In the middle of a line this begins nothing.
    if (each.is("#")) continue;
    const std::vector<token> alone = tokens_of(each.text);
    fuzz::require(alone.size() == 1 && alone[0].text == each.text && alone[0].kind == each.kind,
                  "a token by itself is the same one", each.text);
  }
}

void check_any(std::string_view text) {
  const std::vector<token> all = tokens_of(text);
  check_tokens(text, all);
  const std::string result = without_hip_syntax(text);
  const auto is_syntax = [](const token& each) {
    return each.is("<<<") || each.is(shared_mark) || each.is(device_word);
  };
  if (std::none_of(all.begin(), all.end(), is_syntax))
    fuzz::require(result == text, "what has no syntax of HIP's stays as it is", result);
  fuzz::require(lines_in(result) == lines_in(text), "as many lines are there afterwards", result);
  for (const source_line& each : warp_size_literals(text, "", 32)) {
    fuzz::require(each.line >= 1 && each.line <= lines_in(text) + 1, "a line of the text is reported");
    fuzz::require(text.find(each.function) != std::string_view::npos, "the line's text is the file's", each.function);
  }
  launch_bound_of(text, "k");
}

// A program made from the bytes.

constexpr std::array<std::string_view, 5> names{"k", "scale", "x1", "of", "_t"};
constexpr std::array<std::string_view, 7> misleading{R"("k<<<1, 2>>>(x);")",
                                                     R"x(R"(k<<<1, 2>>>(x) " )")x",
                                                     R"x(u8R"a(" )" k<<<1>>>(y) )a")x",
                                                     R"('"')",
                                                     R"('\'')",
                                                     R"("\"<<<")",
                                                     "1'000'000"};
constexpr std::array<std::string_view, 6> gaps{
    " ", "  ", "\n", " /* k<<<1, 2>>>(x); \" */ ", " // it's k<<<1, 2>>>(x)\n", "\n# 7 \"<<<.hip\"\n"};
constexpr std::array<std::string_view, 5> operators{" + ", " < ", " << ", " >> ", " == "};

class program {
 public:
  program(const std::uint8_t* data, std::size_t size) : left_(data, size) {
    const std::size_t around = pick(4);
    if (around == 1) both("namespace a { ");
    if (around == 2) both("extern \"C\" { ");
    for (std::size_t count = 1 + pick(3); count > 0; --count) declaration();
    if (around == 1 || around == 2) both("}");
  }

  std::string source, wanted;

 private:
  /// Less than `count`; 0 where no bytes are left.
  std::size_t pick(std::size_t count) {
    if (left_.empty()) return 0;
    const std::size_t picked = left_.front() % count;
    left_ = left_.subspan(1);
    return picked;
  }

  template <std::size_t Count>
  std::string_view one_of(const std::array<std::string_view, Count>& list) {
    return list[pick(Count)];
  }

  void both(std::string_view text) {
    source += text;
    wanted += text;
  }

  void declaration() {
    switch (pick(4)) {
      case 0:
      case 1:
        both("void f() { ");
        for (std::size_t count = pick(6); count > 0; --count) statement(3);
        both("}\n");
        return;
      case 2:
        replaced("extern __warpz_shared__ float s[];",
                 "[[maybe_unused]] static constexpr ::simt::dynamic_shared_array<float > s{};");
        return;
      default:
        both("struct s { int a : 3; };");
        both(one_of(gaps));
    }
  }

  void replaced(std::string_view before, std::string_view after) {
    source += before;
    wanted += after;
  }

  void statement(std::size_t depth) {
    switch (pick(depth == 0 ? 3 : 10)) {
      case 0:
        both("x = ");
        expression(depth);
        both(";");
        break;
      case 1:
        replaced("__warpz_shared__ float b[2];", "static thread_local __attribute__((used)) float b[2];");
        break;
      case 2:
        replaced("extern __warpz_shared__ int d[];",
                 "[[maybe_unused]] int (&d)[] = *reinterpret_cast<int (*)[]>(__get_dynamicgroupbaseptr());");
        break;
      case 3:
        both("if (");
        expression(depth - 1);
        both(") ");
        launch(depth);
        both(";");
        break;
      case 4:
        both("{ ");
        for (std::size_t count = pick(3); count > 0; --count) statement(depth - 1);
        both("}");
        break;
      case 5:
        both("a >>= b <<= c;");
        break;
      case 6:
        both("else ");
        [[fallthrough]];
      default:
        launch(depth);
        both(";");
    }
    both(one_of(gaps));
  }

  void expression(std::size_t depth) {
    switch (pick(depth == 0 ? 3 : 7)) {
      case 0:
        return both(one_of(names));
      case 1:
        return both(one_of(misleading));
      case 2:
        return both("v<a<b<int>>>");
      case 3:
        both("f(");
        expression(depth - 1);
        both(", ");
        expression(depth - 1);
        return both(")");
      case 4:
        both("(");
        expression(depth - 1);
        both(one_of(operators));
        expression(depth - 1);
        return both(")");
      case 5:
        both("t[");
        expression(depth - 1);
        return both("]");
      default:
        both("[&](int i) { ");
        for (std::size_t count = pick(3); count > 0; --count) statement(depth - 1);
        return both("}");
    }
  }

  using list = std::vector<std::string>;

  /// Template arguments, whose closing brackets may be one token.
  void angles(list& tokens, std::size_t depth) {
    tokens.insert(tokens.end(), {"<", std::string(one_of(names))});
    if (depth > 0 && pick(2) == 1) angles(tokens, depth - 1);
    if (pick(2) == 1) tokens.insert(tokens.end(), {",", "4"});
    if (pick(3) == 1) tokens.insert(tokens.end(), {",", "(", "2", ">", "1", ")"});
    if (tokens.back().back() == '>' && tokens.back() != "->" && pick(2) == 1) {
      tokens.back() += ">";
    } else {
      tokens.push_back(">");
    }
  }

  list launched() {
    list tokens;
    switch (pick(6)) {
      case 0:
        tokens = {std::string(one_of(names))};
        break;
      case 1:
        tokens = {"::", "a", "::", "k"};
        break;
      case 2:
        tokens = {"this", "->", "list", "[", "i", "]"};
        return tokens;
      case 3:
        tokens = {"(", "*", "k", ")"};
        return tokens;
      case 4:
        tokens = {"pick", "(", "\"<<<\"", ",", "R\"(a\"b)\"", ")"};
        return tokens;
      default:
        tokens = {"a", "<", "int", ">", "::", "template", "k"};
    }
    if (pick(2) == 1) angles(tokens, 2);
    return tokens;
  }

  static bool is_textual(const std::string& token) {
    const char c = token[0];
    return c == '"' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  }

  /// What stands between two tokens, which must not become one.
  std::string_view gap_between(const std::string& before, const std::string& after) {
    const bool could_join = (is_textual(before) && is_textual(after)) || before.back() == after.front();
    if (pick(4) == 0) return one_of(gaps);
    return could_join ? " " : "";
  }

  /// Of a text that is replaced: its line ends, and the preprocessor's lines.
  static std::string kept_of(std::string_view text) {
    std::string kept;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos; ++at) {
      kept += '\n';
      if (text.substr(at + 1).starts_with("# 7")) kept += "# 7 \"<<<.hip\"";
    }
    return kept;
  }

  void launch(std::size_t depth) {
    const list tokens = launched();
    std::string joined, written, lines;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i != 0) {
        const std::string_view gap = gap_between(tokens[i - 1], tokens[i]);
        source += gap;
        lines += kept_of(gap);
        joined += ' ';
        if (tokens[i - 1] == "," || (is_textual(tokens[i - 1]) && is_textual(tokens[i]))) written += ' ';
      }
      source += tokens[i];
      joined += tokens[i];
      written += tokens[i];
    }
    const std::string_view before = one_of(gaps);
    source += before;
    lines += kept_of(before);
    source += "<<<";
    wanted += fmt::format(
        "::simt::launch_configured({0}, [&](const auto&... simt_arguments) -> decltype(({1})(simt_arguments...)) {{ "
        "return ({1})(simt_arguments...); }}, ::simt::configuration({2}",
        quoted(written), joined, lines);
    expression(depth - 1);
    both(", ");
    expression(depth - 1);
    source += ">>>";
    const std::string_view behind = pick(3) == 0 ? one_of(gaps) : "";
    source += behind;
    source += "(";
    const bool has_arguments = pick(3) != 0;
    wanted += (has_arguments ? "), " : ")") + kept_of(behind);
    if (has_arguments) expression(depth - 1);
    both(")");
  }

  std::span<const std::uint8_t> left_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_any(fuzz::text_of(data, size));
  const program result(data, size);
  const std::string become = without_hip_syntax(result.source);
  fuzz::require(become == result.wanted, "launches and shared memory become what they have to",
                fmt::format("{}\nbecomes\n{}\ninstead of\n{}", result.source, become, result.wanted));
  check_any(result.source);
  return 0;
}
