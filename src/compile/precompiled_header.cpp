// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/precompiled_header.hpp"

#include <filesystem>
#include <utility>

#include "compile/compiler_runner.hpp"

namespace warpz {

std::future<std::string> prepare_header(const kernel_cache& cache, std::string key, command making, std::string result,
                                        std::string dependencies, const temp_dir& work) {
  const auto find_or_make = [&cache, key = std::move(key), making = std::move(making), result = std::move(result),
                             dependencies = std::move(dependencies), &work]() -> std::string {
    if (const std::optional<compiled_code> kept = cache.find(key)) {
      work.write(std::filesystem::path(result).filename().string(), kept->module);
      return result;
    }
    const auto begin = begin_of_compilation();
    if (!run_command(work.command_in(making)).succeeded()) return {};
    std::optional<std::string> header = read_result(result);
    if (!header) return {};
    compiled_code code;
    code.module = *std::move(header);
    add_depfile(code, dependencies, work);
    if (inputs_unchanged(code, begin)) cache.keep(key, code);
    return result;
  };
  return std::async(std::launch::async, find_or_make);
}

}  // namespace warpz
