// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"

namespace warpz {
namespace {

using namespace setters;

constexpr option_row rows_of_information[] = {
    {.name = "list", .help = "print the puzzles' flags, titles and kernels", .starts = action::list},
    {.name = "devices", .help = "print the devices that kernels can run on", .starts = action::devices},
    {.name = "completion",
     .kind = value_kind::choice,
     .takes = "bash|zsh|fish",
     .help = "print a completion script for this shell",
     .starts = action::completion,
     .store = set_choice<&options::completion_shell>},
    {.name = "toolchain-file",
     .help = "print the path of a CMake toolchain file, which builds HIP and CUDA projects for the CPU machine",
     .starts = action::toolchain_file},
    {.name = "version", .help = "print the version", .starts = action::version},
    {.name = "help", .letter = 'h', .help = "print this text", .starts = action::help},
};

}  // namespace

constinit const std::span<const option_row> information_rows = rows_of_information;

}  // namespace warpz
