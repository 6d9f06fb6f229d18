// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/working_copy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "error.hpp"
#include "learn/markdown.hpp"
#include "puzzle/project_files.hpp"
#include "system/descriptor.hpp"
#include "system/file_content.hpp"
#include "system/installed.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int reason) {
  throw error(exit_code::bad_input, fmt::format("cannot write {}: {}", printable(path), std::strerror(reason)));
}

/// A file that is there already is left as it is.
void write_new(const std::string& path, std::string_view text) {
  const os::descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file && errno == EEXIST) return;
  if (!file || write(file.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    const int reason = errno;
    // Half a problem would be taken for the learner's.
    if (file) unlink(path.c_str());
    fail(path, reason);
  }
}

void make_folder(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) fail(path, failed.value());
}

/// clangd takes .hip for HIP on a GPU, whose headers need not be there.
std::string compile_flags() {
  std::string flags = "-xc++\n-std=c++17\n-Wall\n";
  const std::string toolchain = first_existing(places_of("toolchain"));
  for (const std::string_view part : {"device", "simt/include"}) {
    std::error_code failed;
    flags += fmt::format("-isystem\n{}\n", fs::canonical(fs::path(toolchain) / part, failed).string());
  }
  return flags;
}

/// Where the puzzles of one's own are, in any folder.
std::vector<std::string> own_folders() {
  std::vector<std::string> folders;
  for (const puzzle* const each : puzzles()) {
    if (!each->is_own()) continue;
    std::error_code failed;
    std::string folder = fs::absolute(each->found_in, failed).lexically_normal().string();
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(std::move(folder));
  }
  return folders;
}

std::string editor_tasks(const std::string& program) {
  const auto task = [&](std::string_view label, std::vector<std::string> arguments) {
    for (const std::string& each : own_folders()) arguments.insert(arguments.end(), {"--puzzles", each});
    return nlohmann::ordered_json{{"label", label},           {"type", "process"},
                                  {"command", program},       {"args", std::move(arguments)},
                                  {"problemMatcher", "$gcc"}, {"group", "test"}};
  };
  const nlohmann::ordered_json file{
      {"version", "2.0.0"},
      {"tasks",
       {task("warpz: judge this file", {"${file}"}), task("warpz: a hint", {"hint", "${fileBasenameNoExtension}"}),
        task("warpz: watch", {"watch", "${workspaceFolder}"})}}};
  return file.dump(2) + "\n";
}

std::string readme(const std::string& program) {
  std::string own;
  for (const std::string& each : own_folders()) own += " --puzzles " + shell_word(each);
  return fmt::format(R"(# A course of puzzles for GPU lanes

Each .hip file here is a kernel to complete; tasks/ has what it is to do.
No GPU is needed.

    {0} learn            where you are, and what is next
    {0} watch            judges each file when you save it
    {0} neighbor.hip     judges one file
    {0} hint neighbor    a hint, one more each time
    {0} status           what is done, tried and open
    {0} reset neighbor   the problem again; your file is kept beside it

Call these commands in this folder{1}. progress.txt keeps what you have done.
compile_flags.txt tells clangd where HIP's headers are, so that an editor
completes names.
Editors that read .vscode/tasks.json offer the first commands as tasks.
)",
                     program, own.empty() ? "" : fmt::format(", each with{}", own));
}

std::string task_text(const course& all, const lesson& one) {
  std::string text = fmt::format("{}\n\n{}", fmt::join(task_lines(all, one, 1, page_columns), "\n"),
                                 terminal_text(one.text, page_columns));
  if (!one.reading.empty()) {
    const std::string where = fmt::format("To read: {} in {}", one.reading, document("reference.md"));
    text += fmt::format("\n{}\n", fmt::join(wrapped(where, page_columns), "\n"));
  }
  return text;
}

bool is_working_copy(const std::string& folder) {
  std::error_code failed;
  return fs::is_regular_file(fs::path(folder) / progress::file_name, failed);
}

}  // namespace

std::string_view problem_of(const puzzle& task) { return text_of(task, "problem.hip"); }

working_copy working_copy::make(const course& all, const std::string& folder, const std::string& program) {
  working_copy made(folder);
  make_folder(folder + "/tasks");
  make_folder(folder + "/.vscode");
  for (const lesson& each : all.lessons()) {
    write_new(made.task_file_of(*each.task), task_text(all, each));
    write_new(made.file_of(*each.task), problem_of(*each.task));
  }
  write_new(folder + "/README.md", readme(program));
  write_new(folder + "/compile_flags.txt", compile_flags());
  write_new(folder + "/.vscode/tasks.json", editor_tasks(program));
  // Last, as it tells that the others are there.
  write_new(fmt::format("{}/{}", folder, progress::file_name), progress::first_line);
  return made;
}

std::optional<working_copy> working_copy::find(const std::optional<std::string>& folder) {
  if (folder) return is_working_copy(*folder) ? std::optional(working_copy(*folder)) : std::nullopt;
  std::error_code failed;
  std::string relative = ".";
  for (fs::path above = fs::current_path(failed); !failed; above = above.parent_path(), relative += "/..") {
    if (is_working_copy(above)) return working_copy(fs::path(relative).lexically_normal());
    if (above == above.root_path()) break;
  }
  const std::string standard(default_folder);
  return is_working_copy(standard) ? std::optional(working_copy(standard)) : std::nullopt;
}

std::string working_copy::file_of(const puzzle& task) const {
  return fmt::format("{}{}.hip", folder_ == "." ? "" : folder_ + "/", task.flag);
}

std::string working_copy::task_file_of(const puzzle& task) const {
  return fmt::format("{}tasks/{}.txt", folder_ == "." ? "" : folder_ + "/", task.flag);
}

bool working_copy::is_begun(const puzzle& task) const {
  const auto content = os::content_of(file_of(task));
  return content && *content != problem_of(task);
}

std::string working_copy::reset(const puzzle& task) const {
  const std::string file = file_of(task);
  std::string backup;
  // link() never replaces a file.
  for (int number = 1; backup.empty(); ++number) {
    const std::string name = fmt::format("{}.{}~", file, number);
    if (link(file.c_str(), name.c_str()) == 0) {
      backup = name;
    } else if (errno == ENOENT) {
      break;
    } else if (errno != EEXIST) {
      fail(name, errno);
    }
  }
  if (!backup.empty() && unlink(file.c_str()) != 0) fail(file, errno);
  write_new(file, problem_of(task));
  return backup;
}

}  // namespace warpz
