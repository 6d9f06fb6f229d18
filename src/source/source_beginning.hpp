// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a source says before it includes HIP's header. Where none of it can matter to that header, the header may as
// well be read before, and so be precompiled.
#pragma once

#include <string_view>
#include <vector>

namespace warpz {

/// Whether a macro of this name is the program's alone. Reserved names begin with an underscore; headers declare names
/// with small letters, and ask for a few others.
bool is_own_macro(std::string_view name);

/// The directives of one file, as Clang's option -print-dependency-directives-minimized-source writes them.
class source_beginning {
 public:
  enum class stop {
    hip_header,    ///< the file includes it here
    other_header,  ///< the file includes header() here, or may do so
    other,         ///< what the file says here may matter to a header
    end
  };

  explicit source_beginning(std::string_view directives) : rest_(directives) {}

  /// Reads on to the next stop. There is none behind hip_header, other and end.
  stop next();

  std::string_view header() const { return header_; }
  bool is_quoted() const { return is_quoted_; }
  /// Whether the file may not include header(): it stands behind an #if that is no include guard.
  bool is_conditional() const;

 private:
  std::string_view take_line();
  bool open_condition(std::string_view macro, bool may_be_guard);
  stop include(std::string_view operand);

  std::string_view rest_;
  std::string_view header_;
  bool is_quoted_ = false;
  std::vector<bool> conditions_;  ///< those that are open, and whether each is an include guard
};

}  // namespace warpz
