# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--gpus on the CPU machine, which poses as several GPUs: what is printed is what one GPU prints."""

import json
import unittest

from puzzle_runs import SOURCE, warpz
from sampling import FULL
from skips import main

FLAGS = ("device-reduce", "device-scan", "device-partition", "device-compaction", "device-sort")
CPU = ("--backend", "cpu")


class SeveralGpusTest(unittest.TestCase):
    def test_documented_inputs(self):
        for flag in FLAGS:
            for warp_size in (32, 64):
                expected = (SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_bytes()
                done = warpz(f"--{flag}", "--gpus", 3, "--warp-size", warp_size, *CPU)
                self.assertEqual((done.stdout, done.stderr, done.returncode), (expected, b"", 0), flag)

    def test_the_same_bits_as_one(self):
        """Sums that round, and parts that end within a tile; every access is checked."""
        size = 200_003 if FULL else 60_003
        for flag in FLAGS:
            outputs = []
            for gpus in (1, 2, 5):
                done = warpz(f"--{flag}", "--gpus", gpus, "--random", 7, "--size", size, "--check", "all", "--format",
                             "json", "--full", *CPU)
                self.assertEqual((done.stderr, done.returncode), (b"", 0), f"{flag}, {gpus} GPUs")
                outputs.append(json.loads(done.stdout)["runs"][0]["output"])
            self.assertTrue(outputs[0] == outputs[1] == outputs[2], flag)

    def test_other_orders_of_blocks(self):
        done = warpz("--device-scan", "--device-sort", "--gpus", 2, "--schedules", 2, "--quiet", *CPU)
        self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_what_has_no_sense(self):
        for words, said in ((("--neighbor", "--gpus", 2), b"--gpus: --neighbor runs on one GPU"),
                            (("--device-sort", "--gpus"), b"--gpus 2 says how many"),
                            (("--device-sort", "--gpus", 17), b"from 1 to 16"),
                            (("--device-sort", "--gpus", 2, "--trace"), b"--gpus does nothing with --trace")):
            done = warpz(*words, *CPU)
            self.assertEqual((done.stdout, done.returncode), (b"", 2), words)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    main()
