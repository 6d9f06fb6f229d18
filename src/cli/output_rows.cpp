// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"
#include "cli/shared_conflicts.hpp"

namespace warpz {
namespace {

using namespace setters;

constexpr option_row rows_of_output[] = {
    {.name = "full",
     .help = "print long lists in full: of more than 1,024 elements, or 65,536 in JSON",
     .used_by = with_code,
     .store = set_flag<&options::output, &output_options::full>},
    {.name = "quiet",
     .help = "print only the last line of each puzzle, and a line for each finding: file:line: kind",
     .used_by = with_code,
     .store = set_flag<&options::output, &output_options::quiet>},
    {.name = "emoji",
     .help = "print ✅ and ❌ for OK and FAIL",
     .used_by = with_code,
     .store = set_flag<&options::output, &output_options::emoji>},
    {.name = "format",
     .kind = value_kind::choice,
     .takes = "text|json",
     .help = "how results are printed",
     .without = "text",
     .used_by = with_code | with_any_bench,
     .store = set_choice<&options::output, &output_options::format>},
    {.name = "junit",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write the results to FILE too, as JUnit XML",
     .used_by = with_code,
     .does_nothing_with = compilation_of_results,
     .is_written = true,
     .store = set_text<&options::output, &output_options::junit>},
    {.name = "sarif",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write the findings to FILE too, as SARIF 2.1.0",
     .used_by = with_code,
     .does_nothing_with = compilation_of_results,
     .is_written = true,
     .store = set_text<&options::output, &output_options::sarif>},
    {.name = "csv",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write what --bench measures to FILE too, as CSV",
     .used_by = with_run | with_any_bench,
     .needs = "bench",
     .is_written = true,
     .store = set_text<&options::output, &output_options::csv>},
    {.name = "color",
     .kind = value_kind::choice,
     .takes = "auto|always|never",
     .help = "auto: colors on a terminal, unless NO_COLOR is set",
     .without = "auto",
     .used_by = with_code,
     .store = set_choice<&options::output, &output_options::color>},
};

}  // namespace

constinit const std::span<const option_row> output_rows = rows_of_output;

}  // namespace warpz
