// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/mended_compilation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "source/compiler_output.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

// A compiler stops after 20 errors, so that one try may not show all files.
constexpr int max_tries = 8;

/// A template's argument that is no constant has no reason beside it: it may be what a function makes of warpSize.
bool wants_constant_warp_size(std::string_view messages) {
  return messages.find("non-const variable 'current_warp_size'") != messages.npos ||
         messages.find("invalid explicitly-specified argument for template parameter") != messages.npos;
}

std::string yaml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// Files that the compiler is to read in place of others, which keep their names.
class replaced_files {
 public:
  replaced_files(const temp_dir& work, const renamed_file& renamed) : work_(work), renamed_(renamed) {
    static std::atomic<unsigned> number = 0;
    name_ = fmt::format("mended-{}", number++);
  }

  /// False where nothing in them can be changed.
  bool add(const std::vector<std::string>& files) {
    bool has_changed = false;
    for (const std::string& each : files) {
      std::error_code failed;
      const std::string& file = each == renamed_.name ? renamed_.file : each;
      const std::string path = fs::absolute(file, failed).lexically_normal().native();
      if (std::find(paths_.begin(), paths_.end(), path) != paths_.end()) continue;
      const std::string text = os::content_of(path).value_or("");
      const std::string mended = with_cpu_assembly(text);
      if (mended == text) continue;
      work_.write(content_name(paths_.size()), mended);
      paths_.push_back(path);
      has_changed = true;
    }
    return has_changed;
  }

  void add_words(command& job) const {
    if (paths_.empty()) return;
    std::string list;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      list += fmt::format("{}{{\"name\": {}, \"type\": \"file\", \"external-contents\": {}}}", i == 0 ? "" : ", ",
                          yaml_text(paths_[i]), yaml_text(work_.file(content_name(i))));
    }
    work_.write(name_ + ".yaml",
                fmt::format("{{\"version\": 0, \"use-external-names\": false, \"roots\": [{}]}}\n", list));
    job.words.insert(job.words.end() - 1, {"-ivfsoverlay", work_.file(name_ + ".yaml")});
  }

 private:
  std::string content_name(std::size_t file) const { return fmt::format("{}.{}", name_, file); }

  const temp_dir& work_;
  const renamed_file& renamed_;
  std::string name_;
  std::vector<std::string> paths_;
};

/// Where a constraint's string begins: whether it is one that only PTX has.
bool is_ptx_constraint(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && (text[at] == '=' || text[at] == '+' || text[at] == '&')) ++at;
  if (at + 1 >= text.size() || (text[at] != 'h' && text[at] != 'f') || text[at + 1] != '"') return false;
  for (at += 2; at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0;) ++at;
  return at < text.size() && text[at] == '(';
}

/// Whether it begins with one that has no other name in front of it.
bool begins_with_ptx_register(std::string_view text) {
  constexpr std::array names = {"tid.",        "ntid.",       "ctaid.",      "nctaid.", "laneid",      "warpid",
                                "nwarpid",     "smid",        "nsmid",       "gridid",  "lanemask_eq", "lanemask_lt",
                                "lanemask_le", "lanemask_gt", "lanemask_ge", "clock",   "clock64",     "globaltimer"};
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  if (end < text.size() && text[end] == '.') ++end;
  return std::find(names.begin(), names.end(), text.substr(0, end)) != names.end();
}

/// Whether the text ends within a string in which a register is moved, as no format of printf says.
bool is_behind_move(std::string_view text) {
  const std::size_t line = text.rfind('\n') + 1;
  const std::size_t quote = text.rfind('"');
  return quote != text.npos && quote >= line && text.find("mov.", quote) != text.npos;
}

}  // namespace

std::string with_cpu_assembly(std::string_view text) {
  std::string result(text);
  for (std::size_t at = text.find('"'); at != text.npos; at = text.find('"', at + 1)) {
    if (!is_ptx_constraint(text.substr(at))) continue;
    const std::size_t letter = text.find_first_of("hf", at);
    // A general register, and one for floats.
    result[letter] = text[letter] == 'h' ? 'r' : 'x';
  }
  for (std::size_t at = text.find(" %"); at != text.npos; at = text.find(" %", at + 1)) {
    // The second sign is in place of the blank.
    if (begins_with_ptx_register(text.substr(at + 2)) && is_behind_move(text.substr(0, at))) result[at] = '%';
  }
  return result;
}

std::vector<std::string> files_with_refused_assembly(std::string_view messages) {
  std::vector<std::string> files;
  std::istringstream lines{std::string(messages)};
  bool is_of_assembly = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t error = line.find(": error: ");
    if (error != line.npos) {
      const std::string_view message = std::string_view(line).substr(error);
      is_of_assembly = message.find("invalid output constraint '") != std::string_view::npos ||
                       message.find("invalid input constraint '") != std::string_view::npos ||
                       message.find("invalid % escape in inline assembly string") != std::string_view::npos;
    }
    // The assembly may be in a macro, and that in another file.
    const std::size_t end = error != line.npos ? error : line.find(": note: expanded from macro ");
    if (!is_of_assembly || end == line.npos) continue;
    // file:line:column
    std::string_view file = std::string_view(line).substr(0, end);
    for (int i = 0; i < 2; ++i) file = file.substr(0, std::min(file.rfind(':'), file.size()));
    if (std::find(files.begin(), files.end(), file) == files.end()) files.emplace_back(file);
  }
  return files;
}

mended_compilation run_mended(const compiler_runner& runner, const temp_dir& work, command job,
                              const renamed_file& renamed, const command_end& earlier) {
  mended_compilation result;
  replaced_files replaced(work, renamed);
  // False where there is nothing to change.
  const auto mend = [&](const command_end& tried) {
    if (tried.succeeded() || tried.end != command_end::cause::exited) return false;
    const std::string messages = without_colors(tried.output);
    const bool wants_constant = !result.has_constant_warp_size && wants_constant_warp_size(messages);
    if (wants_constant) {
      result.has_constant_warp_size = true;
      job.words.insert(job.words.end() - 1, "-D__WARPZ_CONSTANT_WARP_SIZE__=1");
    }
    return replaced.add(files_with_refused_assembly(messages)) || wants_constant;
  };
  mend(earlier);
  for (int i = 0; i < max_tries; ++i) {
    command tried = job;
    replaced.add_words(tried);
    result.end = runner.run_to_end(tried);
    if (!mend(result.end)) break;
  }
  return result;
}

}  // namespace warpz
