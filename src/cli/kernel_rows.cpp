// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"

namespace warpz {
namespace {

using namespace setters;

constexpr conflict kernel_conflicts[] = {{.option = "module", .reason = "both choose the kernels"}};
constexpr conflict debugger_conflicts[] = {{.option = "trace"}, {.option = "counters"}};
constexpr conflict confine_conflicts[] = {{.option = "debugger", .reason = "the program runs in this process"}};

constexpr option_row rows_of_kernel[] = {
    {.name = "kernel",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "compile the kernel in this HIP or CUDA file and run it, confined on the CPU, with your rights on a GPU; "
             "if FILE "
             "is a folder, take each puzzle's file from it",
     .without = "the built-in kernels",
     .used_by = with_run,
     .excludes = kernel_conflicts,
     .is_repeated = true,
     .store = set_text<&options::kernel, &kernel_options::file>},
    {.name = "entry",
     .kind = value_kind::text,
     .takes = "NAME",
     .help = "the name of the kernel in that file; with --run, of the kernel whose first launch --trace shows",
     .without = "the one that takes the puzzle's arguments",
     .used_by = with_code,
     .needs = "kernel|run",
     .is_repeated = true,
     .store = set_text<&options::kernel, &kernel_options::entry>},
    {.name = "puzzles",
     .kind = value_kind::file,
     .takes = "DIR",
     .help = "know the puzzles in this folder, too: each is a folder with a task, a problem, a solution and a "
             "reference",
     .used_by = with_run,
     .is_repeated = true,
     .store = set_text<&options::kernel, &kernel_options::puzzles>},
    {.name = "documented-only",
     .help = "judge it on the documented input only, not on other sizes, numbers, orders and warp sizes",
     .used_by = with_run,
     .is_repeated = true,
     .store = set_flag<&options::kernel, &kernel_options::documented_only>},
    {.name = "own-includes",
     .help = "refuse a file that includes others from outside of its folder, but the system's and warpz's own",
     .used_by = with_run,
     .needs = "kernel",
     .is_repeated = true,
     .store = set_flag<&options::kernel, &kernel_options::own_includes>},
    {.name = "compiler",
     .kind = value_kind::file,
     .takes = "PROGRAM",
     .help = "the compiler of such files for the CPU",
     .without = "$WARPZ_CXX, or the Clang that warpz was built for",
     .used_by = with_code,
     .is_repeated = true,
     .store = set_text<&options::kernel, &kernel_options::compiler>},
    {.name = "no-cache",
     .help = "compile such files again, even if they have not changed",
     .used_by = with_code,
     .is_repeated = true,
     .store = set_flag<&options::kernel, &kernel_options::no_cache>},
    {.name = "debugger",
     .help = "run in this process, for gdb: unoptimized, once, one block at a time, without a time limit",
     .used_by = with_code,
     .excludes = debugger_conflicts,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = "runs kernels in this process",
     .store = set_flag<&options::kernel, &kernel_options::debugger>},
    {.name = "run",
     .kind = value_kind::files,
     .takes = "FILE...",
     .help = "compile the HIP or CUDA program in these files and run it on the CPU, checked, with your rights; the "
             "words after "
             "-- are its arguments",
     .starts = action::program,
     .store = add_text<&options::program, &program_options::files>},
    {.name = "cxxflags",
     .kind = value_kind::rest,
     .takes = "FLAG...",
     .help = "options for that program's compiler: all words up to --",
     .used_by = with_program,
     .store = add_text<&options::program, &program_options::flags>},
    {.name = "compile-commands",
     .kind = value_kind::file,
     .takes = "FILE|none",
     .help = "compile that program's files with the include folders, macros and language standard in this "
             "compile_commands.json",
     .without = "the nearest one: beside the first file, in build/ there, or above",
     .used_by = with_program,
     .store = set_text<&options::program, &program_options::commands>},
    {.name = "arch",
     .kind = value_kind::choice,
     .takes = "gfx906|gfx908|gfx90a|gfx942|gfx1030|gfx1100|gfx1201|gfx1250|sm_80|sm_90",
     .help = "the GPU that the program sees itself on: its macros, its properties and, of AMD's, its lanes per warp",
     .without = "gfx1100, or gfx90a with 64 lanes; sm_90 in CUDA",
     .used_by = with_program,
     .is_repeated = true,
     .store = set_architecture},
    {.name = "rocm",
     .kind = value_kind::choice,
     .takes = "5|6|7",
     .help = "the version of ROCm whose HIP the program sees: up to 6, warpSize is a constant; since 7, "
             "__AMDGCN_WAVEFRONT_SIZE is gone",
     .without = "HIP 6.2, with warpSize as in 7",
     .used_by = with_program,
     .is_repeated = true,
     .store = set_rocm},
    {.name = "output",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "compile that program to FILE without running it; --run takes FILE, too",
     .used_by = with_program,
     .is_written = true,
     .store = set_text<&options::program, &program_options::output>},
    {.name = "confine",
     .help =
         "sandbox that program: it can write only to what is open already, read only the working folder, and reach no "
         "other process",
     .used_by = with_program,
     .does_nothing_with = confine_conflicts,
     .is_repeated = true,
     .store = set_flag<&options::program, &program_options::confine>},
    {.name = "module",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "take the kernels from this shared object",
     .without = "the built-in kernels",
     .used_by = with_run,
     .is_repeated = true,
     .store = set_text<&options::kernel, &kernel_options::module>},
};

}  // namespace

constinit const std::span<const option_row> kernel_rows = rows_of_kernel;

}  // namespace warpz
