// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>

#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"
#include "cli/shared_conflicts.hpp"

namespace warpz {
namespace {

using namespace setters;

constexpr std::string_view runs_once = "the kernel runs once";
constexpr conflict schedule_conflicts[] = {{.option = "debugger", .reason = runs_once}};
constexpr conflict warp_size_conflicts[] = {{.option = "debugger", .row_value = "both", .reason = runs_once}};
constexpr conflict gpus_conflicts[] = {{.option = "kernel", .reason = "the file's kernel runs on one GPU"},
                                       {.option = "trace", .reason = "a trace shows a block of one kernel"},
                                       {.option = "debugger", .reason = runs_once}};
constexpr conflict bench_conflicts[] = {{.option = "warp-size",
                                         .value = "both",
                                         .reason = "it measures one warp size at a time",
                                         .advice = "--warp-size 32 or 64 says which."}};
constexpr std::string_view compares = "two backends are compared kernel by kernel",
                           one_backend = "--backend cpu or that of the GPU alone takes it.";
constexpr auto backend_conflicts = [] {
  std::array<conflict, 10> all;
  std::size_t count = 0;
  for (const std::string_view option : {"run", "bench", "module", "gpus", "devices"}) {
    for (const std::string_view both : {"cpu,amd", "cpu,nvidia"})
      all[count++] = {.option = option, .row_value = both, .reason = compares, .advice = one_backend};
  }
  return all;
}();
constexpr std::string_view has_one_kernel = "the file has the one kernel that runs",
                           choose_kernel = "If it has several, --entry chooses one.";
constexpr conflict variant_conflicts[] = {
    {.option = "kernel", .row_value = "shared", .reason = has_one_kernel, .advice = choose_kernel},
    {.option = "kernel", .row_value = "tuned", .reason = has_one_kernel, .advice = choose_kernel}};
constexpr std::string_view counts_each_access = "each access is counted";
constexpr conflict counter_conflicts[] = {
    {.option = "quiet",
     .advice = "--format json prints the counts without the table.",
     .unless = "format",
     .unless_value = "json"},
    {.option = "check", .value = "off", .reason = counts_each_access, .advice = leave_check_out},
    {.option = "check", .value = "collectives", .reason = counts_each_access, .advice = leave_check_out}};

constexpr option_row rows_of_device[] = {
    {.name = "backend",
     .kind = value_kind::choice,
     .takes = "auto|cpu|amd|nvidia|cpu,amd|cpu,nvidia",
     .help = "where the kernels run; auto: on a GPU if one can be used, otherwise on the CPU; with --run, on the CPU; "
             "cpu,amd and cpu,nvidia: on both, and compare the outputs bit for bit",
     .without = "auto",
     .used_by = with_code | with_any_bench,
     .excludes = backend_conflicts,
     .store = set_backend},
    {.name = "device",
     .kind = value_kind::text,
     .takes = "N",
     .help = "the number of the backend's device, as in --devices",
     .without = "the first that fits",
     .used_by = with_code | with_any_bench,
     .store = set_whole_number<&options::device, &device_options::number, 0, max_device_number - 1>},
    {.name = "gpus",
     .kind = value_kind::text,
     .takes = "N",
     .implied = "all",
     .help = "divide the array among N GPUs, from --device on, where a puzzle can; all: as many as there are; the CPU "
             "machine poses as N",
     .without = "1; all without N",
     .used_by = with_run | with_benchmark,
     .does_nothing_with = gpus_conflicts,
     .is_repeated = true,
     .store = set_gpus},
    {.name = "warp-size",
     .kind = value_kind::choice,
     .takes = "32|64|both",
     .help = "lanes per warp on the CPU; both: run with each, and compare",
     .without = "32",
     .used_by = with_code | with_any_bench,
     .does_nothing_with = warp_size_conflicts,
     .cpu_value = "both",
     .cpu_does = "has both",
     .store = set_warp_size},
    {.name = "timeout",
     .kind = value_kind::text,
     .takes = "SECONDS",
     .help = "stop a kernel that makes no progress for this long",
     .without = "10; with --kernel at most 4.5, or nine times what the solution takes",
     .used_by = with_code | with_any_bench,
     .is_repeated = true,
     .store = set_timeout},
    {.name = "time-limit",
     .kind = value_kind::text,
     .takes = "SECONDS",
     .help =
         "stop a launch that takes longer than this, even if it makes progress; with --run on a GPU, the whole program",
     .without = "with --kernel 5, or ten times what the solution takes; otherwise none",
     .used_by = with_code | with_any_bench,
     .is_repeated = true,
     .store = set_time_limit},
    {.name = "memory-limit",
     .kind = value_kind::text,
     .takes = "MIB",
     .help = "stop a kernel or a program that uses more memory than this, in MiB",
     .without = "nine tenths of the free memory",
     .used_by = with_code | with_any_bench,
     .is_repeated = true,
     .store = set_limit<&process_limits::memory_bytes>},
    {.name = "output-limit",
     .kind = value_kind::text,
     .takes = "MIB",
     .help = "stop a kernel or a program that prints more than this, in MiB; a program's output to a terminal does not "
             "count",
     .without = "1024",
     .used_by = with_code,
     .is_repeated = true,
     .store = set_limit<&process_limits::output_bytes>},
    {.name = "check",
     .kind = value_kind::choice,
     .takes = "off|collectives|all",
     .help =
         "what the CPU machine checks besides the result; all: also each memory access. Otherwise most kernels run as "
         "loops over lanes: WARPZ_LANES=tell in the environment says which, WARPZ_LANES=stacks prevents it",
     .without = "collectives; all with --kernel and --run",
     .used_by = with_code,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = cpu_checks,
     .store = set_check},
    {.name = "counters",
     .help = "count what each line costs a GPU: bank conflicts, transactions, idle lanes, collectives, barriers, "
             "atomics; 32 lanes: NVIDIA's rules, 64 lanes: AMD's",
     .used_by = with_code,
     .excludes = counter_conflicts,
     .does_nothing_with = compilation,
     .cpu_value = any_value,
     .cpu_does = "counts",
     .store = set_flag<&options::machine, &machine_options::counters>},
    {.name = "schedules",
     .kind = value_kind::text,
     .takes = "N",
     .help =
         "also run in N other orders of lanes, warps and blocks, and in larger blocks where __launch_bounds__ "
         "allows them, and compare the results; with --run: the output and the exit code. Of an order that goes wrong, "
         "the lanes are named that must not change places. mpirun, or WARPZ_WORKERS=N in the environment, divides the "
         "orders among workers",
     .without = "0, or 1 with --schedule-seed",
     .used_by = with_code,
     .does_nothing_with = schedule_conflicts,
     .cpu_value = any_value,
     .cpu_does = "chooses an order",
     .store = set_whole_number<&options::machine, &machine_options::schedules, 0, max_schedules>},
    {.name = "schedule-seed",
     .kind = value_kind::text,
     .takes = "SEED",
     .help = "the seed of the first order; the others use the numbers after it",
     .without = "from 1 on, with --schedules",
     .used_by = with_code,
     .does_nothing_with = schedule_conflicts,
     .cpu_value = any_value,
     .cpu_does = "chooses an order",
     .store = set_whole_number<&options::machine, &machine_options::schedule_seed, 1, largest_seed - max_schedules>},
    {.name = "rules",
     .kind = value_kind::choice,
     .takes = "portable|amd|nvidia",
     .help = "whose rules the operations of a warp follow; portable: right on both",
     .without = "portable",
     .used_by = with_code,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = cpu_checks,
     .store = set_setting<&warpz_settings::rules>},
    {.name = "async",
     .kind = value_kind::choice,
     .takes = "off|on",
     .help = "whether accesses count as wrong that nothing orders behind work on a stream, such as a copy that the "
             "host has not waited for; with --check all",
     .without = "on",
     .used_by = with_program,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = cpu_checks,
     .store = set_setting<&warpz_settings::async>},
    {.name = "leaks",
     .kind = value_kind::choice,
     .takes = "error|warn|off",
     .help = "whether GPU memory that a program never frees is an error; warn: a warning, which does not fail the run",
     .without = "warn",
     .used_by = with_program,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = cpu_checks,
     .store = set_choice<&options::program, &program_options::leaks>},
    {.name = "findings-limit",
     .kind = value_kind::text,
     .takes = "N",
     .help = "report at most N places, and count the others",
     .without = "15",
     .used_by = with_code,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = cpu_checks,
     .store = set_whole_number<&options::findings, &finding_options::limit, 1, max_findings_limit>},
    {.name = "suppress",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "ignore the findings listed in FILE",
     .used_by = with_code,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = cpu_checks,
     .store = set_text<&options::findings, &finding_options::suppress>},
    {.name = "baseline",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write the findings of this run to FILE; once FILE exists, only new findings fail",
     .used_by = with_code,
     .does_nothing_with = compilation_of_results,
     .is_written = true,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = cpu_checks,
     .store = set_text<&options::findings, &finding_options::baseline>},
    {.name = "variant",
     .kind = value_kind::choice,
     .takes = "warp|shared|tuned",
     .help =
         "which kernel of a puzzle; shared: the traditional way through shared memory; tuned: as fast as the memory",
     .without = "warp",
     .used_by = with_run,
     .does_nothing_with = variant_conflicts,
     .is_repeated = true,
     .store = set_choice<&options::kernel, &kernel_options::variant>},
    {.name = "bench",
     .kind = value_kind::choice,
     .takes = "kernels|latency",
     .implied = "kernels",
     .help = "time each kernel of the puzzles, and a copy to compare it with; latency: each operation of a warp and a "
             "block, next to what the Mojo GPU Puzzles claim",
     .used_by = with_run | with_any_bench,
     .excludes = bench_conflicts,
     .store = set_choice<&options::bench>},
};

}  // namespace

constinit const std::span<const option_row> device_rows = rows_of_device;

}  // namespace warpz
