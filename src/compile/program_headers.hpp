// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's and CUDA's own headers, precompiled for whole programs: they are most of what the compiler reads of a small
// one.
//
// They save time and change nothing. A source that may tell a difference is compiled without them.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>

#include "compile/kernel_cache.hpp"
#include "compile/mended_compilation.hpp"
#include "compile/temp_dir.hpp"
#include "compile/user_program_commands.hpp"

namespace warpz {

/// Several threads may ask at once.
class program_headers {
 public:
  /// An empty name of the cache's folder: there are none.
  program_headers(const std::string& cache_folder, const temp_dir& work);

  /// The precompiled header for this side of the source, from the cache or just made; empty where the source is to be
  /// compiled without one.
  std::string header_for(const user_program_compilation& common, source_language language, code_side side,
                         const std::string& source);

 private:
  template <class Value>
  using results = std::map<std::string, std::shared_future<Value>>;

  /// The result under this key, which is made the first time.
  template <class Value>
  Value once(results<Value>& all, const std::string& key, const std::function<Value()>& make);

  const kernel_cache cache_;
  const bool has_cache_;
  const temp_dir& work_;
  std::mutex one_thread_;
  results<std::string> headers_;  ///< by what they are made with
  results<bool> sources_;         ///< whether they begin with the header, by their names
};

/// Compiles one side of a source with the precompiled header; without it where that fails, so that messages are the
/// usual ones.
mended_compilation compile_object(const compiler_runner& runner, const temp_dir& work, program_headers& headers,
                                  const user_program_compilation& common, source_language language, code_side side,
                                  const object_files& files);

}  // namespace warpz
