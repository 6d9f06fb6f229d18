// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/volatile_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "source/source_outline.hpp"

namespace warpz {
namespace {

constexpr std::array<std::string_view, 10> assignments{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="};
constexpr std::array<std::string_view, 3> branches{"if", "while", "for"};
/// Of what CUDA's atomicAdd and atomicExch both take.
constexpr std::array<std::string_view, 6> atomic_types{"int",      "unsigned",           "unsigned int",
                                                       "uint32_t", "unsigned long long", "float"};

template <typename Range>
bool has(const Range& all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// How a file loads and stores a value atomically.
class atomic_words {
 public:
  /// `type` of the variable, empty: unknown.
  atomic_words(const source_outline& outline, bool is_cuda, std::string type) : type_(std::move(type)) {
    const std::vector<token>& all = outline.tokens();
    const auto uses = [&](const auto& is) { return std::any_of(all.begin(), all.end(), is); };
    if (!is_cuda) {
      kind_ = kind::hip;
    } else if (has(atomic_types, type_) &&
               uses([](const token& each) { return each.is("atomicAdd") || each.is("atomicExch"); })) {
      kind_ = kind::functions;
    } else {
      kind_ = kind::reference;
      is_known_ = !type_.empty();
      has_header_ = uses([](const token& each) { return each.is("atomic_ref"); });
    }
  }

  bool is_known() const { return is_known_; }
  bool wants_header() const { return kind_ == kind::reference && !has_header_; }

  /// What stands before a load's object and behind it. A pointer is the object, if it `is_pointer`.
  std::pair<std::string, std::string> load(bool is_pointer) const {
    const std::string_view address = is_pointer ? "" : "&";
    switch (kind_) {
      case kind::hip:
        return {fmt::format("__hip_atomic_load({}", address), ", __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)"};
      case kind::functions:
        return {fmt::format("atomicAdd(({}*){}", type_, address), ", 0)"};
      default:
        return {reference(is_pointer), ")).load(cuda::memory_order_relaxed)"};
    }
  }

  struct store_words {
    std::string before, between, behind;
  };
  store_words store(bool is_pointer) const {
    const std::string_view address = is_pointer ? "" : "&";
    switch (kind_) {
      case kind::hip:
        return {fmt::format("__hip_atomic_store({}", address), ", ", ", __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)"};
      case kind::functions:
        return {fmt::format("atomicExch(({}*){}", type_, address), ", ", ")"};
      default:
        return {reference(is_pointer), ")).store(", ", cuda::memory_order_relaxed)"};
    }
  }

  std::string_view advice() const {
    switch (kind_) {
      case kind::hip:
        return "__hip_atomic_load and\n  __hip_atomic_store with __ATOMIC_RELAXED";
      case kind::functions:
        return "atomicAdd(p, 0) and\n  atomicExch(p, value)";
      default:
        return "load and store of\n  cuda::atomic_ref";
    }
  }

 private:
  enum class kind { hip, functions, reference };

  std::string reference(bool is_pointer) const {
    return fmt::format("cuda::atomic_ref<{0}, cuda::thread_scope_device>(const_cast<{0}&>({1}", type_,
                       is_pointer ? "*" : "");
  }

  std::string type_;
  kind kind_;
  bool is_known_ = true, has_header_ = false;
};

/// An expression that names the variable's memory: `flag`, `state[left]`, `*flag`, `queue->ready`, and
/// `*reinterpret_cast<volatile int*>(flag)`, which has this word for a name.
constexpr std::string_view cast_word = "reinterpret_cast";
struct object {
  std::size_t first, last;  ///< tokens
  bool is_pointer;          ///< `first` is a `*` in front of a pointer
};

class volatile_accesses {
 public:
  volatile_accesses(const symbolized_finding& race, std::string_view text)
      : race_(race), text_(text), outline_(text), all_(outline_.tokens()) {}

  std::optional<source_repair> find() {
    for (const auto& [one, other] : race_.pairs) {
      if (!note(one) || !note(other)) return {};
    }
    if (names_.empty()) return {};
    const std::string& file = race_.places.front().file;
    const atomic_words words(outline_, race_.is_of_cuda, type());
    if (!words.is_known()) return {};
    for (const auto& [open, name] : names_) {
      if (!replace_in(open, name, words)) return {};
    }
    if (insertions_.empty()) return {};
    source_repair repair{file, edits(), ""};
    if (words.wants_header())
      repair.edits.insert(repair.edits.begin(), {last_include(), false, "#include <cuda/atomic>"});
    repair.advice = fmt::format(
        "It works: compilers for NVIDIA's and AMD's GPUs make such a volatile access atomic. So that no rule\n"
        "  is broken, access {} by atomics wherever lanes poll or set it: {}.",
        name_of_all(), words.advice());
    return repair;
  }

 private:
  /// Which variable the access at a place is to, in the function around it.
  bool note(const source_line& place) {
    if (place.file != race_.places.front().file) return false;
    std::optional<std::size_t> at = outline_.token_at(place.line, place.column);
    if (!at) return false;
    const std::vector<source_scope> around = outline_.around(*at);
    if (around.empty()) return false;
    // A store is at its sign, where its object has ended.
    std::size_t word = *at;
    if (has(assignments, all_[word].text) || all_[word].is("++") || all_[word].is("--")) {
      if (word == 0 || (all_[word].is("++") || all_[word].is("--"))) return false;
      --word;
      while (word > around.front().open && (all_[word].is("]") || all_[word].is(")"))) word = before_bracket(word);
      if (all_[word].is(">")) word = before_angle(word);
    } else {
      while (word < around.front().close && all_[word].kind != token_kind::word) ++word;
    }
    if (all_[word].kind != token_kind::word) return false;
    names_.insert({around.front().open, all_[word].text});
    return true;
  }

  /// Of the words in front of a declaration's name, where one of them is `volatile`.
  std::string type_before(std::size_t name) const {
    std::vector<std::string_view> words;
    bool is_volatile = false;
    for (std::size_t i = name; i-- > 0;) {
      const token& each = all_[i];
      if (each.kind != token_kind::word && !each.is("*") && !each.is("&") && !each.is("::")) break;
      is_volatile = is_volatile || each.is("volatile");
      constexpr std::array<std::string_view, 10> others{
          "volatile", "const", "static", "extern", "__shared__", "__device__", "__restrict__", "__managed__", "*", "&"};
      if (!has(others, each.text)) words.insert(words.begin(), each.text);
    }
    if (!is_volatile) return "";
    std::string type;
    for (const std::string_view each : words) {
      const bool is_joined = type.empty() || each == "::" || type.ends_with("::");
      type += fmt::format("{}{}", is_joined ? "" : " ", each);
    }
    return type;
  }

  std::string type() const {
    for (const auto& [open, name] : names_) {
      // Each cast has one of its own.
      if (name == cast_word) return "";
      for (std::size_t i = 0; i < all_.size(); ++i) {
        if (!all_[i].is(name)) continue;
        if (const std::string found = type_before(i); !found.empty()) return found;
      }
    }
    return "";
  }

  bool is_declaration(std::size_t name) const {
    if (!type_before(name).empty()) return true;
    return name > 0 && all_[name - 1].kind == token_kind::word && !all_[name - 1].is("return") &&
           !all_[name - 1].is("else") && !all_[name - 1].is("do");
  }

  /// Of a cast to a pointer to volatile memory, in front of which is a `*`.
  std::optional<object> cast_object(std::size_t name) const {
    std::size_t open = name + 1;
    bool is_volatile = false;
    for (; open < all_.size() && !all_[open].is("(") && !all_[open].is(";"); ++open)
      is_volatile = is_volatile || all_[open].is("volatile");
    if (!is_volatile || open >= all_.size() || !all_[open].is("(") || !all_[name - 1].is("*")) return {};
    return object{name - 1, closing_bracket(all_, open), true};
  }

  std::optional<object> object_at(std::size_t name) const {
    if (all_[name].is(cast_word)) return cast_object(name);
    object found{name, name, false};
    // Back to the first word of `queue->items[3].ready`.
    while (found.first > 1 &&
           (all_[found.first - 1].is(".") || all_[found.first - 1].is("->") || all_[found.first - 1].is("::"))) {
      std::size_t before = found.first - 2;
      while (before > 0 && (all_[before].is("]") || all_[before].is(")"))) {
        before = opening_bracket(all_, before);
        if (before == 0 || all_[before - 1].kind != token_kind::word) break;
        --before;
      }
      found.first = before;
    }
    while (found.last + 1 < all_.size() && all_[found.last + 1].is("["))
      found.last = closing_bracket(all_, found.last + 1);
    const bool has_index = found.last != name;
    std::size_t front = found.first;
    // `*(flags + 3)`
    while (!has_index && front > 1 && all_[front - 1].is("(") && !all_[front - 2].is("(") && all_[front - 2].is("*") &&
           is_unary(front - 2)) {
      found.last = closing_bracket(all_, front - 1);
      --front;
    }
    if (found.last == all_.size()) return {};
    if (front > 0 && all_[front - 1].is("*") && is_unary(front - 1)) return object{front - 1, found.last, true};
    if (front > 0 && all_[front - 1].is("&") && is_unary(front - 1)) return {};  // it is passed on
    return object{front, found.last, false};
  }

  /// What stands before the brackets that end at `close`; the first token, if nothing does.
  std::size_t before_bracket(std::size_t close) const {
    const std::size_t open = opening_bracket(all_, close);
    return open == 0 ? 0 : open - 1;
  }

  /// What stands before the `<` that belongs to this `>`, of the arguments of a cast.
  std::size_t before_angle(std::size_t close) const {
    while (close > 1 && !all_[close].is("<") && !all_[close].is(";")) --close;
    return close - 1;
  }

  /// Whether a `*` or `&` has no left side.
  bool is_unary(std::size_t sign) const {
    if (sign == 0) return true;
    const token& before = all_[sign - 1];
    if (before.is("return") || before.is("else") || before.is("do")) return true;
    // It may begin a statement.
    if (before.is(")")) return has(branches, all_[before_bracket(sign - 1)].text);
    return before.kind == token_kind::punctuator && !before.is("]");
  }

  /// Whether the variable is a pointer, so that its name alone is no access: as the function declares it, or the file.
  bool is_indirect(const source_scope& function, std::string_view name) const {
    std::optional<bool> found;
    for (std::size_t i = 1; i < function.close; ++i) {
      if (!all_[i].is(name) || type_before(i).empty()) continue;
      std::size_t before = i - 1;
      while (before > 0 && (all_[before].is("const") || all_[before].is("__restrict__"))) --before;
      if (!found || i > function.header) found = all_[before].is("*");
    }
    return found.value_or(false);
  }

  /// The same with the parentheses around it.
  object with_parentheses(object inner) const {
    while (inner.first > 1 && all_[inner.first - 1].is("(") && all_[inner.last + 1].is(")") &&
           all_[inner.first - 2].kind == token_kind::punctuator && !all_[inner.first - 2].is(")") &&
           !all_[inner.first - 2].is("]")) {
      inner = {inner.first - 1, inner.last + 1, false};
    }
    return inner;
  }

  bool replace_in(std::size_t open, std::string_view name, const atomic_words& words) {
    const auto around = outline_.around(open + 1);
    if (around.empty()) return false;
    const bool is_pointer = is_indirect(around.front(), name);
    for (std::size_t i = open + 1; i < around.front().close; ++i) {
      if (!all_[i].is(name) || is_declaration(i)) continue;
      const std::optional<object> found = object_at(i);
      if (!found || (is_pointer && !found->is_pointer && found->last == i)) continue;
      const object whole = with_parentheses(*found);
      const token &before_it = all_[whole.first - 1], &behind_it = all_[whole.last + 1];
      if (text_.substr(behind_it.begin).starts_with(">>=")) return false;  // several tokens
      if (before_it.is("++") || before_it.is("--") || behind_it.is("++") || behind_it.is("--")) return false;
      if (has(assignments, behind_it.text)) {
        store(whole, whole.last + 1, words);
      } else {
        const auto [before, behind] = words.load(found->is_pointer);
        put(all_[found->first].begin, found->is_pointer ? 1 : 0, before);
        put(all_[found->last].end(), 0, behind);
      }
    }
    return true;
  }

  void store(const object& found, std::size_t sign, const atomic_words& words) {
    std::size_t last = sign + 1;
    for (int depth = 0; last + 1 < all_.size(); ++last) {
      const token& next = all_[last + 1];
      if (all_[last].is("(") || all_[last].is("[") || all_[last].is("{")) ++depth;
      if (all_[last].is(")") || all_[last].is("]") || all_[last].is("}")) --depth;
      if (depth == 0 && (next.is(";") || next.is(",") || next.is(")"))) break;
    }
    const auto [before, between, behind] = words.store(found.is_pointer);
    const std::string_view operation = all_[sign].text.substr(0, all_[sign].text.size() - 1);
    put(all_[found.first].begin, found.is_pointer ? 1 : 0, before);
    std::size_t begin = all_[found.last].end();
    if (operation.empty()) {
      put(begin, all_[sign + 1].begin - begin, between);
      put(all_[last].end(), 0, behind, true);
      return;
    }
    const auto [load, loaded] = words.load(found.is_pointer);
    const std::string_view target = outline_.text(found.first + (found.is_pointer ? 1 : 0), found.last);
    put(begin, all_[sign + 1].begin - begin, fmt::format("{}{}{}{} {} (", between, load, target, loaded, operation));
    put(all_[last].end(), 0, fmt::format("){}", behind), true);
  }

  struct insertion {
    std::size_t at, replaced;
    std::string text;
    bool ends_store = false;  ///< behind the loads that end at the same place
  };
  void put(std::size_t at, std::size_t replaced, std::string text, bool ends_store = false) {
    insertions_.push_back({at, replaced, std::move(text), ends_store});
  }

  /// The lines as they are with all that is put in.
  std::vector<line_edit> edits() {
    std::stable_sort(insertions_.begin(), insertions_.end(), [](const insertion& a, const insertion& b) {
      return std::pair(a.at, a.ends_store) < std::pair(b.at, b.ends_store);
    });
    std::vector<line_edit> found;
    std::size_t begin = 0, next = 0;
    for (unsigned line = 1; begin < text_.size() && next < insertions_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      std::string changed;
      std::size_t at = begin;
      for (; next < insertions_.size() && insertions_[next].at <= end; ++next) {
        changed += text_.substr(at, insertions_[next].at - at);
        changed += insertions_[next].text;
        at = insertions_[next].at + insertions_[next].replaced;
      }
      if (at != begin || !changed.empty()) {
        changed += text_.substr(std::min(at, end), end - std::min(at, end));
        found.push_back({line, true, changed});
      }
      begin = end + 1;
    }
    return found;
  }

  /// 0: there is none, so it goes to the beginning.
  unsigned last_include() const {
    unsigned line = 0, found = 0;
    for (std::size_t begin = 0; begin < text_.size(); begin = text_.find('\n', begin) + 1) {
      ++line;
      if (text_.substr(begin).starts_with("#include")) found = line;
      if (text_.find('\n', begin) == text_.npos) break;
    }
    return found;
  }

  std::string name_of_all() const {
    std::set<std::string_view> names;
    for (const auto& [open, name] : names_) names.insert(name == cast_word ? "the memory" : name);
    return fmt::format("{}", fmt::join(names, " and "));
  }

  const symbolized_finding& race_;
  const std::string_view text_;
  const source_outline outline_;
  const std::vector<token>& all_;
  std::set<std::pair<std::size_t, std::string_view>> names_;  ///< by the brace of the function
  std::vector<insertion> insertions_;
};

}  // namespace

std::optional<source_repair> volatile_repair(const symbolized_finding& race, std::string_view text) {
  return volatile_accesses(race, text).find();
}

}  // namespace warpz
