// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/cuda_headers.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "source/compiler_output.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

bool includes_hip_alone(std::span<const std::string> headers) {
  bool has_hip = false;
  for (const std::string_view each : headers) {
    std::error_code failed;
    // The user's own are read themselves.
    if (std::filesystem::exists(each, failed)) continue;
    if (each.starts_with("cuda") || each.starts_with("cooperative_groups")) return false;
    has_hip = has_hip || each.starts_with("hip/");
  }
  return has_hip;
}

}  // namespace

bool has_hip_in_cu(std::span<const std::string> files, const temp_dir& work,
                   const std::function<user_program_compilation(const std::string& file)>& compilation_of) {
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    if (!has_name_of_cuda(file)) return false;
    const std::string depfile = work.file("included.depfile");
    std::error_code failed;
    std::filesystem::remove(depfile, failed);
    // Where an #error stops it, what it has read up to there is listed.
    run_command(work.command_in(user_program_question(compilation_of(file), file, depfile)));
    return includes_hip_alone(files_in_depfile(os::content_of(depfile).value_or("")));
  });
}

}  // namespace warpz
