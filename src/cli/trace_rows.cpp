// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"
#include "cli/shared_conflicts.hpp"

namespace warpz {
namespace {

using namespace setters;

constexpr std::string_view shows_each_access = "the trace shows each access";
constexpr conflict trace_conflicts[] = {
    {.option = "format",
     .value = "json",
     .reason = "both write to standard output",
     .advice = "-o FILE writes the trace elsewhere.",
     .unless = "trace-file"},
    {.option = "check", .value = "off", .reason = shows_each_access, .advice = leave_check_out},
    {.option = "check", .value = "collectives", .reason = shows_each_access, .advice = leave_check_out}};

constexpr option_row rows_of_trace[] = {
    {.name = "trace",
     .kind = value_kind::choice,
     .takes = "auto|text|svg|html|json",
     .implied = "auto",
     .help = "show step by step what the lanes of a block do: values, and who gets them from whom; with --run, in "
             "the first launch; auto: by the extension of --trace-file, otherwise text",
     .used_by = with_code,
     .excludes = trace_conflicts,
     .does_nothing_with = compilation,
     .cpu_value = any_value,
     .cpu_does = "sees the lanes",
     .store = set_choice<&options::trace, &trace_options::format>},
    {.name = "trace-file",
     .letter = 'o',
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write the trace to FILE; with --bench, the roofline, to a FILE that ends with .svg",
     .without = "standard output",
     .used_by = with_code | with_benchmark,
     .needs = "trace|bench",
     .does_nothing_with = compilation_of_results,
     .is_written = true,
     .store = set_text<&options::trace, &trace_options::file>},
    {.name = "lanes",
     .kind = value_kind::text,
     .takes = "LANES",
     .help = "show only these lanes of each warp, such as 0-7 or 0,16,31",
     .without = "all",
     .used_by = with_code,
     .needs = "trace",
     .store = set_traced_lanes},
    {.name = "steps",
     .kind = value_kind::text,
     .takes = "STEPS",
     .help = "show only these steps, such as 1-40",
     .without = "all",
     .used_by = with_code,
     .needs = "trace",
     .store = set_traced_steps},
    {.name = "block",
     .kind = value_kind::text,
     .takes = "N",
     .help = "trace block N of the grid",
     .without = "0",
     .used_by = with_code,
     .needs = "trace",
     .store = set_whole_number<&options::trace, &trace_options::block, 0, max_block_number>},
    {.name = "warp",
     .kind = value_kind::text,
     .takes = "N",
     .help = "trace only warp N of that block",
     .without = "all its warps",
     .used_by = with_code,
     .needs = "trace",
     .store = set_whole_number<&options::trace, &trace_options::warp, 0, max_warp_number>},
    {.name = "launch",
     .kind = value_kind::text,
     .takes = "N",
     .help = "with --run, trace launch N of the program, counted from 1",
     .without = "the first that has the block",
     .used_by = with_program,
     .needs = "trace",
     .store = set_whole_number<&options::trace, &trace_options::launch, 1, max_launch_number>},
};

}  // namespace

constinit const std::span<const option_row> trace_rows = rows_of_trace;

}  // namespace warpz
