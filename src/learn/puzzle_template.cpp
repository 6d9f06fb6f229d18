// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of learn/puzzle_folder.hpp that writes a new one.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "error.hpp"
#include "learn/puzzle_folder.hpp"
#include "system/installed.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view readme_text = R"(# @TITLE@

Difficulty: easy. Goal: no more collectives than the solution.

Each warp rotates its elements one place to the left.

    output[i] = input[i + 1]               if the next element exists and is in the same warp
    output[i] = the warp's first element   else

The kernel is `@KERNEL@(float* output, const float* input, int size)`. A block is one warp.

<details><summary>Hint: one operation</summary>

With `warp::shuffle_idx(v, source)` a lane names the lane whose `v` it wants.
</details>

<details data-for="diverged_collective hidden_case"><summary>Hint: lanes without an element</summary>

They have to reach the shuffle, too: call it outside of any `if`.
</details>
)";

constexpr std::string_view kernel_text = R"(#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Within each warp's part of the array: every element moves one place to the left, and the first one to the end.
__global__ void @KERNEL@(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
@WORK@}
)";

constexpr std::string_view problem_text = R"(
  // Get the element that belongs here with warp::shuffle_idx, outside of any `if`, and store it.
  if (global_i < size) output[global_i] = current_val;
)";

constexpr std::string_view solution_text = R"(
  const int lane = warp::lane_id();
  const bool has_next = lane < warp::size() - 1 && global_i < size - 1;
  const float next_val = warp::shuffle_idx(current_val, has_next ? lane + 1 : 0);
  if (global_i < size) output[global_i] = next_val;
)";

constexpr std::string_view reference_text = R"("""What is right, for any input and both warp sizes."""


def reference(x, warp_size):
    result = []
    for begin in range(0, len(x), warp_size):
        warp = x[begin:begin + warp_size]
        result += warp[1:] + warp[:1]
    return result
)";

constexpr std::string_view facts_text = R"json({
  "summary": "each warp's elements, rotated (shuffle_idx)",
  "kernel": "@KERNEL@",
  "size": 80
}
)json";

std::string with(std::string_view text, std::string_view from, std::string_view by) {
  std::string result(text);
  for (std::size_t at = 0; (at = result.find(from, at)) != result.npos; at += by.size())
    result.replace(at, from.size(), by);
  return result;
}

}  // namespace

void write_puzzle_folder(const std::string& folder) {
  const std::string name = checked_name(folder);
  const fs::path path = folder.ends_with('/') ? fs::path(folder).parent_path() : fs::path(folder);
  std::string title = with(name, "-", " ");
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  const auto fail = [&](std::string_view reason) {
    throw error(exit_code::bad_input, fmt::format("cannot write {}: {}", printable(folder), reason));
  };
  std::error_code failed;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
  if (!fs::create_directory(path, failed)) fail(failed ? failed.message() : "there is such a folder");
  const auto add = [&](const char* file, std::string_view text) {
    errno = 0;
    std::ofstream written(fmt::format("{}/{}", folder, file), std::ios::binary);
    written << with(with(text, "@KERNEL@", with(name, "-", "_")), "@TITLE@", title);
    if (!written.flush()) fail(std::strerror(errno != 0 ? errno : EIO));
  };
  add("README.md", readme_text);
  add("problem.hip", with(kernel_text, "@WORK@", problem_text));
  add("solution.hip", with(kernel_text, "@WORK@", solution_text));
  add("reference.py", reference_text);
  add("puzzle.json", facts_text);
}

std::string new_puzzle_text(const std::string& program, const std::string& folder) {
  const std::string name = name_of_folder(folder);
  const std::string own = shell_word(folder);
  return fmt::format(R"({0} has a puzzle that works. To make it your own, read
{4}.
its solution:        {1} {2} --puzzles {3}
another one:         {1} {2} --puzzles {3} --kernel FILE.hip
what a learner sees: {1} learn {2} --puzzles {3}
)",
                     printable(folder), program, name, own, document("own-puzzles.md"));
}

}  // namespace warpz
