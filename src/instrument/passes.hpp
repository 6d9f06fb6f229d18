// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz does to a program's code, as passes over Clang's LLVM IR. Most are for --check all; each has a file of its
// own.
//
// The early ones see the code as the source has it: each variable is memory of its own, and accesses have the source's
// types. The late ones see what is left of it: Clang has dropped, joined and split accesses.
#pragma once

#include "llvm/IR/Module.h"

namespace warpz::instrument {

// Early, for all device code: the first three, and then those that separate it from the host's.

/// Lists the lines that are written for a warp of one size, in a section for whoever reads the object.
void list_warp_sizes(llvm::Module& module);

/// Assembly becomes calls of the machine, or an error.
void replace_ptx_statements(llvm::Module& module);

/// Each kind of memory becomes what the machine has for it, and address spaces go.
void place_variables(llvm::Module& module);

/// Kernels become functions that the machine calls with their arguments' addresses, in an image that describes them.
void add_kernels(llvm::Module& module);
/// As above, for checked code: the machine calls the kernel itself, anew for each block, as unset variables have one
/// value for each call.
void add_checked_kernels(llvm::Module& module);

/// No linker takes the device's functions and variables for those of the host's half.
void separate_from_host(llvm::Module& module);

// For code that is not checked there are stops.hpp and lane_loops.hpp besides.

/// Last: an atomic change of shared memory needs no lock of the bus, as a block's lanes take turns on one thread.
void simplify_shared_atomics(llvm::Module& module);

/// Last: instructions that LLVM and the loops over lanes have added get lines, for faults and for whoever asks what
/// runs.
void complete_lines(llvm::Module& module);

// Early, for --check all, in this order.

/// Clang's checks of arithmetic become calls, so that what follows sees code without their branches; and a division
/// by 0 goes on, as on a GPU.
void flatten_arithmetic_checks(llvm::Module& module);

/// Loops in which a lane may wait for others tell the machine of themselves.
void mark_waiting_loops(llvm::Module& module);

/// malloc and new become the machine's functions, which warpz knows the memory of. LLVM knows that what malloc gives
/// has no values, and would invent any for a read of it.
void use_machine_allocations(llvm::Module& module);

/// The values of variables that nobody sets become results of a function of the machine, so that the search for
/// undefined values can run the code with different ones (src/run/experiments/undefined_search.hpp).
void ask_for_unset_values(llvm::Module& module);

/// Volatile accesses tell the machine of themselves; those that only poll or publish become relaxed atomics.
void mark_volatile_accesses(llvm::Module& module);

/// Each kernel begins with a call that tells the machine its __launch_bounds__ and static shared memory.
void check_launch_limits(llvm::Module& module);

/// Notes which alignment the source's types ask for, as assumptions: Clang drops them together with what it optimizes
/// away.
void assume_alignment(llvm::Module& module);

/// Arrays that are declared const become variables that anybody may write. Otherwise Clang replaces reads by the
/// elements' values, also outside of the array.
void make_constant_arrays_variable(llvm::Module& module);

/// Functions that report their accesses get the attribute with which LLVM keeps from inventing accesses.
void mark_checked_functions(llvm::Module& module);

/// Lists the source's constants that are known by their names, and where it uses them: the two sides of a source may
/// disagree about one.
void list_device_values(llvm::Module& module);
void list_host_values(llvm::Module& module);

/// Lists the variables with their members and the sizes of elements, for findings.
void list_variable_members(llvm::Module& module);

// Between the simplification of functions and the optimization of the whole.

/// The assumptions of alignment that are left become calls of the machine.
void check_alignment(llvm::Module& module);

// Late, in this order.

/// An access that LLVM has moved out of a loop has lost its line: it gets that of what uses the value.
void complete_lines_of_accesses(llvm::Module& module);

/// The function for the value of an unset variable is told what that value is compared with.
void tell_compared_values(llvm::Module& module);

/// Each access of a checked function is preceded by a call of the machine, or is one.
void report_accesses(llvm::Module& module);

/// The machine is told of each call of a function that neither the device's code nor the machine has.
void report_outside_calls(llvm::Module& module);

/// The checks of arithmetic become branches again, to calls of the machine.
void expand_arithmetic_checks(llvm::Module& module);

/// Space behind each variable: an access past the end of an array then hits memory that belongs to nobody. The machine
/// knows that memory by the variables' symbols (src/simt/check/module_memory.hpp).
void add_red_zones(llvm::Module& module);

// For the host's code of a checked program.

/// Early: a call of HIP is not joined with another one, so that each has its line.
void keep_calls_apart(llvm::Module& module);

/// Early: LLVM invents no accesses.
void mark_host_functions(llvm::Module& module);

/// Late: the machine is told of each call of HIP whose result is not used.
void report_ignored_results(llvm::Module& module);

/// Late: the machine is told that the program may use other streams than the null stream.
void report_stream_uses(llvm::Module& module);

/// Late: the machine is told where the program's own variables are.
void list_host_variables(llvm::Module& module);

/// Late: the machine is told of each access to memory that work of a device may still use.
void report_host_accesses(llvm::Module& module);

}  // namespace warpz::instrument
