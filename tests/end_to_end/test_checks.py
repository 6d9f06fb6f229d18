#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--check: what each level looks for, and that the built-in kernels have nothing to find."""

import json
import os
import pathlib
import tempfile
import unittest

from kernel_support import cache_with_headers
from puzzle_runs import SOURCE, WARP_SIZES, module, warpz
from sampling import long
from skips import main


class BuiltInTest(unittest.TestCase):
    def check(self, *options):
        for warp_size in WARP_SIZES:
            done = warpz("--all", "--check", "all", "--warp-size", warp_size, "--format", "json", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = {run["puzzle"]: run["findings"] for run in json.loads(done.stdout)["runs"] if run["findings"]}
            race = found.pop("race-and-atomic", None)
            self.assertEqual(found, {})
            if "--variant" in options:
                continue
            (race,) = race
            self.assertEqual((race["kind"], race["severity"], race["on_purpose"]), ("data_race", "warning", True))
            self.assertEqual(race["memory"], {"name": "raced", "element": "raced", "index": 0, "elements": 1,
                                              "element_bytes": 4})
            self.assertEqual(race["groups"][0]["file"], "puzzles/race-and-atomic/solution.hip")

    def test_the_documented_numbers(self):
        self.check()

    def test_many_blocks(self):
        self.check("--random", 5, "--size", 1500)

    def test_through_shared_memory(self):
        self.check("--variant", "shared")


class LevelsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        os.environ["XDG_CACHE_HOME"] = str(cache_with_headers(self.folder))

    def write(self, body, takes="float* output, const float* input, int size", bounds=""):
        (self.folder / "my.hip").write_text(f"__global__ void {bounds} mine({takes}) {{\n{body}\n}}\n")
        return "--kernel", self.folder / "my.hip"

    def test_a_puzzle_that_shows_a_race_wants_to_see_it(self):
        body = """const int i = blockIdx.x * 96 + threadIdx.x;
            const int count = __syncthreads_count(i < size && input[i] < 0);
            if (threadIdx.x == 0) output[2 * blockIdx.x] = count;
            if (threadIdx.x == 0) output[2 * blockIdx.x + 1] = count > 0;"""
        done = warpz("--race-and-atomic", *self.write(body))
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"broken rule: race-and-atomic: the puzzle is about a finding of --check all, and", done.stderr)
        self.assertEqual(warpz("--race-and-atomic", *self.write(body), "--check", "collectives").returncode, 0)

    def test_a_race_that_the_puzzle_does_not_mean_is_an_error(self):
        solution = (SOURCE / "puzzles/race-and-atomic/solution.hip").read_text()
        begin, rest = solution.split("    const warpz::lane_mask together", 1)
        body = begin + "    counted = counted + 1;\n" + rest.split("popcll(together)));\n", 1)[1]
        kernel = self.folder / "my.hip"
        kernel.write_text(body)
        done = warpz("--race-and-atomic", "--kernel", kernel)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count(b"The puzzle shows this on purpose."), 1)

    def test_writing_the_same_is_a_warning_and_passes(self):
        kernel = self.write("""__shared__ int any;
            any = 1;
            __syncthreads();
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            const float mine = i < size ? input[i] : 0, next = __shfl_down(mine, 1);
            const bool has_next = i + 1 < size && static_cast<int>(threadIdx.x) + 1 < warpSize;
            if (i < size) output[i] = has_next ? next - mine : static_cast<float>(any - 1);""")
        done = warpz("--neighbor", *kernel)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(),
                         r"\Aright on \d+ inputs .*\nwarning: neighbor: two lanes of one warp write the same value at"
                         r" the same time\n(.*\n)*found: 1 data race \(warning\) \(31 times\)\nsee:  .*\n\Z")
        self.assertRegex(warpz("--neighbor", *kernel, "--quiet").stderr.decode(),
                         r"\A\S+/my\.hip:\d+: data race \(warning\)\n\Z")

    def test_repeats_are_counted_and_places_are_limited(self):
        lines = "".join(f"output[size + {i}] = {i};\n" for i in range(20))
        kernel = self.write(f"if (threadIdx.x == 0) {{ {lines} }}")
        done = warpz("--neighbor", *kernel, "--size", 64, "--format", "json")
        (run,) = json.loads(done.stdout)["runs"]
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(run["findings"]), 15)
        self.assertEqual({each["repeats"] for each in run["findings"]}, {1})
        self.assertEqual(run["findings_left_out"], 10)
        self.assertEqual([each["memory"]["index"] for each in run["findings"]], list(range(64, 79)))

    def test_the_lane_that_writes_to_an_input_is_told_of_many_blocks(self):
        body = """const int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < size) const_cast<float*>(input)[i] = 1;"""
        done = warpz("--neighbor", *self.write(body), "--size", 320, "--format", "json")
        (crash,) = json.loads(done.stdout)["runs"][0]["findings"]
        self.assertEqual((crash["kind"], crash["groups"][0]["lanes"], crash["stack"][0]["line"]), ("crash", [0], 3))

    def test_a_crash_after_a_finding_is_told_with_it(self):
        done = warpz("--neighbor", *self.write("output[size] = 1; __syncthreads(); if (threadIdx.x == 3) __trap();"),
                     "--format", "json")
        (run,) = json.loads(done.stdout)["runs"]
        self.assertEqual([each["kind"] for each in run["findings"]], ["out_of_bounds", "crash"])

    def test_a_kernel_that_is_run_again_prints_once_and_keeps_its_first_result(self):
        # The clock makes it differ by itself; what it reads beyond the mask is something else in each rerun.
        kernel = self.write("""const int i = blockIdx.x * blockDim.x + threadIdx.x;
            const unsigned long long here = __ballot(i < size);
            if (i >= size) return;
            const int next = __shfl_down_sync(here, 7, 1);
            if (i == 0) printf("once\\n");
            output[i] = i == 1 ? static_cast<float>(wall_clock64() % 1000003) : static_cast<float>(next);""")
        done = warpz("--neighbor", "--size", 20, *kernel, "--format", "json")
        (run,) = json.loads(done.stdout)["runs"]
        self.assertEqual(run["findings"], [])
        self.assertEqual(done.stderr.count(b"once"), 1)
        self.assertEqual(run["output"][19], -1)

    def test_the_values_of_an_undefined_element(self):
        kernel = self.write("""const int i = blockIdx.x * blockDim.x + threadIdx.x;
            const unsigned long long here = __ballot(i < size);
            if (i < size) output[i] = __shfl_down_sync(here, input[i], 1);""")
        done = warpz("--neighbor", "--size", 20, *kernel, "--format", "json")
        (run,) = json.loads(done.stdout)["runs"]
        (found,) = run["findings"]
        self.assertEqual([each["state"] for each in found["groups"]], ["took", "not_named"])
        self.assertEqual([found["memory"]["index"], found["values"][1]], [19, "nan"])

    def test_other_orders(self):
        kernel = self.write("""__shared__ int count;
            if (threadIdx.x == 0) count = 0;
            __syncthreads();
            const int seen = *static_cast<volatile int*>(&count);
            *static_cast<volatile int*>(&count) = seen + 1;
            __syncthreads();
            if (threadIdx.x < size) output[threadIdx.x] = static_cast<float>(count);""")
        run = "--neighbor", "--size", 32, *kernel, "--format", "json"

        def found(*options):
            (run_,) = json.loads(warpz(*run, *options).stdout)["runs"]
            return {each["kind"]: each for each in run_["findings"]}
        self.assertEqual(list(found()), ["data_race"])
        # Lanes change over between a read and a write.
        both = found("--schedules", 2)
        self.assertEqual(both["schedule_dependence"]["schedule_seed"], 1)
        self.assertEqual(both["schedule_dependence"]["values"][0], 32)
        self.assertLess(both["schedule_dependence"]["values"][1], 32)
        (writer,) = both["schedule_dependence"]["groups"]
        self.assertEqual((writer["state"], writer["line"]), ("wrote", 8))
        self.assertEqual(found("--schedules", 2), both)
        self.assertIsNone(both["data_race"]["schedule_seed"])
        self.assertEqual(found("--schedule-seed", 2)["schedule_dependence"]["schedule_seed"], 2)

    def test_a_first_guess_that_a_compare_and_swap_checks_is_a_warning(self):
        def found(guess, swap, *options):
            body = f"""__shared__ int sum;
                if (threadIdx.x == 0) sum = 0;
                __syncthreads();
                int old = {guess}, assumed;
                {swap}
                __syncthreads();
                if (threadIdx.x < size) output[threadIdx.x] = sum;"""
            done = warpz("--neighbor", "--format", "json", *self.write(body), *options)
            (run,) = json.loads(done.stdout)["runs"]
            return [(each["kind"], each["severity"]) for each in run["findings"]], done.returncode
        loop = "do { assumed = old; old = atomicCAS(&sum, assumed, assumed + 1); } while (old != assumed);"
        for options in ((), ("--warp-size", 64), ("--schedules", 3)):
            self.assertEqual(found("sum", loop, *options), ([("data_race", "warning")], 1), options)
            self.assertEqual(found("7", loop, *options), ([], 1), options)
        # What is swapped is not what was read, or nothing checks it.
        for swap in ("assumed = atomicCAS(&sum, threadIdx.x, 5); if (old == 3) output[0] = assumed;",
                     "atomicAdd(&sum, 1); if (old == 3) output[0] = 1;"):
            self.assertEqual(found("sum", swap)[0], [("data_race", "error")], swap)

    @long
    def test_blocks_of_another_size(self):
        body = """const int i = blockIdx.x * {} + threadIdx.x;
            const float mine = i < size ? input[i] : 0;
            const float next = __shfl_down(mine, 1);
            const bool has_next = i + 1 < size && threadIdx.x % warpSize + 1 < warpSize;
            if (i < size) output[i] = has_next ? next - mine : 0;"""

        def found(step, bounds, *options):
            done = warpz("--neighbor", "--size", 200, "--format", "json", *self.write(body.format(step), bounds=bounds),
                         *options)
            (run,) = json.loads(done.stdout)["runs"]
            self.assertEqual(done.returncode, 3 if run["findings"] else 0, done.stderr)
            return [(each["kind"], each["schedule_seed"], each["block_threads"]) for each in run["findings"]]
        bound = "__launch_bounds__(128)"
        # Of two blocks that write the same the one is another's twin; nothing orders them.
        self.assertEqual(found(32, bound, "--schedules", 4),
                         [("block_size_dependence", 1, 64), ("data_race", 1, 64)])
        self.assertEqual(found(32, bound, "--schedule-seed", 2)[0], ("block_size_dependence", 2, 96))
        self.assertEqual(found(32, bound, "--schedule-seed", 4), [])
        self.assertEqual(found(32, bound), [])
        self.assertEqual(found(32, "", "--schedules", 4), [])
        self.assertEqual(found("blockDim.x", bound, "--schedules", 4), [])
        self.assertEqual(found(64, bound, "--warp-size", 64, "--schedules", 1)[0], ("block_size_dependence", 1, 128))
        text = warpz("--neighbor", "--size", 200, "--kernel", self.folder / "my.hip", "--warp-size", 64,
                     "--schedules", 1).stderr.decode()
        self.assertIn(" in the puzzle's blocks and never written in blocks of 128 threads\n", text)
        self.assertIn("  found with --schedule-seed 1, in blocks of 128 threads\n", text)

    @long
    def test_blocks_that_the_puzzle_is_about_stay_as_they_are(self):
        first = self.write("""const int begin = blockIdx.x * blockDim.x;
            float sum = 0;
            for (int i = begin; i < begin + 4 && i < size; ++i) sum += input[i];
            const int i = begin + threadIdx.x;
            if (i < size) output[i] = input[i] + sum;""", bounds="__launch_bounds__(512)")
        done = warpz("--broadcast-basic", "--size", 100, *first, "--schedules", 6)
        self.assertEqual((done.stderr, done.returncode), (b"", 0))
        whole = self.write("""__shared__ float sum;
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (threadIdx.x == 0) sum = 0;
            __syncthreads();
            if (i < size) atomicAdd(&sum, input[i]);
            __syncthreads();
            if (i < size) output[i] = sum;""", bounds="__launch_bounds__(512)")
        done = warpz("--block-sum", *whole, "--schedules", 6)
        self.assertRegex(done.stderr, rb"\Aright on \d+ inputs that you have not seen, with 32 and with 64 lanes\n\Z")
        self.assertEqual(done.returncode, 0)

    def test_whoever_exchanges_a_word_may_do_so_to_set_it(self):
        kernel = self.write("""const int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < size) atomicExch(&output[i], input[i]);""")
        done = warpz("--neighbor", *kernel)
        self.assertEqual(done.returncode, 1, done.stderr.decode())

    @long
    def test_blocks_of_memory(self):
        kernel = self.write("""struct pair { float first[6]; };
            pair made;
            memset(&made, 0, sizeof made);
            if (threadIdx.x == 0) memcpy(output + size - 5, &made, sizeof made);""")
        done = warpz("--neighbor", *kernel)
        self.assertIn(b"a lane accesses memory past the end of a buffer", done.stderr)
        self.assertIn(b"lane 0  writes 24 bytes at ", done.stderr)

    @long
    def test_an_access_of_two_branches_at_once_is_told_within_its_function(self):
        # Compilers make one of the two, which then has no line of its own.
        (self.folder / "my.hip").write_text("""__device__ void put(float* at, bool first, float a, float b) {
            float* const behind = at + 1;
            if (first) {
              *behind = a * 2;
            } else {
              *behind = b + 3;
            }
          }
          __global__ void mine(float* output, const float* input, int size) {
            const int i = threadIdx.x;
            const float a = input[i];
            put(output + i, a > 100.0f, a, a * a);
          }
          """)
        done = warpz("--neighbor", "--kernel", self.folder / "my.hip")
        self.assertRegex(done.stderr, rb"lane 31  writes 4 bytes at \S*my\.hip:[2-6]\n")

    def test_a_gpu_chooses_its_own_order(self):
        for option in ("--schedules", "--schedule-seed"):
            done = warpz("--neighbor", option, 3, "--backend", "nvidia")
            self.assertEqual(done.returncode, 2)
            said = f"warpz: {option} does nothing with --backend nvidia: only the CPU machine chooses an order"
            self.assertEqual(done.stderr.decode().splitlines(), [said, "--backend cpu runs the same kernels there."])

    def test_off_and_collectives_look_at_no_access(self):
        kernel = self.write("output[size + threadIdx.x % 2] = 1;")
        for level, code in (("off", 1), ("collectives", 1), ("all", 3)):
            self.assertEqual(warpz("--neighbor", "--size", 33, *kernel, "--check", level).returncode, code, level)

    def test_off_lets_a_wrong_mask_pass_and_ends_what_would_hang(self):
        for level, kind in (("off", "diverged_collective"), ("collectives", "wrong_mask")):
            done = warpz("--neighbor", "--check", level, "--format", "json",
                         *module("wrong-finding-mask-without-caller"))
            (run,) = json.loads(done.stdout)["runs"]
            self.assertEqual([each["kind"] for each in run["findings"]], [kind])

    def test_what_is_not_compiled_for_it_cannot_be_watched(self):
        done = warpz("--neighbor", "--check", "all", *module("problem-neighbor"))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"warpz: --check all: the kernels in ", done.stderr)

    def test_a_gpu_checks_nothing(self):
        done = warpz("--neighbor", "--check", "all", "--backend", "amd")
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"warpz: --check does nothing with --backend amd: only the CPU machine checks\n"
                             b"--backend cpu runs the same kernels there.\n"))

    def test_both_levels_have_a_place_of_their_own_in_the_cache(self):
        kernel = self.write("output[size] = 1;")
        codes = [warpz("--neighbor", *kernel, "--check", level, "--size", 35).returncode
                 for level in ("all", "collectives", "all")]
        self.assertEqual(codes, [3, 1, 3])


if __name__ == "__main__":
    main()
