// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's own flags for the compilers of a program.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// The words in a file of options, or in a variable: between blanks, with quotes and backslashes as compilers read
/// them.
std::vector<std::string> option_words(std::string_view text);

/// The flags with the contents of files in place of words such as @FILE.
std::vector<std::string> without_option_files(std::span<const std::string> flags, unsigned depth = 0);

/// The flags with the contents of files in place of words such as @FILE, as compilers do it: then the cache knows them;
/// and each in a word of its own, where one word has several, as a variable of a makefile.
/// Throws error(bad_input) where one has the compilers write, or leads what they write elsewhere: that is for warpz to
/// say, and would write over files of the user.
std::vector<std::string> checked_flags(const std::vector<std::string>& flags);

/// Whether it is an object or a library, by its name.
bool is_linked_file(const std::filesystem::path& file);

/// The flags without the objects and libraries among them: where a language is named, compilers take those for sources.
std::vector<std::string> without_linked_files(std::span<const std::string> flags);

/// Whether the flag is a library, an object, or an option of the linker, which may name one.
bool names_linked_file(const std::string& flag);
/// Whether the flag, in one word, says nothing to who links.
bool is_for_compiling(const std::string& flag);

/// What a header is compiled with that comes before a source with these flags.
struct header_flags {
  std::vector<std::string> words;
  std::vector<std::string> folders;  ///< that are searched for headers
};

/// Nothing where a flag may matter to the header alone.
std::optional<header_flags> flags_for_header(const std::vector<std::string>& flags);

}  // namespace warpz
