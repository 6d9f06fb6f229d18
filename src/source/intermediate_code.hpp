// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads Clang's intermediate code, as text: words, operands, and how many bytes the values of a type have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace warpz {

/// Removes the word that the text begins with; false where it begins with another.
bool remove_word(std::string_view& text, std::string_view word);

/// The text up to the first comma that is in no brackets or quotes, removed from `text` together with that comma and
/// the blanks behind it.
std::string_view take_operand(std::string_view& text);

/// The type that the operand begins with: "i24" of "i24 %3".
std::string_view type_of_operand(std::string_view operand);

/// What a line has of its place in the source: ", !dbg !12"; empty where it has none.
std::string_view place_of_line(std::string_view line);

/// Whether the line `define …` begins a function of the namespaces simt or warpz, or one that the standard library has
/// for types of theirs.
bool is_of_machine(std::string_view definition);

/// Calls `use` for each line, with its line break.
template <class Use>
void for_each_line(std::string_view code, const Use& use) {
  while (!code.empty()) {
    const std::string_view line = code.substr(0, std::min(code.find('\n'), code.size() - 1) + 1);
    use(line);
    code.remove_prefix(line.size());
  }
}

class intermediate_types {
 public:
  /// The code, which has to live longer than this, defines the structs that have a name.
  explicit intermediate_types(std::string_view code);

  /// The bytes that a load or store of this type accesses. Nothing where the type is not known.
  std::optional<std::uint64_t> accessed_bytes(std::string_view type) const;

  /// The bytes that a variable of this type takes, with padding at the end.
  std::optional<std::uint64_t> bytes(std::string_view type) const;

 private:
  struct layout {
    std::uint64_t bits;
    std::uint64_t alignment;  ///< in bytes

    std::uint64_t stored() const { return (bits + 7) / 8; }
    std::uint64_t padded() const { return (stored() + alignment - 1) / alignment * alignment; }
  };

  std::optional<layout> layout_of(std::string_view type, unsigned depth = 0) const;
  std::optional<layout> layout_of_struct(std::string_view members, bool is_packed, unsigned depth) const;
  std::optional<layout> layout_of_sequence(std::string_view inside, bool is_vector, unsigned depth) const;

  std::map<std::string_view, std::string_view> structs_;
};

}  // namespace warpz
