// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's intermediate code as text, cut into functions, variables and all the rest.
//
// Knows as much of its grammar as is needed to find who refers to whom, and to make a declaration of a definition or
// give it another linkage. Nothing of it is copied: it refers to the text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpz {

enum class ir_kind { function, variable, alias, other };

/// One line of the module's top level, or the lines of one function. Only functions, variables and aliases have names.
struct ir_entity {
  ir_kind kind = ir_kind::other;
  std::string_view text;  ///< with its line's end
  std::string_view name;  ///< as it stands behind the `@`, in quotes where it has any
  bool is_defined = false;
  bool is_internal = false;   ///< no other module sees it
  bool is_mergeable = false;  ///< several modules may define it: templates, inline functions
  bool is_copy = false;       ///< available_externally: another module has it, too
  bool is_constant = false;
  bool is_thread_local = false;
};

class ir_module {
 public:
  explicit ir_module(std::string_view code);

  const std::vector<ir_entity>& entities() const { return entities_; }

  /// The function, variable or alias of this name; null if there is none.
  const ir_entity* find(std::string_view name) const;

  /// What has been annotated with `mark` in the source, __attribute__((annotate("mark"))).
  std::vector<std::string_view> annotated(std::string_view mark) const;

 private:
  std::vector<ir_entity> entities_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

/// The list of what is kept although nothing refers to it: `__attribute__((used))`.
bool is_list_of_used(const ir_entity& entity);

/// The list of what is annotated: `__attribute__((annotate("mark")))`.
bool is_list_of_annotations(const ir_entity& entity);

/// Such a list with those of its elements that `keeps(name)`; empty where none is left.
std::string with_elements(std::string_view list, const std::function<bool(std::string_view)>& keeps);

/// The names that a piece of code refers to, its own among them.
std::vector<std::string_view> references(std::string_view text);

/// The code with other names in place of some.
std::string renamed(std::string_view text, const std::unordered_map<std::string_view, std::string>& names);

/// `"name"` or `name` with more letters at its end.
std::string extended_name(std::string_view name, std::string_view suffix);

/// Declares the function or variable, for the code that refers to it; hidden from other shared objects if asked for.
std::string declaration(const ir_entity& defined, bool hidden);

/// The definition with these words for linkage and visibility, "internal" or "weak hidden". It stays in the group of
/// sections that linkers merge only if it is mergeable and asked for.
std::string relinked(const ir_entity& defined, std::string_view linkage, bool keep_group = false);

}  // namespace warpz
