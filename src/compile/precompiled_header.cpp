// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/precompiled_header.hpp"

#include <utility>

#include "compile/compiler_runner.hpp"

namespace warpz {

std::vector<std::string> precompiling_words(const precompiled_files& files) {
  return {"-fpch-instantiate-templates",
          "-Xclang",
          "-fno-pch-timestamp",
          "-Xclang",
          "-emit-pch",
          "-MD",
          "-MF",
          files.dependencies,
          "-c",
          "-o",
          files.result};
}

std::future<std::string> prepare_header(const kernel_cache& cache, std::string key, command making,
                                        precompiled_files files, const temp_dir& work) {
  const auto find_or_make = [&cache, key = std::move(key), making = std::move(making), files = std::move(files),
                             &work]() -> std::string {
    if (cache.copy_module(key, files.result)) return files.result;
    const auto begin = begin_of_compilation();
    if (!run_command(work.command_in(making)).succeeded()) return {};
    std::optional<std::string> header = read_result(files.result);
    if (!header) return {};
    compiled_code code;
    code.module = *std::move(header);
    add_depfile(code, files.dependencies, work);
    if (inputs_unchanged(code, begin)) cache.keep(key, code);
    return files.result;
  };
  return std::async(std::launch::async, find_or_make);
}

}  // namespace warpz
