// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/puzzle_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "error.hpp"
#include "input/input.hpp"
#include "learn/course.hpp"
#include "learn/folder_reference.hpp"
#include "learn/refused_file.hpp"
#include "puzzle/project_files.hpp"
#include "system/file_content.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::array<const char*, 3> text_files{"README.md", "problem.hip", "solution.hip"};
constexpr const char* facts_file = "puzzle.json";
constexpr const char* input_file = "input.txt";

constexpr std::size_t max_text_bytes = std::size_t{1} << 20;
constexpr std::size_t max_elements = std::size_t{1} << 20;
constexpr std::size_t max_summary = 48;

constexpr std::array<std::string_view, 8> known_facts{"summary", "kernel",  "size",  "threads",
                                                      "inputs",  "outputs", "pivot", "rounding"};
constexpr std::array<std::string_view, 4> names_of_inputs{"a", "b", "c", "d"};

bool exists(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

/// A text that a terminal can show as it is.
std::string text_in(const std::string& file) {
  std::optional<std::string> text = os::content_of(file);
  if (!text) refuse_file(file, exists(file) ? "it cannot be read" : "there is no such file");
  if (text->size() > max_text_bytes) refuse_file(file, "it is larger than 1 MiB");
  std::erase(*text, '\r');
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t end = std::min({rest.find('\n'), rest.find('\t'), rest.size()});
    const std::string_view line = rest.substr(0, end);
    if (printable(line, line.size()) != line) refuse_file(file, "it is no plain text in UTF-8");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::move(*text);
}

/// puzzle.json, checked as it is read.
class puzzle_facts {
 public:
  explicit puzzle_facts(std::string file) : file_(std::move(file)) {
    if (!exists(file_)) return;
    try {
      all_ = json::parse(text_in(file_));
    } catch (const json::exception&) {
      refuse_file(file_, "it is not JSON");
    }
    if (!all_.is_object()) refuse_file(file_, "it is no object, as in {\"size\": 80}");
    for (const auto& [key, value] : all_.items()) {
      if (std::find(known_facts.begin(), known_facts.end(), key) != known_facts.end()) continue;
      const auto near = nearest(key, known_facts);
      refuse_file(file_, fmt::format("'{}' is not known", printable(key, max_shown)),
                  near.empty() ? fmt::format("It may have {}.", alternatives(known_facts))
                               : fmt::format("Did you mean {}?", alternatives(near)));
    }
  }

  std::string text(const char* key, std::string otherwise) const {
    const json* const value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_string()) refuse_file(file_, fmt::format("'{}' has to be a text", key));
    return value->get<std::string>();
  }

  std::size_t number(const char* key, std::size_t otherwise, std::size_t least, std::size_t most) const {
    const json* const value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() < least || value->get<std::uint64_t>() > most)
      refuse_file(file_, fmt::format("'{}' has to be a whole number from {} to {}", key, least, most));
    return value->get<std::size_t>();
  }

  std::optional<float> pivot() const {
    const json* const value = find("pivot");
    if (value == nullptr) return {};
    if (!value->is_number() || !std::isfinite(value->get<float>())) refuse_file(file_, "'pivot' has to be a number");
    return value->get<float>();
  }

  std::string choice(const char* key, std::span<const std::string_view> choices) const {
    std::string chosen = text(key, std::string(choices.front()));
    if (std::find(choices.begin(), choices.end(), chosen) == choices.end())
      refuse_file(file_, fmt::format("'{}' has to be {}", key, alternatives(choices)));
    return chosen;
  }

  const std::string& file() const { return file_; }

 private:
  const json* find(const char* key) const {
    const auto value = all_.find(key);
    return value == all_.end() ? nullptr : &*value;
  }

  std::string file_;
  json all_ = json::object();
};

bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// Lower-case words and digits, with dashes between them.
bool is_flag(std::string_view name) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' && name.back() != '-' &&
         name.find("--") == name.npos && std::all_of(name.begin(), name.end(), is_plain);
}

void fill_with(std::span<float> x, std::span<const float> numbers) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = numbers[i % numbers.size()];
}

/// Element i of each input, or those of block i.
double magnitudes_in(std::span<const float> x, std::size_t inputs, std::size_t first, std::size_t count) {
  const std::size_t length = x.size() / inputs;
  double sum = 0;
  for (std::size_t i = first; i < std::min(first + count, length); ++i) {
    double product = std::fabs(static_cast<double>(x[i]));
    for (std::size_t k = 1; k < inputs; ++k)
      product = std::max(product, 1.0) * std::max(std::fabs(static_cast<double>(x[k * length + i])), 1.0);
    sum += product;
  }
  return sum;
}

/// How the results of the puzzle may round.
void set_rounding(puzzle& task, const std::string& rounding, std::size_t inputs, bool is_per_block) {
  if (rounding == "none") return;
  task.factors = static_cast<unsigned>(inputs);
  // On one input there are no others whose sums are exact.
  task.has_fractions = rounding == "fractions" || task.has_one_input;
  const bool is_of_block = task.has_fractions;
  const unsigned threads = task.block_threads;
  task.magnitudes = [=](std::span<const float> x, std::size_t i, const parameters& values, magnitude_sums& sums) {
    const std::size_t block = threads != 0 ? threads : values.warp_size;
    if (is_of_block) return magnitudes_in(x, inputs, (is_per_block ? i : i / block) * block, block);
    return inputs == 1 ? sums.of(x) : magnitudes_in(x, inputs, 0, x.size());
  };
}

/// With several inputs, or with a result for each block.
plan plan_of_own(std::size_t size, std::uint32_t threads, std::size_t inputs, bool is_per_block) {
  const std::size_t length = ceil_div(size, inputs);
  plan result = plan_in_blocks(length, threads);
  result.inputs.assign(inputs, length);
  if (is_per_block) {
    result.output = result.grid[0];
    result.elements_per_thread = 0;
  }
  return result;
}

void set_launch(puzzle& task, const puzzle_facts& facts) {
  constexpr std::array<std::string_view, 2> outputs{"elements", "blocks"};
  constexpr std::array<std::string_view, 3> roundings{"none", "sums", "fractions"};
  constexpr std::size_t max_threads = 1024, least_warp = 32;
  const std::size_t inputs = facts.number("inputs", 1, 1, names_of_inputs.size());
  const bool is_per_block = facts.choice("outputs", outputs) == "blocks";
  task.block_threads = static_cast<unsigned>(facts.number("threads", 0, 1, max_threads));
  task.independent_warps = task.block_threads == 0 && !is_per_block;
  task.documented_pivot = facts.pivot();
  const std::size_t block = task.block_threads != 0 ? task.block_threads : least_warp;
  task.documented_blocks = static_cast<unsigned>(ceil_div(std::max<std::size_t>(task.documented_size, 1), block));
  if (inputs != 1 || is_per_block) {
    task.plan_for = [threads = task.block_threads, inputs, is_per_block](std::size_t size, const parameters& values) {
      return plan_of_own(size, threads != 0 ? threads : values.warp_size, inputs, is_per_block);
    };
  }
  if (inputs != 1) {
    task.kernel_takes = "float* output";
    for (std::size_t i = 0; i < inputs; ++i) task.kernel_takes += fmt::format(", const float* {}", names_of_inputs[i]);
    task.kernel_takes += task.documented_pivot ? ", int size, float pivot" : ", int size";
  }
  set_rounding(task, facts.choice("rounding", roundings), inputs, is_per_block);
}

/// The documented input and its size.
void set_input(puzzle& task, const puzzle_facts& facts, const std::string& folder) {
  const std::string file = folder + "/" + input_file;
  std::vector<float> numbers;
  if (exists(file)) {
    if (!os::content_of(file)) refuse_file(file, "it cannot be read");
    numbers = read_input(file);
    if (numbers.size() > max_elements) refuse_file(file, fmt::format("it has more than {} numbers", max_elements));
  }
  task.documented_size = facts.number("size", numbers.size(), 1, max_elements);
  task.documented_input = [numbers = std::move(numbers)](std::span<float> x, unsigned) {
    if (!numbers.empty()) return fill_with(x, numbers);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  };
}

void check_lesson(const puzzle& task, const std::string& file) {
  try {
    read_lesson(task, text_of(task, "README.md"));
  } catch (const std::invalid_argument& problem) {
    refuse_file(file, problem.what(), "Its first line is '# TITLE', its third one such as 'Difficulty: easy.'.");
  }
}

}  // namespace

std::string name_of_folder(const std::string& folder) {
  std::error_code failed;
  const fs::path path = fs::absolute(folder, failed).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::string checked_name(const std::string& folder) {
  std::string name = name_of_folder(folder);
  if (is_flag(name)) return name;
  refuse_file(folder, fmt::format("'{}' cannot name a puzzle", printable(name, max_shown)),
              "Use lower-case words and digits, with dashes between them.");
}

std::vector<std::string> puzzle_folders_in(const std::string& folder) {
  const auto is_puzzle = [](const std::string& path) {
    return exists(path + "/solution.hip") || exists(path + "/problem.hip") || exists(path + "/" + facts_file);
  };
  std::error_code failed;
  fs::directory_iterator each(folder, failed);
  if (failed) refuse_file(folder, fmt::format("it is no folder that can be read: {}", failed.message()));
  std::string plain = folder;
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  if (is_puzzle(plain)) return {plain};
  std::vector<std::string> found;
  for (; !failed && each != fs::directory_iterator(); each.increment(failed)) {
    std::string path = fmt::format("{}/{}", plain, each->path().filename().string());
    if (is_puzzle(path)) found.push_back(std::move(path));
  }
  if (found.empty()) refuse_file(folder, "there is no puzzle in it", "warpz new NAME writes one to begin with.");
  std::sort(found.begin(), found.end());
  return found;
}

puzzle read_puzzle_folder(const std::string& folder) {
  puzzle task;
  task.folder = folder;
  task.flag = checked_name(folder);
  for (const char* const each : text_files) task.texts.emplace(each, text_in(fmt::format("{}/{}", folder, each)));
  const std::string readme = folder + "/README.md";
  check_lesson(task, readme);
  task.title = read_lesson(task, text_of(task, "README.md")).title;
  const puzzle_facts facts(fmt::format("{}/{}", folder, facts_file));
  task.summary = facts.text("summary", task.title.substr(0, max_summary));
  if (task.summary.size() > max_summary || printable(task.summary) != task.summary)
    refuse_file(facts.file(), fmt::format("'summary' has to be one line of at most {} characters", max_summary));
  std::string name = task.flag;
  std::replace(name.begin(), name.end(), '-', '_');
  task.kernel = facts.text("kernel", name);
  if (!is_identifier(task.kernel)) refuse_file(facts.file(), "'kernel' has to be a kernel's name");
  set_input(task, facts, folder);
  add_reference(task);
  set_launch(task, facts);
  return task;
}

}  // namespace warpz
