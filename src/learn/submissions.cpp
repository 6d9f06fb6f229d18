// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/submissions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>

#include "error.hpp"
#include "puzzle/project_files.hpp"
#include "puzzle/solution_files.hpp"
#include "source/tokens.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

std::string file_in(const std::string& folder, const puzzle& task) {
  std::error_code failed;
  for (const std::string& file : solution_files(folder, task)) {
    if (fs::is_regular_file(file, failed)) return file;
  }
  return {};
}

bool has_any_file(const std::string& folder) {
  return std::any_of(puzzles().begin(), puzzles().end(),
                     [&](const puzzle* each) { return !file_in(folder, *each).empty(); });
}

/// The students' folders, in the order of their names.
std::vector<std::string> student_folders(std::span<const std::string> folders) {
  std::vector<std::string> found;
  for (const std::string& given : folders) {
    std::error_code failed;
    fs::directory_iterator each(given, failed);
    if (failed)
      throw error(exit_code::bad_input, fmt::format("cannot read {}: {}", printable(given), failed.message()));
    std::vector<std::string> inside;
    for (; each != fs::directory_iterator(); each.increment(failed)) {
      if (each->is_directory(failed) && each->path().filename().string().front() != '.') inside.push_back(each->path());
    }
    if (has_any_file(given) || inside.empty()) inside = {given};
    std::sort(inside.begin(), inside.end());
    found.insert(found.end(), inside.begin(), inside.end());
  }
  return found;
}

std::string name_of(const std::string& folder) {
  std::error_code failed;
  const fs::path path = fs::absolute(folder, failed).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename();
}

constexpr std::size_t gram_tokens = 5;
/// Fewer pieces of one's own may well be the same by chance.
constexpr std::size_t least_grams = 30;
constexpr unsigned least_percent = 80;

using grams = std::set<std::string>;

/// Every few tokens in a row, where a name that is not among `known` is like any other.
grams grams_of(std::string_view text, const std::set<std::string_view>& known) {
  const std::vector<token> tokens = tokens_of(text);
  grams all;
  for (std::size_t i = 0; i + gram_tokens <= tokens.size(); ++i) {
    std::string gram;
    for (std::size_t k = i; k < i + gram_tokens; ++k) {
      const bool is_own_name = tokens[k].kind == token_kind::word && !known.contains(tokens[k].text);
      gram += is_own_name ? std::string_view("name") : tokens[k].text;
      gram += ' ';
    }
    all.insert(std::move(gram));
  }
  return all;
}

/// What a puzzle's files have in common.
class common_code {
 public:
  explicit common_code(const puzzle& task)
      : problem_(text_of(task, "problem.hip")), solution_(text_of(task, "solution.hip")) {
    for (const std::string_view text : {problem_, solution_}) {
      for (const token& each : tokens_of(text)) known_.insert(each.text);
    }
    known_grams_ = grams_of(problem_, known_);
    known_grams_.merge(grams_of(solution_, known_));
  }

  /// What this file has beyond that.
  grams own_grams(const std::string& file) const {
    const grams all = grams_of(os::content_of(file).value_or(""), known_);
    grams own;
    std::set_difference(all.begin(), all.end(), known_grams_.begin(), known_grams_.end(),
                        std::inserter(own, own.end()));
    return own;
  }

 private:
  std::string_view problem_, solution_;
  std::set<std::string_view> known_;
  grams known_grams_;
};

unsigned percent_alike(const grams& a, const grams& b) {
  if (a.size() < least_grams || b.size() < least_grams) return 0;
  const auto both = static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](const std::string& each) { return b.contains(each); }));
  return static_cast<unsigned>(100 * both / (a.size() + b.size() - both));
}

}  // namespace

std::vector<submission> find_submissions(std::span<const std::string> folders, std::span<const puzzle* const> tasks) {
  std::vector<submission> all;
  std::set<std::string> names;
  for (const std::string& folder : student_folders(folders)) {
    submission one{name_of(folder), folder, {}, left_out_files(folder, true)};
    if (!names.insert(one.student).second) {
      throw error(exit_code::bad_input, fmt::format("two folders are called {}", printable(one.student)),
                  "A student is known by the folder's name: rename one.");
    }
    for (const puzzle* const each : tasks) one.files.push_back(file_in(folder, *each));
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<const puzzle*> puzzles_in(std::span<const std::string> folders) {
  const std::vector<std::string> students = student_folders(folders);
  std::vector<const puzzle*> found;
  for (const puzzle* const each : puzzles()) {
    const auto has_it = [&](const std::string& folder) { return !file_in(folder, *each).empty(); };
    if (std::any_of(students.begin(), students.end(), has_it)) found.push_back(each);
  }
  return found;
}

std::vector<likeness> find_copies(std::span<const submission> all, std::span<const puzzle* const> tasks) {
  std::vector<likeness> found;
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    const common_code common(*tasks[task]);
    std::vector<grams> own;
    for (const submission& each : all) {
      own.push_back(each.files[task].empty() ? grams{} : common.own_grams(each.files[task]));
    }
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = a + 1; b < all.size(); ++b) {
        const unsigned percent = percent_alike(own[a], own[b]);
        if (percent >= least_percent) found.push_back({all[a].student, all[b].student, tasks[task], percent});
      }
    }
  }
  return found;
}

}  // namespace warpz
