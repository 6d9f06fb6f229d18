// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/executables.hpp"

#include <algorithm>
#include <map>

namespace simt {
namespace {

std::map<hipGraphExec_t, std::shared_ptr<graph>>& executables() {
  static auto* const all = new std::map<hipGraphExec_t, std::shared_ptr<graph>>;
  return *all;
}

}  // namespace

hipGraphExec_t add_executable(const graph& original) {
  auto nodes = std::make_shared<graph>(original);
  const auto handle = reinterpret_cast<hipGraphExec_t>(nodes.get());
  executables().emplace(handle, std::move(nodes));
  return handle;
}

bool has_executable(const graph& original) {
  return std::any_of(executables().begin(), executables().end(),
                     [&](const auto& each) { return each.second->is_copy_of(original); });
}

std::shared_ptr<graph> find_executable(hipGraphExec_t handle) {
  const auto found = executables().find(handle);
  return found != executables().end() ? found->second : nullptr;
}

bool remove_executable(hipGraphExec_t handle) { return executables().erase(handle) != 0; }

}  // namespace simt
