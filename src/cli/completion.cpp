// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "cli/option_table.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string joined_choices(const option_row& row) { return fmt::format("{}", fmt::join(choices(row), " ")); }

std::string with_backslashes(std::string_view text, std::string_view before) {
  std::string escaped;
  for (const char c : text) {
    if (before.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string bash_script() {
  std::vector<std::string> options, files, texts;
  std::string cases;
  for (const option_row& row : option_table()) {
    options.push_back(fmt::format("--{}", row.name));
    if (row.kind == value_kind::file || row.kind == value_kind::files) files.push_back(options.back());
    if (row.kind == value_kind::text || row.kind == value_kind::rest) texts.push_back(options.back());
    if (row.kind == value_kind::choice)
      cases += fmt::format("    {}) words={} ;;\n", options.back(), shell_word(joined_choices(row)));
    if (row.letter != 0) options.push_back(fmt::format("-{}", row.letter));
  }
  return fmt::format(R"(# bash completion for warpz: source <(warpz --completion bash)
_warpz() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  # An equals sign is a word of its own.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  local words={}
  COMPREPLY=()
  case $before in
    {})
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
    {}) return ;;
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -F _warpz warpz
)",
                     shell_word(fmt::format("{}", fmt::join(options, " "))), fmt::join(files, " | "),
                     fmt::join(texts, " | "), cases);
}

// One argument of zsh's _arguments.
std::string zsh_spec(const option_row& row) {
  std::string value;
  if (row.kind == value_kind::choice) value = fmt::format(":{}:({})", row.name, joined_choices(row));
  if (row.kind == value_kind::text || row.kind == value_kind::rest) value = fmt::format(":{}:", row.takes);
  if (row.kind == value_kind::file || row.kind == value_kind::files) value = fmt::format(":{}:_files", row.takes);
  const std::string behind_name = fmt::format("[{}]{}", with_backslashes(row.help, "[]\\:"), value);
  // Nothing goes with a request for information, and a puzzle may be asked for again.
  const std::string_view before_name = !row.starts ? "" : *row.starts == action::run ? "*" : "(- *)";
  if (row.letter != 0)
    return fmt::format("{}{{-{},--{}}}{}", shell_word(before_name), row.letter, row.name, shell_word(behind_name));
  return shell_word(fmt::format("{}--{}{}{}", before_name, row.name, value.empty() ? "" : "=", behind_name));
}

std::string zsh_script() {
  std::vector<std::string> specs;
  for (const option_row& row : option_table()) specs.push_back(zsh_spec(row));
  return fmt::format(R"(#compdef warpz
# zsh completion for warpz: source <(warpz --completion zsh), or this text as a file _warpz in $fpath
_warpz() {{
  _arguments \
    {}
}}
if [[ ${{zsh_eval_context[-1]}} == loadautofunc ]]; then
  _warpz "$@"
else
  (( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit -i }}
  compdef _warpz warpz
fi
)",
                     fmt::join(specs, " \\\n    "));
}

std::string fish_script() {
  const auto quoted = [](std::string_view text) { return fmt::format("'{}'", with_backslashes(text, "'\\")); };
  std::string script =
      "# fish completion for warpz: warpz --completion fish | source\n"
      "complete -c warpz -e\n"
      "complete -c warpz -f\n";
  for (const option_row& row : option_table()) {
    script += fmt::format("complete -c warpz -l {}", row.name);
    if (row.letter != 0) script += fmt::format(" -s {}", row.letter);
    if (row.kind == value_kind::text || row.kind == value_kind::rest) script += " -x";
    if (row.kind == value_kind::file || row.kind == value_kind::files) script += " -r -F";
    if (row.kind == value_kind::choice) script += fmt::format(" -x -a {}", quoted(joined_choices(row)));
    script += fmt::format(" -d {}\n", quoted(row.help));
  }
  return script;
}

}  // namespace

std::string completion_script(shell language) {
  switch (language) {
    case shell::bash:
      return bash_script();
    case shell::zsh:
      return zsh_script();
    case shell::fish:
      return fish_script();
  }
  return {};
}

}  // namespace warpz
