// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/compiler_output.hpp"

#include <algorithm>
#include <utility>

#include "text/printable.hpp"

namespace warpz {

std::vector<std::string> files_in_depfile(std::string_view depfile) {
  std::vector<std::string> files;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) files.push_back(std::exchange(word, {}));
  };
  const std::size_t colon = depfile.find(": ");
  if (colon == std::string_view::npos) return {};
  depfile.remove_prefix(colon + 1);
  for (std::size_t i = 0; i < depfile.size(); ++i) {
    const char next = i + 1 < depfile.size() ? depfile[i + 1] : '\n';
    if (depfile[i] == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word += depfile[++i];
    } else if (depfile[i] == '$' && next == '$') {
      word += depfile[++i];
    } else if (depfile[i] == '\\' && next == '\n') {
      ++i;
      end_word();
    } else if (depfile[i] == ' ' || depfile[i] == '\n') {
      end_word();
    } else {
      word += depfile[i];
    }
  }
  end_word();
  return files;
}

std::string without_colors(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) != "\x1b[") {
      plain += text[i];
      continue;
    }
    // The first character that is neither a parameter nor a separator ends the sequence.
    i = std::min(text.find_first_not_of("0123456789;:?", i + 2), text.size() - 1);
  }
  return plain;
}

bool error_names(std::string_view messages, std::span<const std::string_view> words) {
  const std::string plain = without_colors(messages);
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', begin), plain.size());
    std::string_view line = std::string_view(plain).substr(begin, end - begin);
    begin = end + 1;
    // The path of the file stands before it.
    const std::size_t error = line.find("error: ");
    if (error == line.npos) continue;
    line.remove_prefix(error);
    const auto is_named = [line](std::string_view word) { return line.find(word) != line.npos; };
    if (std::any_of(words.begin(), words.end(), is_named)) return true;
  }
  return false;
}

std::string harmless(std::string_view messages) {
  constexpr std::string_view parameters = "0123456789;";
  std::string shown;
  for (std::size_t at = 0; at < messages.size();) {
    const std::string_view rest = messages.substr(at);
    // Colors end with m, and GCC clears the rest of the line by K.
    const std::size_t end = rest.starts_with("\x1b[") ? rest.find_first_not_of(parameters, 2) : rest.npos;
    std::size_t length = 1;
    if (end != rest.npos && (rest[end] == 'm' || rest[end] == 'K')) {
      length = end + 1;
      shown += rest.substr(0, length);
    } else if (rest[0] == '\n' || rest[0] == '\t') {
      shown += rest[0];
    } else {
      length = std::min(rest.find_first_of("\n\t\x1b", 1), rest.size());
      shown += printable(rest.substr(0, length), rest.npos);
    }
    at += length;
  }
  return shown;
}

}  // namespace warpz
