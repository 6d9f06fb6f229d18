// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"
#include "input/size_limit.hpp"

namespace warpz {
namespace {

using namespace setters;

constexpr std::string_view both_choose_data = "both choose the data";
constexpr conflict input_conflicts[] = {{.option = "random", .reason = both_choose_data},
                                        {.option = "pattern", .reason = both_choose_data}};
constexpr conflict random_conflicts[] = {{.option = "pattern", .reason = both_choose_data}};
constexpr conflict size_conflicts[] = {{.option = "shape", .reason = "both set how many numbers there are"}};

constexpr option_row rows_of_data[] = {
    {.name = "size",
     .kind = value_kind::text,
     .takes = "N",
     .help = "run on N elements, or on the first N of --input",
     .without = "the puzzle's own, or the whole file",
     .used_by = with_run | with_benchmark,
     .excludes = size_conflicts,
     .store = set_whole_number<&options::data, &data_options::size, 1, max_elements>},
    {.name = "input",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "run on the numbers in FILE, separated by blanks, commas or lines, or in a .npy file (1-D, float32 or "
             "float64); - is standard input",
     .without = "the puzzle's own",
     .used_by = with_run | with_benchmark,
     .excludes = input_conflicts,
     .reads_standard_input = true,
     .store = [](options& command, const option_row&, std::string_view value) { command.data.input = value; }},
    {.name = "random",
     .kind = value_kind::text,
     .takes = "SEED",
     .help = "run on random numbers, the same for the same seed",
     .used_by = with_run | with_benchmark,
     .excludes = random_conflicts,
     .store = set_whole_number<&options::data, &data_options::seed, 0, largest_seed>},
    {.name = "pattern",
     .kind = value_kind::choice,
     .takes = "whole|negative|equal|opposite|zeros|thirds|large|infinite|nan",
     .help = "run on numbers of this kind; whole: small whole numbers, whose sums do not round",
     .used_by = with_run | with_benchmark,
     .store = set_pattern},
    {.name = "pivot",
     .kind = value_kind::text,
     .takes = "V",
     .help = "the number to compare with, where a puzzle takes one",
     .without = "the puzzle's own",
     .used_by = with_run | with_benchmark,
     .store = set_pivot},
    {.name = "shape",
     .kind = value_kind::text,
     .takes = "MxNxK",
     .help = "multiply M x K by K x N numbers, where a puzzle multiplies matrices",
     .without = "the puzzle's own, or squares for --size and --input",
     .used_by = with_run | with_benchmark,
     .store = set_shape},
    {.name = "launches",
     .kind = value_kind::text,
     .takes = "N",
     .help =
         "launch the kernel N times on the same data, and judge the last launch: its variables have what the others "
         "have left",
     .without = "1",
     .used_by = with_run,
     .store = set_whole_number<&options::data, &data_options::launches, 1, max_launches>},
};

}  // namespace

constinit const std::span<const option_row> data_rows = rows_of_data;

}  // namespace warpz
