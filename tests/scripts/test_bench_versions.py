# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench-versions, with programs that say how long they took."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"]) / "scripts/bench-versions"


class BenchVersionsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, name, *times, code=0):
        """A warpz that takes these milliseconds, one after the other, and keeps its arguments."""
        path = self.folder / name
        path.write_text(f"""#!{sys.executable}
import pathlib, sys
log = pathlib.Path(__file__ + ".log")
calls = log.read_text().splitlines() if log.exists() else []
log.write_text("\\n".join([*calls, " ".join(sys.argv[1:])]) + "\\n")
times = {list(times)}
print('{{"runs": [{{"milliseconds": %f}}]}}' % times[len(calls) % len(times)])
sys.exit({code})
""")
        path.chmod(0o755)
        return path

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *map(str, arguments)], capture_output=True, text=True,
                              check=False)

    def test_the_least_of_the_runs_counts(self):
        old, new = self.program("old", 4.0, 2.0, 3.0), self.program("new", 9.0, 2.0, 7.0)
        done = self.run_script(old, new, "neighbor", "--runs", 3, "--log2-size", 10)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("| neighbor, 2^10 | 2.0, 2.0 (1.00) | 2.0, 2.0 (1.00) |", done.stdout)
        calls = pathlib.Path(f"{new}.log").read_text().splitlines()
        self.assertEqual(len(calls), 6)
        self.assertIn("--neighbor --size 1024 --warp-size 64 --check off", calls[-1])

    def test_a_slower_one_is_told(self):
        done = self.run_script(self.program("old", 2.0), self.program("new", 2.2), "vote", "neighbor", "--runs", 1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 puzzles more than 1.05 times as long: vote, neighbor", done.stdout)

    def test_a_program_that_fails(self):
        done = self.run_script(self.program("old", 2.0), self.program("new", 2.0, code=3), "vote", "--runs", 1)
        self.assertEqual(done.returncode, 4)
        self.assertIn("ends with 3", done.stderr)
        done = self.run_script(self.folder / "none", self.folder / "none", "vote")
        self.assertEqual(done.returncode, 4)
        self.assertIn("No such file", done.stderr)

    def test_wrong_words(self):
        for words in ((), ("one",), ("one", "two", "--runs", "0")):
            self.assertEqual(self.run_script(*words).returncode, 2, words)


if __name__ == "__main__":
    unittest.main()
