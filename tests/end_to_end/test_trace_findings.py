#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a report says last, the command that draws its finding: the trace marks the step, the lanes and the memory. And
who has written what lanes read from shared memory, in which order atomics come, and what a copy writes."""

import json
import re
import shlex
import subprocess
import unittest
import xml.etree.ElementTree

from kernel_support import KernelTest
from puzzle_runs import PROGRAM
from skips import main

KERNEL = "__global__ void mine(float* output, const float* input, int size) {{\n{}}}\n"
BLOCK = KERNEL.replace("mine(", "block_sum(")
INDEX = "  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;\n"

DIVERGED = INDEX + """\
  if (i >= size) return;
  output[i] = __shfl_down(input[i], 1) - input[i];
"""
RACY = INDEX + """\
  __shared__ float tile[64];
  tile[t] = i < size ? input[i] : 0;
  if (i < size) output[i] = t + 1 < blockDim.x && i + 1 < size ? tile[t + 1] - input[i] : 0;
"""
RACY_PART = INDEX + """\
  struct point { float x, y; };
  __shared__ point tile[64];
  tile[t].x = 1;
  tile[t].y = i < size ? input[i] : 0;
  if (i < size) output[i] = t + 1 < blockDim.x && i + 1 < size ? tile[t + 1].y - input[i] : 0;
"""
UNDEFINED = INDEX + """\
  if (i < size) output[i] = __shfl_down_sync((1ull << size) - 1, input[i], 1) - input[i];
"""
STUCK = INDEX + """\
  __shared__ float sum;
  if (t == 0) sum = 0;
  if (t < 40) __syncthreads();
  else __syncthreads();
  if (i < size) output[i] = sum;
"""
PARTIAL = STUCK.replace("  else __syncthreads();\n", "")



def active(step):
    return [lane for lane in step["lanes"] if lane["state"] == "active"]


class FindingTest(KernelTest):
    def drawn(self, *options, puzzle="neighbor"):
        """The trace that the last line of the report asks for, and that line's words."""
        _, err, code = self.run_kernel("--backend", "cpu", *options, puzzle=puzzle)
        self.assertNotEqual(code, 0, err)
        last = err.splitlines()[-1]
        self.assertRegex(last, r"^see:  .* --trace -o lanes\.(html|svg)$")
        words = shlex.split(last.removeprefix("see:  "))
        words[-1] = "trace.json"
        subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True, timeout=120, check=False)
        (run,) = json.loads((self.folder / "trace.json").read_text())["traces"]
        return run, words

    def test_lanes_that_wait_in_vain_are_the_last_step(self):
        self.write(KERNEL.format(DIVERGED))
        run, words = self.drawn("--size", 20)
        self.assertNotIn("--block", words)
        last = run["steps"][-1]
        self.assertEqual((last["operation"], last["line"], last["completes"]), ("__shfl_down", 4, False))
        self.assertEqual(last["finding"], {"what": "diverged collective", "breaks_rule": True, "lanes": hex((1 << 20) - 1)})
        self.assertEqual([lane["state"] for lane in last["lanes"]], ["active"] * 20 + ["returned"] * 12)

    def test_threads_that_wait_in_vain(self):
        self.write(BLOCK.format(STUCK))
        run, _ = self.drawn("--documented-only", puzzle="block-sum")
        waiting = [step for step in run["steps"] if step.get("completes") is False]
        self.assertEqual([(step["kind"], step["warp"], len(active(step))) for step in waiting],
                         [("barrier", 0, 32), ("barrier", 1, 8), ("barrier", 1, 24), ("barrier", 2, 32)])
        text, _, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--trace", puzzle="block-sum")
        self.assertIn("never completes\n", text)
        self.assertIn("\n     all lanes of warp 0 wait\n     warp 1: 0..7 wait\n     8..31 do not take part\n", text)

    def test_a_barrier_that_is_passed_without_some_completes(self):
        self.write(BLOCK.format(PARTIAL))
        run, _ = self.drawn("--documented-only", puzzle="block-sum")
        found = [(step["kind"], step["warp"], step.get("completes")) for step in run["steps"] if step.get("finding", {}).get("what") == "diverged barrier"]
        self.assertEqual(found, [("barrier", 0, None), ("barrier", 1, None)])
        self.assertIn("56 lanes left; 40 lanes go on without them", [words["headline"] for words in run["explanations"]])

    def test_a_race_is_two_accesses_of_one_element(self):
        self.write(KERNEL.format(RACY))
        run, _ = self.drawn("--documented-only")
        store, load = [step for step in run["steps"] if "finding" in step]
        self.assertEqual([step["finding"] for step in (store, load)],
                         [{"what": "data race", "breaks_rule": True, "lanes": "0x2"}, {"what": "data race", "breaks_rule": True, "lanes": "0x1"}])
        numbers = [run["steps"].index(step) + 1 for step in (store, load)]
        # Lane t writes tile[t], which lane t - 1 reads.
        self.assertEqual(store["races"], [{"index": t, "thread": t - 1, "step": numbers[1]} for t in range(1, 32)])
        self.assertEqual(load["races"], [{"index": t, "thread": t, "step": numbers[0]} for t in range(1, 32)])
        picture, _, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--trace", "svg")
        root = xml.etree.ElementTree.fromstring(picture)
        arrows = [each for each in root.iter() if "arrow" in each.get("class", "").split()]
        for cell in ("1", "31"):
            into = [each.get("class") for each in arrows if each.get("data-index") == cell]
            self.assertEqual(sorted(into), ["arrow down", "arrow down", "arrow race", "arrow race"])
        self.assertEqual(len([each for each in root.iter() if each.get("class") == "mark" and each.tag.endswith("rect")]), 2)

    def test_a_race_of_a_part_of_an_element(self):
        self.write(KERNEL.format(RACY_PART))
        run, _ = self.drawn("--documented-only")
        store, load = [step for step in run["steps"] if "finding" in step]
        self.assertEqual(((store["kind"], store["line"]), (load["kind"], load["line"])), (("store", 6), ("load", 7)))
        self.assertEqual([[lane["index"] for lane in active(step)[:3]] for step in (store, load)], [[0, 1, 2], [1, 2, 3]])

    def test_it_is_explained_in_the_reports_words(self):
        for body, headline, states in ((DIVERGED, "12 lanes left; 20 lanes wait forever", ["collective", None]),
                                       (RACY, "Lane 1 writes tile[1] and lane 0 reads it, in no order", ["store", "load"])):
            self.write(KERNEL.format(body))
            _, report, _ = self.run_kernel("--backend", "cpu", "--size", 20)
            run, _ = self.drawn("--size", 20)
            (words,) = run["explanations"]
            found = {step["number"]: step["kind"] for step in run["steps"] if "finding" in step}
            self.assertEqual((words["headline"], [found.get(party["step"]) for party in words["parties"]]), (headline, states))
            self.assertIn(f": {words['rule']}\n", report)
            self.assertIn(words["repair"], re.sub(r"\s+", " ", report))
            for party in words["parties"]:
                self.assertIn(party["words"], re.sub(r" +", " ", report))

    def test_the_step_that_takes_an_undefined_value(self):
        self.write(KERNEL.format(UNDEFINED))
        run, _ = self.drawn("--size", 20)
        (step,) = [step for step in run["steps"] if "finding" in step]
        self.assertEqual((step["operation"], step["finding"]),
                         ("__shfl_down_sync", {"what": "undefined lane value", "breaks_rule": True, "lanes": hex(1 << 19)}))

    def test_the_store_of_a_wrong_element_in_its_block(self):
        self.write(KERNEL.format(INDEX + "  if (i < size) output[i] = i == 70 ? 8 : 0 * input[i];\n"))
        run, words = self.drawn("--size", 100, "--pattern", "equal")
        self.assertEqual(words[words.index("--block") + 1], "2")
        (step,) = [step for step in run["steps"] if "finding" in step]
        self.assertEqual((step["kind"], step["finding"]), ("store", {"what": "wrong result", "breaks_rule": False, "lanes": hex(1 << 6)}))

    def test_an_element_that_is_never_written(self):
        self.write(KERNEL.format(INDEX + "  if (i < size && i != 40) output[i] = t < 31 ? input[i + 1] - input[i] : 0;\n"))
        run, words = self.drawn("--size", 64)
        self.assertEqual(words[words.index("--block") + 1], "1")
        last = run["steps"][-1]
        self.assertEqual((last["operation"], last["end"], last["finding"]),
                         ("return", "returns", {"what": "element never written", "breaks_rule": False, "lanes": "0x100"}))

    def test_where_lanes_end(self):
        for body, wanted, headline in (
                ("  if (i == 3) output[i] = *nowhere;\n", ("load", "stops", "0x8"), "Out-of-bounds access: lane 3 reads memory"),
                ("  if (t == 5) for (;;) asm volatile(\"\");\n", ("loop", "runs_on", "0x20"), "The kernel did not end: lane 5 "),
                ("  output[i] = __shfl_sync(0x1full, input[i], 0);\n", ("__shfl_sync", "stops", "0x20"),
                 "Lane 5 calls __shfl_sync with a mask that names lanes 0-4"),
                ("  if (t < 8) __shfl(t, 0); else __syncwarp();\n", ("__syncwarp", "waits", "0xffffff00"),
                 "Lanes 0-7 wait in __shfl at line 4; lanes 8-31 wait in __syncwarp at line 4")):
            self.write(KERNEL.format(INDEX + "  const float* volatile nowhere = nullptr;\n" + body))
            run, _ = self.drawn("--documented-only", "--timeout", 0.2)
            last = run["steps"][-1]
            self.assertEqual((last["operation"], last["end"], last["finding"]["lanes"], last["line"]), (*wanted, 4))
            self.assertTrue(run["explanations"][0]["headline"].startswith(headline), run["explanations"][0])

    def test_a_command_for_each_place(self):
        self.write(KERNEL.format(INDEX + """\
  if (i == 70) output[i] = input[size];
  if (i == 5) output[i + size] = 2;
"""))
        _, err, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--size", 100)
        self.assertRegex(err, r"see:  .* --size 100 --trace -o \S+\n      out-of-bounds access at my\.hip:4\n"
                              r"see:  .* --block 2 --trace -o \S+\n      out-of-bounds access at my\.hip:3\n\Z")

    def test_variables_of_the_file_have_their_names(self):
        self.write("__constant__ float factors[4] = {1, 2, 3, 4};\n__device__ int count;\n" + KERNEL.format(INDEX + """\
  if (t == 0) atomicAdd(&count, 1);
  if (i < size) output[i] = input[i] * factors[t % 4];
"""))
        out, _, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--trace")
        self.assertIn(" <-> count\n", out)
        self.assertIn(" <- factors\n", out)

    def test_a_finding_in_another_order(self):
        # Right where lanes come one after the other.
        self.write(KERNEL.format(INDEX + """\
  __shared__ int counter;
  if (t == 0) counter = 0;
  __syncthreads();
  const int turn = atomicAdd(&counter, 1);
  if (i < size) output[i] = turn != t ? 9 : i + 1 < size ? input[i + 1] - input[i] : 0;
"""))
        _, err, code = self.run_kernel("--backend", "cpu", "--documented-only", "--schedules", 3)
        self.assertNotEqual(code, 0)
        self.assertRegex(err.splitlines()[-1], r"^see:  .* --schedule-seed [123] .*--trace -o lanes\.(html|svg)$")
        run, words = self.drawn("--documented-only", "--schedules", 3)
        self.assertEqual(str(run["schedule"]), words[words.index("--schedule-seed") + 1])
        self.assertTrue([step for step in run["steps"] if "finding" in step])

    def test_a_wrong_element_of_a_matrix_is_in_the_block_of_its_tile(self):
        self.write("""__global__ void mine(float* c, const float* a, const float* b, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = row == 20 && column == 40 ? 1 : 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
""")
        run, words = self.drawn("--documented-only", puzzle="tiled-matmul")
        self.assertEqual(words[words.index("--block") + 1], "6")
        (step,) = [step for step in run["steps"] if "finding" in step]
        self.assertEqual((step["line"], step["warp"], step["finding"]),
                         (6, 2, {"what": "wrong result", "breaks_rule": False, "lanes": "0x100"}))

    def test_no_command_where_no_trace_would_show_it(self):
        self.write(KERNEL.format(RACY))
        for options in (["--trace"], ["--check", "collectives", "--random", 1]):
            _, err, _ = self.run_kernel("--backend", "cpu", *options)
            self.assertNotRegex(err, "(?m)^see: ")


class SharedMemoryTest(KernelTest):
    def trace(self, *options, puzzle="block-sum"):
        self.run_kernel("--backend", "cpu", "--documented-only", "--trace", "-o", "trace.json", *options, puzzle=puzzle)
        (run,) = json.loads((self.folder / "trace.json").read_text())["traces"]
        return run

    def test_who_has_written_what_is_read(self):
        self.write(BLOCK.format(INDEX + """\
  __shared__ float tile[1024];
  tile[(t + 7) % blockDim.x] = i < size ? input[i] : 0;
  __syncthreads();
  if (i < size) output[i] = tile[(t + 40) % blockDim.x];
"""))
        for warp_size in (32, 64):
            run = self.trace("--warp-size", warp_size)
            threads = run["threads"]
            self.assertGreater(threads, warp_size)
            loads = [step for step in run["steps"] if step["kind"] == "load" and step["shared"]]
            self.assertEqual(sum(len(active(step)) for step in loads), threads)
            for step in loads:
                for lane in active(step):
                    thread = (step["warp"] * warp_size + lane["lane"] + 33) % threads
                    self.assertEqual(lane["writer"]["thread"], thread)
                    written = run["steps"][lane["writer"]["step"] - 1]
                    self.assertEqual((written["kind"], written["warp"]), ("store", thread // warp_size))
                    value = next(each["value"] for each in written["lanes"] if each["lane"] == thread % warp_size)
                    self.assertEqual(value, lane["value"])

    def test_atomics_come_in_their_order(self):
        self.write(BLOCK.format(INDEX + """\
  __shared__ int counter;
  if (t == 0) counter = 5;
  __syncthreads();
  const int before = atomicAdd(&counter, 2);
  if (i < size) output[i] = before;
"""))
        run = self.trace("--schedules", 0)
        changes = [(lane["before"], lane["after"], lane["turn"]) for step in run["steps"] if step["kind"] == "atomic"
                   for lane in sorted(active(step), key=lambda lane: lane["turn"])]
        self.assertEqual([change[:2] for change in changes], [(5 + 2 * n, 7 + 2 * n) for n in range(run["threads"])])
        self.assertEqual([change[2] for change in changes], [n % 32 + 1 for n in range(run["threads"])])

    def test_a_copy_shows_what_it_writes_and_a_store_what_it_stores(self):
        self.write(BLOCK.format(INDEX + """\
  __shared__ float tile[8];
  struct eight { float of[8]; } own;
  for (int k = 0; k < 8; ++k) own.of[k] = t + k;
  if (t == 3) __builtin_memcpy(tile, input + 8, sizeof tile);
  __syncthreads();
  if (i < size) output[i] = tile[t % 8];
  __syncthreads();
  if (t == 4) __builtin_memcpy(tile, &own, sizeof own);
"""))
        run = self.trace()
        stored = [active(step)[0]["value"] for step in run["steps"] if step["kind"] == "store" and step["shared"]]
        copied = [active(step)[0]["value"] for step in run["steps"] if step["kind"] == "load" and not step["shared"]]
        self.assertEqual(len(copied), 8)
        self.assertEqual(stored, copied + [4 + k for k in range(8)])

    def test_copies_that_come_later_show_what_they_will_write(self):
        out = subprocess.run([PROGRAM, "--mbarrier-pipeline", "--trace", "json", "--steps", "1-300"], capture_output=True,
                             text=True, timeout=120, check=True).stdout
        (run,) = json.loads(out)["traces"]
        buffered = {}
        for step in run["steps"]:
            for lane in active(step) if step["kind"] in ("load", "store") else []:
                buffered.setdefault((step["memory"], step["kind"]), []).append(lane["value"])
        stored = buffered["buffer", "store"]
        self.assertGreater(len(set(stored)), 20)
        self.assertEqual(stored, buffered["input", "load"][:len(stored)])


class StepsTest(unittest.TestCase):
    def test_only_some_steps(self):
        whole, part = (json.loads(subprocess.run([PROGRAM, "--block-sum", "--trace", "json", *options], text=True,
                                                 capture_output=True, timeout=120, check=True).stdout)["traces"][0]
                       for options in ((), ("--steps", "20-30")))
        self.assertEqual((part["first_step"], part["steps"]), (20, whole["steps"][19:30]))
        text = subprocess.run([PROGRAM, "--block-sum", "--trace", "--steps", "20"], text=True, capture_output=True,
                              timeout=120, check=True).stdout
        self.assertEqual(re.findall(r"^ +(\d+)  ", text, re.MULTILINE)[:1], ["20"])

    def test_what_is_refused(self):
        for steps, message in (("0-3", "--steps takes step numbers"), ("5-4", "--steps takes"), ("x", "--steps takes"),
                               ("9000-9001", "--steps 9000-9001: the trace has 3 steps")):
            done = subprocess.run([PROGRAM, "--neighbor", "--trace", "--steps", steps], text=True, capture_output=True,
                                  timeout=120, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    main()
