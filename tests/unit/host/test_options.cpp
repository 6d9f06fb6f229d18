// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line: what is understood, and each complaint about what is not.
#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cli/option_table.hpp"
#include "host/error_support.hpp"
#include "host/options_support.hpp"
#include "text/printable.hpp"

namespace {

using namespace warpz;
using error_support::complaint;
using namespace options_support;

std::vector<std::string_view> flags(const options& asked) {
  std::vector<std::string_view> names;
  for (const puzzle* one : asked.puzzles) names.push_back(one->flag);
  return names;
}

using names = std::vector<std::string_view>;

TEST(options, nothing_asked_is_the_help_and_says_so) {
  for (const options& asked : {parse(0, nullptr), typed(""), typed("--size 5 --format json"), typed("--")}) {
    EXPECT_EQ(asked.action, action::help);
    EXPECT_TRUE(asked.nothing_asked);
  }
  EXPECT_FALSE(typed("--help").nothing_asked);
}

TEST(options, a_kernel_alone_runs_in_the_puzzles_that_its_file_is_for) {
  const options alone = typed("--kernel my.hip"), with_all = typed("--all --kernel my.hip"),
                named = typed("--neighbor --kernel my.hip");
  EXPECT_EQ(alone.action, action::run);
  EXPECT_FALSE(alone.nothing_asked);
  EXPECT_EQ(alone.puzzles.size(), puzzles().size());
  EXPECT_TRUE(alone.puzzles_of_kernel && with_all.puzzles_of_kernel && !named.puzzles_of_kernel);
  EXPECT_FALSE(typed("--all").puzzles_of_kernel);
}

TEST(options, puzzles_run_in_the_order_given_and_as_often) {
  EXPECT_EQ(flags(typed("--partition --neighbor --size 3 --average")), (names{"partition", "neighbor", "average"}));
  EXPECT_EQ(flags(typed("--neighbor --pair-swap --neighbor")), (names{"neighbor", "pair-swap", "neighbor"}));
  EXPECT_EQ(typed("--neighbor").action, action::run);
  EXPECT_FALSE(typed("--neighbor").nothing_asked);
}

TEST(options, all_is_every_puzzle_by_number) {
  const options asked = typed("--all --all");
  EXPECT_EQ(asked.puzzles.size(), puzzles().size());
  EXPECT_TRUE(std::equal(asked.puzzles.begin(), asked.puzzles.end(), puzzles().begin()));
  EXPECT_EQ(typed("--neighbor --all").puzzles, asked.puzzles);
}

TEST(options, every_puzzle_is_an_option) {
  ASSERT_GE(puzzles().size(), 10u);
  for (const puzzle* one : puzzles()) EXPECT_EQ(flags(parsed({"--" + std::string(one->flag)})), names{one->flag});
}

TEST(options, each_action) {
  EXPECT_EQ(typed("--list").action, action::list);
  EXPECT_EQ(typed("--devices").action, action::devices);
  EXPECT_EQ(typed("--devices --backend amd --module x.so").device.backend, backend_choice::amd);
  EXPECT_EQ(typed("--version").action, action::version);
  EXPECT_EQ(typed("-h").action, action::help);
  EXPECT_EQ(typed("--completion bash").completion_shell, shell::bash);
  EXPECT_EQ(typed("--completion zsh").completion_shell, shell::zsh);
  EXPECT_EQ(typed("--completion=fish").completion_shell, shell::fish);
  EXPECT_EQ(typed("--completion=fish").action, action::completion);
}

TEST(options, help_and_version_win_over_contradictions_and_bad_values) {
  EXPECT_EQ(typed("--list --size abc --help --all").action, action::help);
  EXPECT_EQ(typed("--version --list").action, action::version);
  EXPECT_EQ(typed("--version --help").action, action::help);
  EXPECT_EQ(typed("--version --format json").output.format, output_format::json);
  EXPECT_EQ(refused("--help --hlep"), "unknown option --hlep | Did you mean --help?");
}

TEST(options, actions_cannot_be_combined) {
  EXPECT_EQ(refused("--list --neighbor"), "--list and --neighbor cannot be combined");
  EXPECT_EQ(refused("--all --devices"), "--all and --devices cannot be combined");
  EXPECT_EQ(refused("--completion bash --list"), "--completion and --list cannot be combined");
}

TEST(options, what_an_action_has_no_use_for_is_refused) {
  EXPECT_EQ(refused("--run a.hip --size 5"), "--size does nothing with --run");
  for (const std::string option : {"output f", "confine", "leaks off", "launch 2"})
    EXPECT_EQ(refused("--neighbor --" + option),
              "--" + option.substr(0, option.find(' ')) + " works only with --run FILE");
  // No file is written that a script would wait for.
  EXPECT_EQ(refused("--list --output f"), "--output works only with --run FILE");
  for (const std::string option : {"junit", "sarif", "baseline"}) {
    EXPECT_EQ(refused("--list --" + option + " f"), "--" + option + " does nothing with --list");
  }
}

TEST(options, what_does_no_harm_is_accepted) {
  EXPECT_EQ(typed("--run a.hip --variant warp").action, action::program) << "its default";
  EXPECT_EQ(refused("--run a.hip --variant shared"), "--variant does nothing with --run");
  const std::string common =
      " --quiet --full --emoji --format json --color always --timeout 5 --backend cpu --no-cache";
  EXPECT_EQ(typed("--list --size 5" + common).action, action::list);
  EXPECT_EQ(typed("--devices --size 5" + common).output.format, output_format::json);
  EXPECT_EQ(typed("--completion bash" + common).action, action::completion);
  EXPECT_EQ(typed("--run a.hip" + common).action, action::program);
  EXPECT_TRUE(typed("--neighbor --compiler g++" + common).output.quiet);
  EXPECT_EQ(typed("--run a.hip --device 0").device.warp_size, 32u);
  EXPECT_EQ(typed("--run a.hip --device 1 --warp-size 64").device.warp_size, 64u);
  EXPECT_EQ(refused("--run a.hip --device 2"), "--device 2: cpu has 2 devices, numbers 0 to 1 | --devices lists them.");
  for (const std::string other : {"32", "both"}) {
    EXPECT_EQ(refused("--run a.hip --device 1 --warp-size " + other),
              "--device 1 has 64 lanes per warp, but --warp-size asks for " + other);
  }
  EXPECT_EQ(typed("--run a.hip --output a --warp-size 64 --rules amd --schedules 3" + common).program.output, "a");
  EXPECT_EQ(refused("--run a.hip --backend amd"), "no error");
}

TEST(options, of_an_option_that_is_given_twice_the_last_one_counts) {
  EXPECT_EQ(typed("--all --size 5 --size 6").data.size, 6u);
  EXPECT_EQ(typed("--all --warp-size 64 --warp-size both").device.warp_size, std::nullopt);
  EXPECT_FALSE(typed("--all --warp-size both --warp-size 64").device.both_warp_sizes);
  EXPECT_EQ(typed("--all --variant shared --variant warp --kernel k.hip").kernel.variant, variant::warp);
  EXPECT_EQ(typed("--neighbor --kernel a.hip --kernel b.hip").repeated, "--kernel b.hip");
  EXPECT_EQ(typed("--run a.hip --run b.hip").program.files, (std::vector<std::string>{"a.hip", "b.hip"}));
}

TEST(options, no_schedules_are_none) {
  EXPECT_EQ(typed("--all --schedules 0").machine.schedules, 0u);
  EXPECT_EQ(typed("--all --backend nvidia --schedules 0").device.backend, backend_choice::nvidia);
  EXPECT_FALSE(typed("--all --schedules 0").device.needs_cpu_machine);
}

TEST(options, values_reach_their_fields) {
  EXPECT_EQ(typed("--all --size 5").data.size, 5u);
  EXPECT_EQ(typed("--all --size=5").data.size, 5u);
  EXPECT_EQ(typed("--all --size 2147483584").data.size, 2147483584u);
  EXPECT_EQ(typed("--all --input data.txt").data.input, "data.txt");
  EXPECT_EQ(typed("--all --input -").data.input, "-");
  EXPECT_EQ(typed("--all --input=a=b").data.input, "a=b");
  EXPECT_EQ(typed("--all --random 0").data.seed, 0u);
  EXPECT_EQ(typed("--all --random 18446744073709551615").data.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(typed("--partition --pivot -1.5").data.pivot, -1.5F);
  EXPECT_EQ(typed("--partition --pivot=-inf").data.pivot, -std::numeric_limits<float>::infinity());
  EXPECT_EQ(typed("--all --warp-size 32").device.warp_size, 32u);
  EXPECT_EQ(typed("--all --warp-size 64").device.warp_size, 64u);
  EXPECT_FALSE(typed("--all --warp-size 64").device.both_warp_sizes);
  EXPECT_FALSE(typed("--all --warp-size both").device.warp_size);
  EXPECT_TRUE(typed("--all --warp-size both").device.both_warp_sizes);
  EXPECT_EQ(typed("--all --rules nvidia").machine.settings.rules, WARPZ_RULES_NVIDIA);
  EXPECT_EQ(typed("--all --findings-limit 256").findings.limit, 256u);
  EXPECT_EQ(typed("--all --suppress known.txt").findings.suppress, "known.txt");
  EXPECT_EQ(typed("--all --sarif out.sarif").output.sarif, "out.sarif");
  EXPECT_EQ(typed("--all --memory-limit 3").machine.limits.memory_bytes, std::uint64_t{3} << 20);
  EXPECT_EQ(typed("--all --output-limit 5").machine.limits.output_bytes, std::uint64_t{5} << 20);
  EXPECT_EQ(typed("--all --timeout 0.5").machine.settings.timeout_seconds, 0.5);
  EXPECT_EQ(typed("--all --timeout 86400").machine.settings.timeout_seconds, 86400);
  EXPECT_EQ(typed("--all").machine.settings.time_limit_seconds, 0);
  EXPECT_EQ(typed("--neighbor --kernel my.hip").machine.settings.time_limit_seconds, 60);
  EXPECT_EQ(typed("--neighbor --kernel my.hip --time-limit 100").machine.settings.time_limit_seconds, 100);
  EXPECT_EQ(typed("--run my.hip --time-limit 0.5").machine.settings.time_limit_seconds, 0.5);
  EXPECT_EQ(typed("--neighbor --kernel my.hip --debugger").machine.settings.time_limit_seconds, 0);
  EXPECT_EQ(typed("--all --schedules 20").machine.schedules, 20u);
  EXPECT_EQ(typed("--all --schedule-seed 18446744073708551615").machine.schedule_seed, 18446744073708551615u);
  EXPECT_EQ(typed("--all --module m.so").kernel.module, "m.so");
  EXPECT_EQ(typed("--all --kernel k.hip").kernel.file, "k.hip");
  EXPECT_EQ(typed("--all --kernel k.hip --entry scale<float>").kernel.entry, "scale<float>");
  EXPECT_EQ(typed("--all --kernel k.hip --compiler g++").kernel.compiler, "g++");
  EXPECT_TRUE(typed("--all --kernel k.hip --no-cache").kernel.no_cache);
  EXPECT_TRUE(typed("--all --full").output.full);
  EXPECT_TRUE(typed("--all --quiet").output.quiet);
  EXPECT_TRUE(typed("--all --emoji").output.emoji);
  EXPECT_EQ(typed("--all --junit out.xml").output.junit, "out.xml");
}

TEST(options, what_goes_with_a_kernel_of_ones_own) {
  EXPECT_EQ(refused("--all --kernel k.hip --module m.so"),
            "--kernel and --module cannot be combined: both choose the kernels");
  EXPECT_EQ(refused("--all --variant shared --kernel k.hip"),
            "--variant shared does nothing with --kernel: the file has the one kernel that runs | If it has several, "
            "--entry chooses one.");
  EXPECT_EQ(typed("--all --variant warp --kernel k.hip").puzzles.size(), puzzles().size());
  EXPECT_EQ(refused("--all --entry scale"), "--entry works only with --kernel FILE or --run FILE...");
  EXPECT_EQ(refused("--all --kernel k.hip --entry="), "--entry needs a value: NAME");
  EXPECT_EQ(complaint([] { parsed({"--all", "--kernel", "k.hip", "--entry", ""}); }), "--entry is given an empty text");
  EXPECT_EQ(complaint([] { parsed({"--all", "--kernel", ""}); }), "--kernel is given an empty file name");
}

TEST(options, each_choice_has_its_enumerator) {
  EXPECT_EQ(typed("--all --backend auto").device.backend, backend_choice::automatic);
  EXPECT_EQ(typed("--all --backend cpu").device.backend, backend_choice::cpu);
  EXPECT_EQ(typed("--all --backend amd").device.backend, backend_choice::amd);
  EXPECT_EQ(typed("--all --backend nvidia").device.backend, backend_choice::nvidia);
  EXPECT_EQ(typed("--all --format text").output.format, output_format::text);
  EXPECT_EQ(typed("--all --format json").output.format, output_format::json);
  EXPECT_EQ(typed("--all --color auto").output.color, color_choice::automatic);
  EXPECT_EQ(typed("--all --color always").output.color, color_choice::always);
  EXPECT_EQ(typed("--all --color never").output.color, color_choice::never);
}

TEST(options, nothing_given_leaves_the_defaults) {
  const options asked = typed("--all");
  options fresh;
  fresh.action = action::run;
  fresh.all = true;
  fresh.puzzles = asked.puzzles;
  EXPECT_EQ(asked, fresh);
}

TEST(options, the_documented_defaults_are_the_defaults) {
  std::size_t compared = 0;
  for (const option_row& row : option_table()) {
    // The default that is not a value, but what the device says, or that goes with another option alone.
    if (row.name == "lanes" || row.name == "steps" || row.name == "block") continue;
    if (row.starts || row.without.empty() || row.without.find(' ') != std::string_view::npos || row.name == "warp-size")
      continue;
    const std::string option = "--" + std::string(row.name), value(row.without);
    if (row.used_by == set_of(action::program)) {
      EXPECT_EQ(parsed({"--run", "a.hip", option, value}), typed("--run a.hip")) << row.name;
    } else {
      EXPECT_EQ(parsed({"--all", option, value}), typed("--all")) << row.name;
    }
    ++compared;
  }
  EXPECT_GE(compared, 4u);
}

TEST(options, a_value_is_taken_whatever_it_looks_like) {
  EXPECT_EQ(typed("--all --input [1,2]").data.input, "[1,2]");
  EXPECT_EQ(typed("--all --input={}").data.input, "{}");
  EXPECT_EQ(parsed({"--all", "--input", "two words"}).data.input, "two words");
  EXPECT_EQ(typed("--all --input -x").data.input, "-x");
  EXPECT_EQ(typed("--all --junit ./--all").output.junit, "./--all");
}

TEST(options, unknown_options_are_refused_with_the_nearest) {
  EXPECT_EQ(refused("--neigbor"), "unknown option --neigbor | Did you mean --neighbor?");
  EXPECT_EQ(refused("--all --Pair_Swap"), "unknown option --Pair_Swap | Did you mean --pair-swap?");
  EXPECT_EQ(refused("--neigh"), "unknown option --neigh | Did you mean --neighbor?");
  EXPECT_EQ(refused("--sise=5"), "unknown option --sise | Did you mean --size?");
  EXPECT_EQ(refused("--broadcast"),
            "unknown option --broadcast | Did you mean --broadcast-basic, --broadcast-conditional, "
            "--broadcast-shuffle-coordination or --block-broadcast?");
  EXPECT_EQ(refused("--xyzzy"), "unknown option --xyzzy | warpz --help shows the options.");
  EXPECT_EQ(refused("--a.b"), "unknown option --a.b | warpz --help shows the options.");
  EXPECT_EQ(refused("--no-color --all"), "unknown option --no-color | Did you mean --color?");
}

TEST(options, words_with_one_dash_are_shown_as_typed) {
  EXPECT_EQ(refused("-help"), "unknown option -help | Did you mean --help?");
  EXPECT_EQ(refused("-size 5"), "unknown option -size | Did you mean --size?");
  EXPECT_EQ(refused("-hx"), "unknown option -hx | warpz --help shows the options.");
  EXPECT_EQ(refused("-h=1"), "--help takes no value");
  EXPECT_EQ(refused("-5"), "unknown option -5 | warpz --help shows the options.");
  EXPECT_EQ(refused("---all"), "unknown option ---all | Did you mean --all?");
}

TEST(options, words_that_are_no_option_are_refused_with_the_nearest) {
  EXPECT_EQ(refused("neighbor"), "unexpected word 'neighbor' | Did you mean --neighbor?");
  EXPECT_EQ(refused("--all yes"), "unexpected word 'yes' | warpz --help shows the options.");
  EXPECT_EQ(refused("-- --all"), "unexpected word '--all' | Did you mean --all?");
  EXPECT_EQ(refused("--all -"), "unexpected word '-' | warpz --help shows the options.");
  EXPECT_EQ(complaint([] { parsed({""}); }), "unexpected word '' | warpz --help shows the options.");
  EXPECT_EQ(complaint([] { parsed({"\x1b[31m\n"}); }),
            "unexpected word '\\x1b[31m\\n' | warpz --help shows the options.");
}

TEST(options, a_missing_value_is_missed) {
  EXPECT_EQ(refused("--all --size"), "--size needs a value: N");
  EXPECT_EQ(refused("--all --size= 5"), "--size needs a value: N");
  EXPECT_EQ(refused("--size --all"), "--size needs a value: N; the next word, --all, is an option");
  EXPECT_EQ(refused("--all --format"), "--format needs a value: text|json");
  EXPECT_EQ(refused("--input --all"),
            "--input needs a value: FILE; the next word, --all, is an option | A file named --all is ./--all");
  EXPECT_EQ(refused("--junit --size=5 --all"),
            "--junit needs a value: FILE; the next word, --size=5, is an option | A file named --size=5 is ./--size=5");
  EXPECT_EQ(refused("--all --input --"), "--input needs a value: FILE");
  EXPECT_EQ(
      refused("--all --input --size=\xff"),
      R"(--input needs a value: FILE; the next word, --size=\xff, is an option | A file named --size=\xff is ./--size=\xff)");
  EXPECT_EQ(complaint([] { parsed({"--all", "--input", ""}); }), "--input is given an empty file name");
}

TEST(options, a_flag_takes_no_value) {
  EXPECT_EQ(refused("--all=true"), "--all takes no value");
  EXPECT_EQ(refused("--neighbor=1"), "--neighbor takes no value");
  EXPECT_EQ(refused("--all --quiet="), "--quiet takes no value");
}

TEST(options, sizes_are_whole_numbers_from_one) {
  const std::string problem = "--size takes a whole number from 1 to 2147483584, not '";
  const std::string advice = " | Write it in decimal digits, such as 1000000 or 1e6, without sign or unit.";
  EXPECT_EQ(typed("--all --size 1e6").data.size, 1000000u);
  EXPECT_EQ(typed("--all --size 1.25e2").data.size, 125u);
  EXPECT_EQ(typed("--all --size 7E0").data.size, 7u);
  for (const std::string bad : {"-1", "+1", "1.5", "1.5e0", "e3", "1e", "1e+3", "1.e3", ".5e3", "1e99", "1e9e", "1k",
                                "0x10", "five", "1_000", "99999999999999999999"})
    EXPECT_EQ(refused("--all --size " + bad), problem + bad + "'" + advice);
  for (const std::string bad : {"0", "00", "2147483585", "18446744073709551615"})
    EXPECT_EQ(refused("--all --size " + bad), problem + bad + "'");
}

TEST(options, seeds_are_whole_numbers) {
  const std::string problem = "--random takes a whole number from 0 to 18446744073709551615, not '";
  for (const std::string bad : {"-1", "1.0", "now", "18446744073709551616"})
    EXPECT_TRUE(refused("--all --random " + bad).starts_with(problem + bad + "'")) << refused("--all --random " + bad);
}

TEST(options, a_shape_is_three_numbers_for_a_puzzle_with_matrices) {
  EXPECT_EQ(typed("--tiled-matmul --shape 33x1x4096").data.shape, (matrix_shape{33, 1, 4096}));
  EXPECT_EQ(typed("--all --shape 1x2x3").data.shape, (matrix_shape{1, 2, 3}));
  for (const std::string wrong :
       {"4x4", "4x4x4x4", "4x4x", "x4x4", "0x4x4", "4x-4x4", "4X4X4", "4x4x9999999999", "64"}) {
    EXPECT_EQ(refused("--tiled-matmul --shape " + wrong),
              "--shape takes three whole numbers of at least 1, such as 64x32x16, not '" + wrong + "'");
  }
  EXPECT_EQ(refused("--neighbor --shape 4x4x4"),
            "--shape is given, but none of the puzzles takes one | It works with --tiled-matmul.");
  EXPECT_EQ(refused("--tiled-matmul --shape 4x4x4 --size 3"),
            "--size and --shape cannot be combined: both set how many numbers there are");
}

TEST(options, a_pivot_is_a_number_that_can_be_compared_with) {
  EXPECT_EQ(refused("--partition --pivot five"),
            "--pivot takes a number, not 'five' | Numbers are decimal: 1, -0.5, 1e3, inf.");
  EXPECT_EQ(refused("--partition --pivot nan"),
            "--pivot takes a number, not 'nan' | Numbers are decimal: 1, -0.5, 1e3, inf.");
  EXPECT_EQ(refused("--partition --pivot 1e39"),
            "--pivot takes a number that a float holds (at most 3.4028235e+38), not '1e39'");
  EXPECT_EQ(
      refused("--neighbor --pivot 5"),
      "--pivot is given, but none of the puzzles takes one | It works with --partition, --vote, --stream-compaction, "
      "--device-partition or --device-compaction.");
  EXPECT_EQ(typed("--neighbor --partition --pivot 5").data.pivot, 5.0F);
  EXPECT_EQ(typed("--all --pivot 5").data.pivot, 5.0F);
}

TEST(options, a_time_limit_is_there_and_ends) {
  for (const std::string bad : {"0", "-1", "nan", "inf", "0.0001", "86401", "10s", "ten", "1e999"})
    EXPECT_EQ(refused("--all --timeout " + bad), "--timeout takes seconds from 0.001 to 86400, not '" + bad + "'");
}

TEST(options, choices_are_refused_with_the_nearest) {
  EXPECT_EQ(refused("--all --format jsn"), "--format takes text or json, not 'jsn' | Did you mean --format json?");
  EXPECT_EQ(refused("--all --format JSON"), "--format takes text or json, not 'JSON' | Did you mean --format json?");
  EXPECT_EQ(refused("--all --format xml"), "--format takes text or json, not 'xml'");
  EXPECT_EQ(refused("--all --backend cuda"),
            "--backend takes auto, cpu, amd, nvidia, cpu,amd or cpu,nvidia, not 'cuda'");
  EXPECT_EQ(refused("--all --backend gpu"), "--backend takes auto, cpu, amd, nvidia, cpu,amd or cpu,nvidia, not 'gpu'");
  EXPECT_EQ(
      refused("--all --backend nvidea"),
      "--backend takes auto, cpu, amd, nvidia, cpu,amd or cpu,nvidia, not 'nvidea' | Did you mean --backend nvidia?");
  EXPECT_EQ(refused("--all --warp-size 33"), "--warp-size takes 32, 64 or both, not '33'");
  EXPECT_EQ(refused("--all --color yes"), "--color takes auto, always or never, not 'yes'");
  EXPECT_EQ(refused("--completion basch"),
            "--completion takes bash, zsh or fish, not 'basch' | Did you mean --completion bash?");
}

TEST(options, a_contradiction_may_take_a_value_or_a_third_option) {
  EXPECT_EQ(typed("--neighbor --bench --warp-size 64").action, action::benchmark);
  EXPECT_EQ(refused("--neighbor --bench --warp-size both"),
            "--bench and --warp-size both cannot be combined: it measures one warp size at a time | --warp-size 32 or "
            "64 says which.");
  EXPECT_EQ(refused("--neighbor --counters --quiet"),
            "--counters and --quiet cannot be combined | --format json prints the counts without the table.");
  EXPECT_EQ(typed("--neighbor --counters --quiet --format json").machine.settings.check, WARPZ_CHECK_ALL);
  EXPECT_EQ(refused("--neighbor --trace --check collectives"),
            "--trace and --check collectives cannot be combined: the trace shows each access | Leave --check out.");
  EXPECT_EQ(typed("--neighbor --trace --check all -o lanes.svg").trace.format, trace_format::svg);
  EXPECT_EQ(refused("--neighbor --warp-size both --debugger"),
            "--warp-size both does nothing with --debugger: the kernel runs once");
  EXPECT_EQ(refused("--kernel my.hip --leaks off"), "--leaks works only with --run FILE");
}

TEST(options, contradictions_are_refused) {
  EXPECT_EQ(refused("--all --input x --random 1"), "--input and --random cannot be combined: both choose the data");
}

TEST(options, an_option_is_not_taken_for_one_of_the_compiler) {
  EXPECT_EQ(refused("--run a.hip --cxxflags -O2 --timeout 5"),
            "--timeout stands behind --cxxflags, where all words up to -- are for the compiler | Put it in front of "
            "--cxxflags.");
  EXPECT_EQ(refused("--run a.hip --cxxflags --warp-size=64"),
            "--warp-size stands behind --cxxflags, where all words up to -- are for the compiler | Put it in front of "
            "--cxxflags.");
  EXPECT_EQ(typed("--run a.hip --cxxflags --std=c++20 --param x -- --timeout 5").program.flags,
            (std::vector<std::string>{"--std=c++20", "--param", "x"}));
}

TEST(options, results_are_not_written_to_a_dash) {
  EXPECT_EQ(refused("--all --junit -"), "--junit takes the name of a file, not '-' | A file of that name is ./-");
  EXPECT_EQ(refused("--all --module -"), "--module takes the name of a file, not '-' | A file of that name is ./-");
}

TEST(options, a_long_word_is_shown_in_part) {
  const std::string text = complaint([] { parsed({"--" + std::string(100'000, 'x')}); });
  EXPECT_TRUE(text.starts_with("unknown option --xxx"));
  EXPECT_LT(text.size(), 200u);
}

}  // namespace
