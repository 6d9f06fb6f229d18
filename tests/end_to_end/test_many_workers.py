#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Work in pieces, by several workers of one machine and by MPI's ranks: what is printed is what one process prints, also
where a worker or a rank is killed.

The environment names the program: WARPZ_PROGRAM."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"]).resolve()
PUZZLES = pathlib.Path(__file__).resolve().parents[2] / "puzzles"
MPIRUN = shutil.which("mpirun")
MODULE = PROGRAM.parent / "libwarpz-mpi.so"
SECONDS = 300
LONG_RUN = []
PROGRESS = r"warpz: \d+ of \d+ pieces are done by \d+ workers; about \d+ s are left\n"

# The last lane to run decides: other orders have other results.
DEPENDS = """__global__ void mine(float* output, const float* input, int size) {
  __shared__ int last;
  const int i = threadIdx.x;
  if (i == 0) last = 0;
  __syncthreads();
  atomicExch(&last, i);
  __syncthreads();
  if (i < size) output[i] = i == 0 ? float(last) : 0.0f;
}
"""
PRINTS = """#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void mark(int* last) { atomicExch(last, int(threadIdx.x)); }
int main() {
  int* last;
  hipMalloc(&last, sizeof(int));
  mark<<<1, 32>>>(last);
  int found;
  hipMemcpy(&found, last, sizeof found, hipMemcpyDeviceToHost);
  std::printf("last %d\\n", found);
  hipFree(last);
}
"""


def children(parent):
    return [int(each) for each in pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def variable(process, name):
    found = re.search(rb"(?:^|\0)" + name + rb"=([^\0]*)", pathlib.Path(f"/proc/{process}/environ").read_bytes())
    return found and found[1].decode()


def without_times(text):
    """Without what differs from run to run: milliseconds, seconds, the time of day, and how far the work is, which a
    run of more than 30 seconds says."""
    text = re.sub(PROGRESS, "", text)
    text = re.sub(r'("(?:milliseconds|seconds)": ?)[0-9.e+-]+', r"\1T", text)
    text = re.sub(r'(time|timestamp)="[^"]*"', r'\1="T"', text)
    text = re.sub(r"[0-9.]+ ms", "T ms", re.sub(r" +", " ", text))
    return re.sub(r"\b(one|three)\.(csv|xml|sarif)\b", r"N.\2", text)


class WorkerTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def start(self, words, before=(), **variables):
        return subprocess.Popen([*before, PROGRAM, *words], cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, "XDG_CACHE_HOME": str(self.folder), **variables})

    def finish(self, process):
        """The exit code and both outputs, without what differs from run to run."""
        try:
            out, err = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
        return process.returncode, without_times(out), without_times(err)

    def run_alone(self, *words):
        return self.finish(self.start(words))

    def run_with(self, workers, *words):
        return self.finish(self.start(words, WARPZ_WORKERS=str(workers)))

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def hand_in(self):
        neighbor = (PUZZLES / "neighbor/solution.hip").read_text()
        for number in range(5):
            self.write(f"class/s{number}/neighbor.hip", neighbor)
            self.write(f"class/s{number}/vote.hip", (PUZZLES / "vote/solution.hip").read_text())
        self.write("class/s1/neighbor.hip", neighbor.replace("shuffle_down", "shuffle_up"))
        self.write("class/s2/vote.hip", "no code\n")
        (self.folder / "class/s3/vote.hip").unlink()

    def kill_a_worker(self, process, number, seconds=60):
        """Once the worker with this number is at work. Its rank's process is `process` or below."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for parent in [process.pid, *children(process.pid)]:
                for each in children(parent):
                    try:
                        words = variable(each, b"WARPZ_WORKER") or ""
                        if words.split(",")[1:2] == [str(number)] and children(each):
                            time.sleep(0.5)
                            os.kill(each, signal.SIGKILL)
                            return parent
                    except (FileNotFoundError, ProcessLookupError):
                        pass
            time.sleep(0.05)
        self.fail("there is no such worker")

    def long_words(self):
        """Long enough that a worker dies on the way."""
        self.write("mine.hip", DEPENDS)
        return ("--neighbor", "--kernel", "mine.hip", "--schedules", "1500", "--documented-only")

    def long_run_alone(self):
        """What long_words() print, which is the same each time."""
        if not LONG_RUN:
            LONG_RUN.append(self.run_alone(*self.long_words()))
        return LONG_RUN[0]


class ManyWorkers(WorkerTest):
    def test_orders_of_a_kernel(self):
        self.write("mine.hip", DEPENDS)
        words = ("--neighbor", "--kernel", "mine.hip", "--schedules", "100", "--documented-only")
        alone = self.run_alone(*words)
        self.assertEqual(alone[0], 3, alone)
        self.assertRegex(alone[2], r"and the same \d+ more times")
        self.assertEqual(self.run_with(3, *words), alone)

    def test_orders_of_a_program_at_both_sizes(self):
        self.write("program.hip", PRINTS)
        words = ("--run", "program.hip", "--schedules", "30", "--warp-size", "both")
        alone = self.run_alone(*words)
        self.assertEqual(alone[0], 3, alone)
        self.assertIn("schedule-seed", alone[2])
        self.assertEqual(self.run_with(3, *words), alone)

    def test_a_class(self):
        self.hand_in()
        alone = self.run_alone("grade", "class", "--csv", "one.csv", "--junit", "one.xml")
        self.assertEqual(alone[0], 1, alone)
        divided = self.run_with(3, "grade", "class", "--csv", "three.csv", "--junit", "three.xml")
        self.assertEqual(divided, alone)
        for kind in ("csv", "xml"):
            self.assertEqual(without_times((self.folder / f"three.{kind}").read_text()),
                             without_times((self.folder / f"one.{kind}").read_text()))
        code, _, err = self.run_with(2, "grade", "class", "--jobs", "2")
        self.assertEqual(code, 2)
        self.assertIn("--jobs", err)

    def test_all_puzzles_of_a_folder(self):
        for name in ("neighbor", "vote", "parallel-max"):
            self.write(f"own/{name}.hip", (PUZZLES / name / "solution.hip").read_text())
        self.write("own/average.hip", "no code\n")
        self.write("own/pair-swap.hip", (PUZZLES / "pair-swap/solution.hip").read_text().replace("lane ^ 1", "lane"))
        for words in ([], ["--format", "json", "--counters"], ["--quiet", "--warp-size", "both"]):
            words = ["--all", "--kernel", "own", *words]
            alone = self.run_alone(*words, "--junit", "one.xml", "--sarif", "one.sarif")
            self.assertEqual(alone[0], 5, alone)
            self.assertEqual(self.run_with(3, *words, "--junit", "three.xml", "--sarif", "three.sarif"), alone)
            for kind in ("xml", "sarif"):
                self.assertEqual(without_times((self.folder / f"three.{kind}").read_text()),
                                 without_times((self.folder / f"one.{kind}").read_text()), words)

    def test_all_built_in_puzzles(self):
        alone = self.run_alone("--all", "--backend", "cpu")
        self.assertEqual(alone[0], 0, alone)
        self.assertEqual(self.run_with(4, "--all", "--backend", "cpu"), alone)

    def test_says_what_cannot_be_divided(self):
        code, out, err = self.run_with(2, "--neighbor", "--backend", "cpu")
        self.assertEqual((code, err), (0, "warpz: this can't be divided: one worker does it all\n"))
        self.assertIn("OK", out)
        self.assertEqual(self.run_with(2, "--version"), self.run_alone("--version"))
        self.assertEqual(self.run_with(2, "--nonsense")[0], 2)

    def test_the_number_of_workers(self):
        alone = self.run_alone("--neighbor", "--backend", "cpu")
        for few in (0, 1, ""):
            self.assertEqual(self.run_with(few, "--neighbor", "--backend", "cpu"), alone)
        ranks = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "WARPZ_WORKERS": "0"}
        self.assertEqual(self.finish(self.start(["--neighbor", "--backend", "cpu"], **ranks)), alone)
        for wrong in ("x", "-1", "2x", "1025"):
            code, out, err = self.run_with(wrong, "--neighbor")
            self.assertEqual((code, out, err), (2, "", "warpz: WARPZ_WORKERS is not a whole number from 0 to 1024\n"))

    def test_a_killed_worker_loses_nothing(self):
        words = self.long_words()
        alone = self.long_run_alone()
        process = self.start(words, WARPZ_WORKERS="3")
        self.kill_a_worker(process, 2)
        code, out, err = self.finish(process)
        note = re.search(r"warpz: worker 2 on \S+ has died \(signal 9\), and is started again. Another repeats its piece\n",
                         err)
        self.assertTrue(note, err)
        self.assertEqual((code, out, err.replace(note[0], "")), alone)

    def test_nothing_is_left_of_a_rank_that_is_killed(self):
        process = self.start(self.long_words(), WARPZ_WORKERS="3")
        self.addCleanup(process.communicate)
        while len(children(process.pid)) < 3:
            time.sleep(0.05)
        workers = children(process.pid)
        process.kill()
        end = time.monotonic() + 20
        while (left := [each for each in workers if pathlib.Path(f"/proc/{each}/cmdline").exists() and
                        pathlib.Path(f"/proc/{each}/cmdline").read_bytes()]) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(left, [])

    def test_says_that_the_module_is_missing(self):
        (self.folder / "bin").mkdir()
        program = self.folder / "bin/warpz"
        shutil.copy(PROGRAM, program)
        done = subprocess.run([program, "--neighbor"], capture_output=True, text=True, timeout=SECONDS, check=False,
                              env={**os.environ, "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"})
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("libwarpz-mpi.so is missing", done.stderr)


@unittest.skipUnless(MPIRUN and MODULE.exists(), "there is no MPI (Debian: openmpi-bin and libopenmpi-dev)")
class Ranks(WorkerTest):
    def mpirun(self, ranks, *words, options=()):
        before = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-q", *options, "-n", str(ranks)]
        return self.start(words, before)

    def test_orders_under_mpirun(self):
        self.write("mine.hip", DEPENDS)
        words = ("--neighbor", "--kernel", "mine.hip", "--schedules", "100", "--documented-only")
        self.assertEqual(self.finish(self.mpirun(3, *words)), self.run_alone(*words))

    def test_a_class_under_mpirun(self):
        self.hand_in()
        self.assertEqual(self.finish(self.mpirun(3, "grade", "class")), self.run_alone("grade", "class"))

    def test_a_killed_worker_loses_nothing_under_mpirun(self):
        words = self.long_words()
        alone = self.long_run_alone()
        process = self.mpirun(3, *words)
        self.kill_a_worker(process, 1)
        code, out, err = self.finish(process)
        note = re.search(r"warpz: worker 1 on \S+ has died \(signal 9\).*\n", err)
        self.assertTrue(note, err)
        self.assertEqual((code, out, err.replace(note[0], "")), alone)

    def test_a_killed_rank_loses_nothing_with_recovery(self):
        words = self.long_words()
        _, out, err = self.long_run_alone()
        process = self.mpirun(3, *words, options=["--enable-recovery"])
        rank = self.kill_a_worker(process, 2)
        os.kill(rank, signal.SIGKILL)
        _, killed_out, killed_err = self.finish(process)
        self.assertEqual(killed_out, out)
        # Open MPI has something to say of its own.
        lines = [line for line in killed_err.splitlines(keepends=True) if "PMIX" not in line and "has died" not in line]
        self.assertEqual("".join(lines), err + "warpz: the exit code is 3, whatever mpirun's is\n")


if __name__ == "__main__":
    main()
