#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel leaves in its variables: a run never sees it, a further launch does."""

import json
import re

from kernel_support import KERNEL, KernelTest
from puzzle_runs import warpz
from skips import main


def neighbor(variables, statements):
    """The right kernel with these variables; lane 0 of the grid then executes the statements."""
    return variables + KERNEL.replace("\n}\n", f"\n  if (i == 0) {{ {statements} }}\n}}\n")


# One variable with a value of its own, and one without.
COUNTS = neighbor("__device__ int calls;\n__device__ float scale = 1;\n",
                  "output[0] += 8 * calls + scale - 1; calls = 3; scale = 5;")


class LaunchesTest(KernelTest):
    def run_json(self, *options, **more):
        out, err, code = self.run_kernel("--format", "json", *options, **more)
        (run,) = json.loads(out)["runs"]
        return run, code, err

    def test_each_run_begins_with_the_values_of_the_file(self):
        self.write(COUNTS)
        # Eight orders in one process, and twenty in several.
        for orders in (8, 20):
            run, code, err = self.run_json("--documented-only", "--check", "all", "--schedules", orders)
            self.assertEqual((run["findings"], run["verdict"], code), ([], "passed", 0), err)

    def test_each_run_begins_with_shared_memory_that_nobody_has_set(self):
        self.write(neighbor("__shared__ float left;\n", "output[0] += left; left = 5;"))
        run, code, _ = self.run_json("--documented-only", "--check", "all", "--schedules", 6)
        # No order makes a difference.
        self.assertEqual(([each["kind"] for each in run["findings"]], code), (["uninitialised_read"], 3))

    def test_what_a_kernel_never_frees_does_not_add_up(self):
        # The memory of a run is looked at after 50 ms.
        self.write(neighbor("", "char* const kept = static_cast<char*>(malloc(32 << 20));"
                                " for (int k = 0; k < 32 << 20; k += 4096) kept[k] = 1;"
                                " for (const auto begin = wall_clock64(); wall_clock64() - begin < 120000000;) {}"))
        run, code, err = self.run_json("--documented-only", "--check", "all", "--schedules", 10, "--memory-limit", 250)
        self.assertEqual((run["findings"], code), ([], 0), err)

    def test_a_kernel_that_is_right_once(self):
        self.write(COUNTS)
        out, err, code = self.run_kernel()
        self.assertEqual(code, 1, err)
        self.assertIn("\noutput: [28.0]\nexpected: [0.0]\n", out)
        self.assertIn("right at the first launch, wrong at launch 2, on 1 number: the only element differs ",
                      " ".join(err.split()))
        self.assertIn("\n  In __device__ variables a launch finds what the one before has left.\n", err)
        command = re.search(r"next: \S+ (.*)\n", err)[1]
        self.assertEqual(command, "--neighbor --kernel my.hip --random 9 --size 1 --launches 2")
        run, code, err = self.run_json("--random", 9, "--size", 1, "--launches", 2)
        self.assertEqual((run["output"], run["launches"], run["hidden_case"], code), ([28], 2, False, 1), err)
        # Once is right.
        self.assertEqual(self.run_json("--random", 9, "--size", 1)[1], 0)
        self.assertEqual(self.run_json("--launches", 1)[0]["launches"], 2)

    def test_each_launch_writes_all_of_its_output_itself(self):
        self.write(KERNEL.replace("{\n", "{\n  if (once != 0) return;\n", 1).replace("\n}\n", "\n  once = 1;\n}\n")
                   .replace("__global__", "__device__ int once;\n__global__", 1))
        run, code, _ = self.run_json("--launches", 3, "--size", 4, "--check", "off")
        self.assertEqual((run["output"], code), ([None] * 4, 1))

    def test_the_last_launch_is_traced_and_counted(self):
        self.write(neighbor("__device__ int calls;\n", "++calls;"))
        run, code, err = self.run_json("--launches", 4, "--counters", "--trace", "json", "-o", "lanes.json")
        self.assertEqual(code, 0, err)
        (counted,) = run["costs"]["kernels"]
        self.assertEqual((counted["launches"], counted["total"]["collectives"]), (1, 1))
        (traced,) = json.loads((self.folder / "lanes.json").read_text())["traces"]
        (update,) = [each for each in traced["steps"] if each.get("memory") == "calls"]
        self.assertEqual(update["lanes"][0]["before"], 3)

    def test_several_devices(self):
        for options in ((), ("--gpus", 3)):
            done = warpz("--device-compaction", "--size", 3000, "--random", 1, "--launches", 3, *options)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_numbers_of_launches(self):
        for number in ("0", "1001", "two"):
            done = warpz("--neighbor", "--launches", number)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"--launches", done.stderr)


if __name__ == "__main__":
    main()
