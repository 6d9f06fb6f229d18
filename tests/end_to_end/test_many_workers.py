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

from kernel_support import cache_with_headers
from sampling import FULL, long
from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"]).resolve()
PUZZLES = pathlib.Path(__file__).resolve().parents[2] / "puzzles"
MPIRUN = shutil.which("mpirun")
MODULE = PROGRAM.parent / "libwarpz-mpi.so"
SECONDS = 600
FOLDER = tempfile.TemporaryDirectory()
CACHE = str(cache_with_headers(pathlib.Path(FOLDER.name)))  # for all tests: a worker compiles for seconds
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
PRINTS = """#include <fcntl.h>
#include <hip/hip_runtime.h>
#include <unistd.h>

#include <cstdio>
__global__ void mark(int* last) { atomicExch(last, int(threadIdx.x)); }
// All runs of a worker but its first wait until there is a file "go".
void wait_for_test() {
  char ran[64], waits[64];
  std::snprintf(ran, sizeof ran, "ran-%d", int(getppid()));
  std::snprintf(waits, sizeof waits, "waits-%d", int(getppid()));
  const bool is_first = access(ran, F_OK) != 0;
  close(open(is_first ? ran : waits, O_CREAT | O_WRONLY, 0600));
  while (!is_first && access("go", F_OK) != 0) usleep(20000);
}
int main() {
  wait_for_test();
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


def is_alive(process):
    """Not so is one that has ended, and that nobody has asked about."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes() != b""
    except (FileNotFoundError, ProcessLookupError):
        return False


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
                                env={**os.environ, "XDG_CACHE_HOME": CACHE, **variables})

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

    def wait_until(self, condition):
        end = time.monotonic() + SECONDS
        while not (found := condition()):
            self.assertLess(time.monotonic(), end, "it never came to that")
            time.sleep(0.05)
        return found

    def worker(self, process, number):
        """The worker with this number, and its rank's process, which is `process` or below: None where it is not there."""
        for rank in [process.pid, *children(process.pid)]:
            try:
                for each in children(rank):
                    if (variable(each, b"WARPZ_WORKER") or "").split(",")[1:2] == [str(number)]:
                        return each, rank
            except (FileNotFoundError, ProcessLookupError):
                pass
        return None

    def program_alone(self):
        """The words, and what they print on their own."""
        self.write("program.hip", PRINTS)
        self.write("go", "")
        words = ("--run", "program.hip", "--schedules", "9")
        alone = self.run_alone(*words)
        self.assertEqual(alone[0], 3, alone)
        for each in [*self.folder.glob("ran-*"), *self.folder.glob("waits-*"), self.folder / "go"]:
            each.unlink()
        return words, alone

    def wait_for_pieces(self, count):
        """Until so many workers are in a piece."""
        self.wait_until(lambda: len([*self.folder.glob("waits-*")]) >= count)


class ManyWorkers(WorkerTest):
    def test_orders_of_a_kernel(self):
        self.write("mine.hip", DEPENDS)
        words = ("--neighbor", "--kernel", "mine.hip", "--schedules", "60", "--documented-only")
        alone = self.run_alone(*words)
        self.assertEqual(alone[0], 3, alone)
        self.assertRegex(alone[2], r"and the same \d+ more times")
        self.assertEqual(self.run_with(3, *words), alone)

    def test_orders_of_a_program_at_both_sizes(self):
        self.write("program.hip", PRINTS)
        self.write("go", "")
        words = ("--run", "program.hip", "--schedules", "6", "--warp-size", "both")
        alone = self.run_alone(*words)
        self.assertEqual(alone[0], 3, alone)
        self.assertIn("schedule-seed", alone[2])
        self.assertEqual(self.run_with(2, *words), alone)

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

    def test_each_worker_has_cores_of_its_own(self):
        usable = os.sched_getaffinity(0)
        if len(usable) < 2:
            self.skipTest("there is one core")
        words, alone = self.program_alone()
        process = self.start(words, WARPZ_WORKERS="2")
        self.wait_for_pieces(2)
        first, second = (os.sched_getaffinity(self.worker(process, number)[0]) for number in (0, 1))
        self.write("go", "")
        self.assertEqual(self.finish(process), alone)
        self.assertEqual((first | second, first & second), (usable, set()))

    def test_many_orders_of_a_kernel_are_divided_unasked(self):
        self.write("mine.hip", DEPENDS)
        words = ("--neighbor", "--kernel", "mine.hip", "--schedules", "20000" if FULL else "4000", "--documented-only")
        undivided = self.run_with(1, *words)
        process = self.start(words)
        if len(os.sched_getaffinity(0)) > 1:
            self.wait_until(lambda: self.worker(process, 1) or process.poll() is not None)
            self.assertIsNone(process.poll(), "it was over before there was a second worker")
        self.assertEqual(self.finish(process), undivided)

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
        words, alone = self.program_alone()
        process = self.start(words, WARPZ_WORKERS="3")
        self.wait_for_pieces(3)
        os.kill(self.worker(process, 2)[0], signal.SIGKILL)
        self.write("go", "")
        code, out, err = self.finish(process)
        note = re.search(r"warpz: worker 2 on \S+ has died \(signal 9\), and is started again. Another repeats its piece\n",
                         err)
        self.assertTrue(note, err)
        self.assertEqual((code, out, err.replace(note[0], "")), alone)

    def test_nothing_is_left_of_a_rank_that_is_killed(self):
        words, _ = self.program_alone()
        process = self.start(words, WARPZ_WORKERS="3")
        self.addCleanup(process.communicate)
        self.wait_for_pieces(3)
        workers = children(process.pid)
        self.assertEqual(len(workers), 3)
        process.kill()
        self.wait_until(lambda: not any(is_alive(each) for each in workers))

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
    def mpirun(self, ranks, *words, options=(), shell=()):
        before = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-q", *options, "-n", str(ranks), *shell]
        return self.start(words, before)

    def test_orders_under_mpirun(self):
        self.write("mine.hip", DEPENDS)
        words = ("--neighbor", "--kernel", "mine.hip", "--schedules", "50", "--documented-only")
        self.assertEqual(self.finish(self.mpirun(2, *words)), self.run_alone(*words))

    def test_with_recovery_each_rank_ends_with_0(self):
        # With another code mpirun would wait forever, where the rank is on another machine.
        self.write("mine.hip", DEPENDS)
        end = ["sh", "-c", '"$@"; echo "rank ended with $?"', "rank"]
        words = ("--neighbor", "--kernel", "mine.hip", "--schedules", "50", "--documented-only", "--quiet")
        code, out, err = self.finish(self.mpirun(2, *words, options=["--enable-recovery"], shell=end))
        self.assertEqual(code, 0)
        self.assertIn("warpz: the exit code is 3, whatever mpirun's is\n", err)
        self.assertEqual(out.splitlines()[-2:], ["rank ended with 0"] * 2)

    @long
    def test_a_class_under_mpirun(self):
        self.hand_in()
        self.assertEqual(self.finish(self.mpirun(3, "grade", "class")), self.run_alone("grade", "class"))

    @long
    def test_a_killed_worker_loses_nothing_under_mpirun(self):
        words, alone = self.program_alone()
        process = self.mpirun(3, *words)
        self.wait_for_pieces(3)
        os.kill(self.worker(process, 1)[0], signal.SIGKILL)
        self.write("go", "")
        code, out, err = self.finish(process)
        note = re.search(r"warpz: worker 1 on \S+ has died \(signal 9\).*\n", err)
        self.assertTrue(note, err)
        self.assertEqual((code, out, err.replace(note[0], "")), alone)

    def check_without_rank(self, lost, *options):
        """A rank is lost, by this signal, while it has a piece."""
        words, (code, out, err) = self.program_alone()
        process = self.mpirun(3, *words, options=options)
        self.wait_for_pieces(3)
        os.kill(self.worker(process, 2)[1], lost)
        self.write("go", "")
        _, lost_out, lost_err = self.finish(process)
        self.assertEqual(lost_out, out)
        # Open MPI has something to say of its own.
        lines = [line for line in lost_err.splitlines(keepends=True) if line in err or line.startswith("warpz: ")]
        self.assertEqual("".join(lines), err + f"warpz: the exit code is {code}, whatever mpirun's is\n")

    @long
    def test_a_killed_rank_loses_nothing_with_recovery(self):
        self.check_without_rank(signal.SIGKILL, "--enable-recovery")

    @long
    def test_a_killed_rank_loses_nothing_with_recovery_over_tcp(self):
        self.check_without_rank(signal.SIGKILL, "--enable-recovery", "--mca", "btl", "tcp,self")

    @long
    def test_a_stopped_rank_keeps_nothing_from_its_end(self):
        for options in ((), ("--enable-recovery",)):
            self.check_without_rank(signal.SIGSTOP, *options)

    @long
    def test_the_others_end_without_the_first_rank(self):
        words, _ = self.program_alone()
        process = self.mpirun(3, *words, options=["--enable-recovery"])
        self.wait_for_pieces(3)
        os.kill(self.worker(process, 0)[1], signal.SIGKILL)
        self.assertRegex(self.finish(process)[2], "rank [12] has heard nothing of the first one for 30 s, and ends")

    @long
    def test_a_worker_with_other_files_is_not_used(self):
        words, alone = self.program_alone()
        (self.folder / "other").mkdir()
        self.write("other/program.hip", PRINTS + "// another\n")
        first = ["--allow-run-as-root", "--oversubscribe", "-q", "-n", "1", PROGRAM, *words, ":"]
        process = self.start(words, [MPIRUN, *first, "-n", "1", "--wdir", str(self.folder / "other")])
        self.wait_for_pieces(1)
        self.wait_until(lambda: [*self.folder.glob("other/ran-*")] and not self.worker(process, 1))
        self.write("go", "")
        code, out, err = self.finish(process)
        note = "warpz: worker 1 is not used: its warpz or its files are not the first one's\n"
        self.assertEqual((code, out, err.replace(note, "", 1)), alone)
        self.assertIn(note, err)


if __name__ == "__main__":
    main()
