// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin that Clang compiles kernels with: what it does, and when. Loaded by -fpass-plugin=, and by -load so that
// Clang 19 knows its option.
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"

#include "instrument/lane_loops.hpp"
#include "instrument/passes.hpp"
#include "instrument/region_builder.hpp"
#include "instrument/stops.hpp"

namespace warpz::instrument {
namespace {

const llvm::cl::opt<bool> keeps_variables("warpz-debuggable",
                                          llvm::cl::desc("Keep what a debugger shows of variables"));
const llvm::cl::opt<bool> is_checked("warpz-checked", llvm::cl::desc("Report each access to the CPU machine"));
const llvm::cl::opt<bool> is_host("warpz-host", llvm::cl::desc("It is the host's code of a checked program"));

void reduce_unless_debuggable(llvm::Module& module) {
  if (!keeps_variables) llvm::stripNonLineTableDebugInfo(module);
}

/// Runs at each level of optimization.
template <void (*... steps)(llvm::Module&)>
struct module_pass : llvm::PassInfoMixin<module_pass<steps...>> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    (steps(module), ...);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

using unchecked_pass = module_pass<list_warp_sizes, list_device_values, replace_ptx_statements, place_variables,
                                   add_kernels, separate_from_host, reduce_unless_debuggable>;
using unchecked_late_pass = module_pass<add_lane_loops, release_stops>;
using early_pass =
    module_pass<list_warp_sizes, list_device_values, replace_ptx_statements, place_variables, flatten_arithmetic_checks,
                mark_waiting_loops, use_machine_allocations, ask_for_unset_values, mark_volatile_accesses,
                check_launch_limits, assume_alignment, add_checked_kernels, separate_from_host,
                make_constant_arrays_variable, mark_checked_functions, list_variable_members, reduce_unless_debuggable>;
using early_host_pass = module_pass<list_host_values, reduce_unless_debuggable, keep_calls_apart, mark_host_functions>;
using late_host_pass =
    module_pass<report_ignored_results, report_stream_uses, report_host_accesses, list_host_variables>;

/// A debugger would stop at what has lost its line, behind the values that the line has.
void complete_lines_unless_debuggable(llvm::Module& module) {
  if (!keeps_variables) complete_lines_of_accesses(module);
}

using late_pass = module_pass<complete_lines_unless_debuggable, tell_compared_values, report_accesses,
                              report_outside_calls, expand_arithmetic_checks, add_red_zones>;

/// A branch that all lanes take alike becomes one around the loop over them.
struct unswitch_pass : llvm::PassInfoMixin<unswitch_pass> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (!function.hasFnAttribute(region_attribute)) return llvm::PreservedAnalyses::all();
    return llvm::createFunctionToLoopPassAdaptor(llvm::SimpleLoopUnswitchPass(true)).run(function, analyses);
  }
};

/// A debugger steps through lanes on stacks.
bool has_loops(llvm::OptimizationLevel level) { return level != llvm::OptimizationLevel::O0 && !keeps_variables; }

/// One access in place of two, of both branches of an if, would have the line of neither.
void keep_accesses_apart() {
  for (const llvm::StringRef name : {"simplifycfg-sink-common", "simplifycfg-hoist-common"}) {
    const auto found = llvm::cl::getRegisteredOptions().find(name);
    if (found != llvm::cl::getRegisteredOptions().end())
      static_cast<llvm::cl::opt<bool>*>(found->second)->setValue(false);
  }
}

void add_passes(llvm::PassBuilder& builder) {
  if (is_checked && !keeps_variables) keep_accesses_apart();
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    if (is_host) {
      passes.addPass(early_host_pass());
    } else if (is_checked) {
      passes.addPass(early_pass());
    } else {
      passes.addPass(unchecked_pass());
      if (has_loops(level)) passes.addPass(module_pass<hold_stops>());
    }
  });
  if (!is_checked && !is_host) {
    builder.registerOptimizerEarlyEPCallback(
        [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level, auto...) {
          if (!has_loops(level)) return;
          passes.addPass(unchecked_late_pass());
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(unswitch_pass()));
        });
    builder.registerOptimizerLastEPCallback(
        [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level, auto...) {
          if (has_loops(level)) passes.addPass(module_pass<simplify_shared_atomics, keep_addresses, complete_lines>());
        });
    return;
  }
  // LLVM 20 added a parameter.
  if (is_checked) {
    builder.registerOptimizerEarlyEPCallback(
        [](llvm::ModulePassManager& passes, auto...) { passes.addPass(module_pass<check_alignment>()); });
  }
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, auto...) {
    if (is_host) {
      passes.addPass(late_host_pass());
    } else {
      passes.addPass(late_pass());
    }
  });
}

}  // namespace
}  // namespace warpz::instrument

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "warpz", "1", warpz::instrument::add_passes};
}
