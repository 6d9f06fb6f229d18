#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run makes the further runs that a verdict needs side by side, and a run that changes something by itself."""

import os
import unittest

from kernel_support import PROGRAM, RUNTIME, RunTest
from skips import main

CORES = sorted(os.sched_getaffinity(0))

# Lane 9 of 10 gets an undefined value. Descriptor 9 is a file that the test has opened: writing to it changes nothing
# that others can open, and the seconds between show which runs are side by side.
SOURCE = RUNTIME + """\
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
__global__ void pairs(int* out) {
  const int next = __shfl_down(int(threadIdx.x), 1);
  if (threadIdx.x < KEPT) out[10 * blockIdx.x + threadIdx.x] = next;
}
int main() {
  (void)!write(9, "begin\\n", 6);
  if (std::getenv("SLEEP")) sleep(1);
  int add = 0;
  if (std::scanf("%d", &add) != 1) return 9;
  int *out, numbers[50];
  hipMalloc(&out, sizeof numbers);
  hipMemset(out, 0, sizeof numbers);
  for (int i = 0; i < 3; ++i) pairs<<<5, 10>>>(out);
  hipMemcpy(numbers, out, sizeof numbers, hipMemcpyDeviceToHost);
  hipFree(out);
  EFFECT
  for (int i = 0; i < 10; ++i) std::printf("%d\\n", numbers[i] + add);
  (void)!write(9, "end\\n", 4);
}
"""
EFFECTS = {
    "a file": 'close(open("made", O_WRONLY | O_CREAT | O_APPEND, 0600));',
    "a file removed": 'unlink("none");',
    "a process": 'if (std::system("exit 0") != 0) return 8;',
}


class Ahead(RunTest):
    def run_source(self, effect="", kept=9, prefix=""):
        """(standard output, standard error, exit code, lines of descriptor 9)"""
        self.write(SOURCE.replace("EFFECT", effect).replace("KEPT", str(kept)), "p.hip")
        self.write("100\n", "number")
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        done = self.run_shell(prefix + f" {PROGRAM} --run p.hip --warp-size 32 9>>log < number")
        return *done, log.read_text().splitlines()

    def assert_right(self, found):
        out, err, code, _ = found
        self.assertEqual((code, out.splitlines()), (0, [str(i + 101) for i in range(9)] + ["100"]), err)
        self.assertNotIn("broken rule", err)

    @unittest.skipIf(len(CORES) < 2, "one core")
    def test_runs_are_side_by_side(self):
        found = self.run_source(prefix="SLEEP=1")
        self.assert_right(found)
        log = found[3]
        self.assertEqual((log.count("begin"), log.count("end")), (9, 9), log)
        # The first run and the one that others are compared with are alone.
        self.assertEqual(log[:4], ["begin", "end"] * 2)
        self.assertIn("begin begin", " ".join(log))

    def test_one_core_makes_them_one_by_one(self):
        found = self.run_source(prefix=f"taskset -c {CORES[0]}")
        self.assert_right(found)
        self.assertEqual(found[3], ["begin", "end"] * 9)

    @unittest.skipIf(len(CORES) < 2, "one core")
    def test_a_run_with_effects_is_made_when_its_turn_comes(self):
        for name, effect in EFFECTS.items():
            with self.subTest(name):
                (self.folder / "made").unlink(missing_ok=True)
                found = self.run_source(effect)
                self.assert_right(found)
                # Those that were begun ahead have ended where they would have changed something.
                self.assertEqual(found[3].count("end"), 9)
                self.assertGreater(found[3].count("begin"), 9)

    def test_input_from_a_pipe(self):
        for pipe in ("cat number |", "(cat number; sleep 1) |"):
            with self.subTest(pipe):
                self.assert_right(self.run_source(prefix=pipe))

    def test_what_is_found_does_not_depend_on_the_cores(self):
        everywhere = self.run_source(kept=10)
        alone = self.run_source(kept=10, prefix=f"taskset -c {CORES[0]}")
        self.assertEqual(everywhere[2], 3)
        self.assertIn("lane 9", everywhere[1])
        self.assertEqual(everywhere[:3], alone[:3])
        with_effects = self.run_source(EFFECTS["a file"], kept=10)
        self.assertEqual(with_effects[2], 3)
        self.assertIn("lane 9", with_effects[1])


if __name__ == "__main__":
    main()
