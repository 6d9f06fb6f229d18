// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin that Clang compiles kernels with: what it does, and when. Loaded by -fpass-plugin=, and by -load so that
// Clang 19 knows its option.
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/Support/CommandLine.h"

#include "instrument/passes.hpp"

namespace warpz::instrument {
namespace {

const llvm::cl::opt<bool> is_checked("warpz-checked", llvm::cl::desc("Report each access to the CPU machine"));

/// Runs at each level of optimization.
template <void (*... steps)(llvm::Module&)>
struct module_pass : llvm::PassInfoMixin<module_pass<steps...>> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    (steps(module), ...);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

using early_pass =
    module_pass<use_machine_allocations, ask_for_unset_values, mark_volatile_accesses, check_launch_limits,
                assume_alignment, make_constant_arrays_variable, make_kernels_visible, mark_checked_functions>;
using late_pass = module_pass<check_alignment, report_accesses, add_red_zones>;

void add_passes(llvm::PassBuilder& builder) {
  if (!is_checked) return;
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, auto) { passes.addPass(early_pass()); });
  // LLVM 20 added a parameter.
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager& passes, auto...) { passes.addPass(late_pass()); });
}

}  // namespace
}  // namespace warpz::instrument

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "warpz", "1", warpz::instrument::add_passes};
}
