#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--trace: each puzzle's steps, random kernels against a model that knows nothing of the machine, and options.

`test_trace.py --write [PUZZLE...]` writes tests/corpus/traces, which you read before you believe it."""

import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from closed_schema import closed
from kernel_support import PROGRAM, KernelTest
from sampling import long, sample
from skips import main

try:
    import jsonschema
except ImportError:
    jsonschema = None

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/models"))
import lane_trace

GOLDEN = SOURCE / "tests/corpus/traces"
DOCUMENTED = ("neighbor", "average", "broadcast-basic", "broadcast-conditional", "broadcast-shuffle-coordination",
              "pair-swap", "parallel-max", "conditional-max", "prefix-sum", "partition")
PUZZLES = sorted(file.parent.name for file in SOURCE.glob("puzzles/*/puzzle.cpp"))
DIGESTS = GOLDEN / "json.sha256"
SCHEMA = json.loads((SOURCE / "docs/trace.schema.json").read_text())


def warpz(*options):
    return subprocess.run([PROGRAM, *map(str, options)], capture_output=True, text=True, timeout=120, check=False)


def command_of(puzzle, warp_size):
    """Of the documented puzzles all is told, of the others what the picture in their README shows."""
    text = (SOURCE / f"puzzles/{puzzle}/README.md").read_text()
    options = shlex.split(re.search(r"`scripts/warpz --\S+ (.*?)--trace -o lanes\.svg`", text)[1])
    return [f"--{puzzle}", *([] if puzzle in DOCUMENTED else options), "--warp-size", warp_size, "--quiet"]


def trace_text(puzzle, warp_size):
    return warpz(*command_of(puzzle, warp_size), "--trace").stdout


def json_digest(puzzle, warp_size):
    """Of all that the JSON says of the steps. The text beside it is for readers."""
    document = json.loads(warpz(*command_of(puzzle, warp_size), "--trace", "json").stdout)
    for each in document["traces"]:
        del each["sources"]
    return hashlib.sha256(json.dumps(document["traces"], sort_keys=True).encode()).hexdigest()


def recorded_digests():
    return dict(line.split() for line in DIGESTS.read_text().splitlines())


def trace_json(*options):
    done = warpz(*options, "--quiet", "--trace", "json")
    return json.loads(done.stdout), done


# Another compiler puts the same line's instructions into another order.
@unittest.skipUnless(shutil.which("clang++"), "clang++ is not installed")
class PuzzleTest(unittest.TestCase):
    maxDiff = None

    def test_each_is_told_step_by_step(self):
        digests = recorded_digests()
        self.assertEqual(sorted(digests), sorted(f"{puzzle}-{lanes}" for puzzle in PUZZLES for lanes in (32, 64)))
        for puzzle in sample(PUZZLES, 8):
            for warp_size in (32, 64):
                with self.subTest(puzzle=puzzle, warp_size=warp_size):
                    text = trace_text(puzzle, warp_size)
                    self.assertEqual(text, (GOLDEN / f"{puzzle}-{warp_size}.txt").read_text())
                    self.assertLessEqual(max(map(len, text.splitlines())), 80)
                    self.assertEqual(json_digest(puzzle, warp_size), digests[f"{puzzle}-{warp_size}"])


class ModelTest(KernelTest):
    """Random kernels of collectives."""
    maxDiff = None

    def steps(self, *options):
        path = self.folder / "trace.json"
        out, err, _ = self.run_kernel("--quiet", "--documented-only", "--trace", "-o", path, *options)
        self.assertTrue(path.exists(), out + err)
        document = json.loads(path.read_text())
        if jsonschema is not None:
            jsonschema.Draft202012Validator(closed(SCHEMA)).validate(document)
        (run,) = document["traces"]
        return [each for each in run["steps"] if each["kind"] == "collective"]

    def assert_agree(self, step, expected, text):
        self.assertEqual({key: step[key] for key in ("operation", "movement", "mask", "line", "type")},
                         {key: expected[key] for key in ("operation", "movement", "mask", "line", "type")}, text)
        for lane, wanted in zip(step["lanes"], expected["lanes"], strict=True):
            where = f"line {step['line']}, {wanted}\n{lane}\n{text}"
            if wanted["state"] != "active":
                self.assertEqual(lane["state"], wanted["state"], where)
                continue
            self.assertEqual((lane["lane"], lane["state"]), (wanted["lane"], "active"), where)
            if "source" in wanted:
                self.assertEqual(lane["source"], wanted["source"], where)
            # Of a meeting there are none.
            operand = [] if expected["movement"] == "meet" else [("operand", "undefined_before")]
            for key, mark in (*operand, ("result", "undefined")):
                self.assertEqual(mark in lane, wanted[key] is None, where)
                if wanted[key] is not None:
                    self.assertEqual(lane[key], wanted[key], where)

    def test_random_kernels_move_what_the_model_moves(self):
        for seed in sample(range(4, 16), 6):
            text, run = lane_trace.kernel(seed)
            self.write(text)
            for lanes in (32, 64):
                expected = run(lanes).steps
                self.assertGreater(len(expected), 12)
                steps = self.steps("--warp-size", lanes)
                self.assertEqual(len(steps), len(expected), text)
                for step, wanted in zip(steps, expected):
                    self.assert_agree(step, wanted, text)

    def test_two_floats_are_a_pair_and_what_else_has_eight_bytes_is_none(self):
        self.write("""struct number { float re, im; };
struct place { int row; float value; };
__global__ void mine(float* output, const float* input, int size) {
  __shared__ number numbers[32];
  __shared__ double doubles[32];
  const int lane = threadIdx.x;
  const number own = warpz::warp::shuffle_xor(number{lane + 1.0f, -0.5f}, 1);
  const float2 pair = warpz::warp::shuffle_xor(float2{lane + 1.0f, -0.5f}, 1);
  const int2 integers = warpz::warp::shuffle_xor(int2{lane, 1}, 1);
  const place mixed = warpz::warp::shuffle_xor(place{lane, 1.0f}, 1);
  numbers[lane] = own;
  doubles[lane] = 1.5 * lane;
  output[lane] = own.re + pair.y + integers.x + mixed.value + numbers[lane].im + doubles[lane];
}
""")
        path = self.folder / "trace.json"
        self.run_kernel("--quiet", "--documented-only", "--trace", "-o", path)
        (run,) = json.loads(path.read_text())["traces"]
        shuffles = [each for each in run["steps"] if each["kind"] == "collective"]
        self.assertEqual([each["type"] for each in shuffles], ["float32_pair", "float32_pair", "bits", "bits"])
        for each in shuffles[:2]:
            self.assertEqual((each["lanes"][1]["operand"], each["lanes"][1]["result"]), ("(2.0, -0.5)", "(1.0, -0.5)"))
        stores = {each["memory"]: each for each in run["steps"] if each["kind"] == "store"}
        # Its own floats may be stored one by one.
        self.assertIn(stores["numbers"]["type"], ("float32_pair", "float32"))
        self.assertEqual(stores["doubles"]["type"], "int64")

    def test_lanes_that_are_not_there(self):
        self.write("""__global__ void mine(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float v = input[i];
  if (i < 8) v = __shfl_down_sync(0xffull, v, 2);
  __threadfence_block();
  output[i] = v;
}
""")
        path = self.folder / "trace.json"
        self.run_kernel("--size", 12, "--trace", "json", "-o", path)
        (run,) = json.loads(path.read_text())["traces"]
        (shuffle,) = [each for each in run["steps"] if each["kind"] == "collective"]
        self.assertEqual([each["state"] for each in shuffle["lanes"]], ["active"] * 8 + ["not_in_mask"] * 24)
        store = run["steps"][-1]
        self.assertEqual([each["state"] for each in store["lanes"]],
                         ["active"] * 12 + ["inactive"] * 20)
        # Lanes 6 and 7 read from 8 and 9, which the mask leaves out, and store what they got.
        self.assertEqual([each["lane"] for each in shuffle["lanes"] if "undefined" in each], [6, 7])
        self.assertEqual([each["lane"] for each in store["lanes"] if "undefined" in each], [6, 7])


class SeveralWarpsTest(unittest.TestCase):
    def test_barriers_shared_memory_and_atomics(self):
        document, _ = trace_json("--block-sum", "--size", 64)
        (run,) = document["traces"]
        self.assertEqual({each["warp"] for each in run["steps"]}, set(range(run["threads"] // 32)))
        barriers = [i for i, each in enumerate(run["steps"]) if each["kind"] == "barrier"]
        written = [i for i, each in enumerate(run["steps"]) if each["kind"] == "store" and each.get("shared")]
        self.assertTrue(barriers and written)
        self.assertLess(written[0], barriers[0])

    def test_one_warp(self):
        document, _ = trace_json("--block-sum", "--warp", 1)
        self.assertEqual({each["warp"] for run in document["traces"] for each in run["steps"]}, {1})


def same_again(step, following):
    """Whether it is one lane that does the same at the same line once more."""
    def what(each):
        active = [lane["lane"] for lane in each["lanes"] if lane["state"] == "active"]
        return [len(active) == 1, active, *(each.get(key) for key in ("kind", "warp", "file", "line", "memory"))]

    return what(step)[0] and what(step) == what(following)


class SvgTest(unittest.TestCase):
    SVG = "{http://www.w3.org/2000/svg}"

    def pictures_and_traces(self):
        puzzles = ("parallel-max", "average", "dot-product", "prefix-sum", "partition", "vote", "match", "block-sum")
        for puzzle in sample(puzzles, 3):
            for warp_size in (32, 64):
                options = (f"--{puzzle}", "--warp-size", warp_size)
                yield warpz(*options, "--trace", "svg").stdout, trace_json(*options)[0]["traces"]

    @staticmethod
    def arrows_of(traces):
        """Each lane that gets another lane's operand; and where lanes' elements are not in their order, each access."""
        for run_number, run in enumerate(traces):
            steps = run["steps"]
            for number, step in enumerate(steps):
                # Of one lane that does the same again and again the last time is drawn.
                if step["kind"] in ("load", "store") and steps[number + 1:] and same_again(step, steps[number + 1]):
                    continue
                active = [lane for lane in step["lanes"] if lane["state"] == "active"]
                if step["kind"] == "collective" and step["movement"] == "move":
                    for lane in active:
                        if lane["source"] != lane["lane"]:
                            yield (run_number, number, "move", lane["source"], lane["lane"])
                elif "memory" in step:
                    offsets = {lane["index"] - lane["lane"] for lane in active}
                    if len(offsets) > 1 or step["shared"]:
                        for lane in active:
                            yield (run_number, number, "memory", lane["lane"], lane["index"])

    def test_its_arrows_are_the_events(self):
        for picture, traces in self.pictures_and_traces():
            root = xml.etree.ElementTree.fromstring(picture)
            drawn = []
            for run in root.iter(f"{self.SVG}g"):
                if run.get("class") != "run":
                    continue
                for step in run.iter(f"{self.SVG}g"):
                    for arrow in step.findall(f"{self.SVG}path"):
                        if "arrow" not in arrow.get("class", "").split():
                            continue
                        kind, ends = ("move", ("from", "to")) if arrow.get("data-from") else ("memory", ("lane", "index"))
                        drawn.append((int(run.get("data-run")), int(step.get("data-step")), kind,
                                      *(int(arrow.get(f"data-{end}")) for end in ends)))
            self.assertEqual(sorted(drawn), sorted(self.arrows_of(traces)))

    def test_a_scan_covers_all_lanes_from_the_first_on(self):
        for warp_size in (32, 64):
            root = xml.etree.ElementTree.fromstring(warpz("--prefix-sum", "--warp-size", warp_size, "--trace", "svg").stdout)
            (steps,) = [each for each in root if each.get("class") == "run"]
            *earlier, last = (re.findall(r"M(\S+) \S+?H(\S+?)(?=M|$)", each.get("d")) for each in steps.iter()
                              if each.get("class") == "cover")
            self.assertEqual((len(last), len({begin for begin, _ in last})), (warp_size, 1))
            self.assertEqual(len({end for _, end in last}), warp_size)
            for before, after in zip(earlier, [*earlier[1:], last]):
                lengths = [[float(end) - float(begin) for begin, end in lines] for lines in (before, after)]
                self.assertTrue(all(map(float.__le__, *lengths)))

    def texts_of(self, root):
        """Each text that is not turned: its left and right end, its baseline, and what it says."""
        widths, middle = {"title": 8.43, "name": 6.62}, {"lane", "", "undefined", "yes", "race"}
        rows = {text: float(row.get("transform").split()[1].rstrip(")")) for row in root.iter(f"{self.SVG}g")
                if row.get("transform") for text in row.iter(f"{self.SVG}text")}
        for each in root.iter(f"{self.SVG}text"):
            words, look = "".join(each.itertext()), each.get("class") or ""
            if each.get("transform") or not words:
                continue
            length = len(words) * widths.get(look, 5.72)
            before = 1 if "row-label" in look else 0.5 if look.split(" ")[-1] in middle else 0
            left = float(each.get("x")) - before * length
            yield left, left + length, rows[each] if each in rows else float(each.get("y")), words

    def test_no_text_is_over_another(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder, "mine.hip")
            kernel.write_text("__global__ void mine(float* output, const float* input, int size) {\n"
                              "  __shared__ float tile_of_values[64];\n  const int t = threadIdx.x;\n"
                              "  tile_of_values[t] = t < size ? input[t] : 0;\n"
                              "  if (t < size) output[t] = tile_of_values[(t + 1) % 32];\n}\n")
            pictures = [warpz(*options, "--trace", "svg").stdout for options in (
                ("--neighbor", "--kernel", kernel, "--documented-only", "--no-cache"),
                ("--match", "--pattern", "equal", "--warp-size", 64), ("--device-sort", "--steps", "1-30", "--warp-size", 64))]
        pictures += [file.read_text() for file in sorted(SOURCE.glob("puzzles/*/lanes.svg"))]
        for picture in pictures:
            root = xml.etree.ElementTree.fromstring(picture)
            lines = {}
            for left, right, y, words in self.texts_of(root):
                self.assertGreaterEqual(left, 0, words)
                self.assertLessEqual(right, float(root.get("width")) + 1, words)
                lines.setdefault(round(y / 3), []).append((left, right, y, words))
            for line, texts in lines.items():
                near = sorted(texts + lines.get(line + 1, []) + lines.get(line + 2, []))
                for one, other in zip(near, near[1:]):
                    if abs(one[2] - other[2]) < 8:
                        self.assertLessEqual(one[1], other[0] + 0.5, (one, other))

    def test_nothing_in_it_runs_or_comes_from_elsewhere(self):
        for picture, _ in self.pictures_and_traces():
            self.assertEqual(re.findall(r"<script|\bon\w+=|javascript:|@import|<foreignObject|<image|<use", picture), [])
            self.assertEqual(set(re.findall(r"\w+://[^\"' ]*", picture)), {"http://www.w3.org/2000/svg"})
            self.assertEqual(re.findall(r"(?:href|src)=", picture), [])
            self.assertEqual(re.findall(r"url\((?!#)", picture), [])

    def test_lanes_have_their_numbers_once_and_lines_that_lead_down_from_them(self):
        for warp_size, options in ((32, ("--bitonic-sort",)), (64, ("--block-sum",)), (32, ("--neighbor", "--lanes", "4-19"))):
            with self.subTest(options, warp_size=warp_size):
                picture = warpz(*options, "--warp-size", warp_size, "--trace", "svg").stdout
                root = xml.etree.ElementTree.fromstring(picture)
                numbers = {int(each.get("data-lane")): float(each.get("x")) for each in root.iter(f"{self.SVG}text")
                           if each.get("data-lane")}
                self.assertEqual(picture.count(">lane</text>"), 1)
                self.assertEqual(sorted(numbers), list(range(4, 20) if "--lanes" in options else range(warp_size)))
                guide, = (each for each in root.iter(f"{self.SVG}path") if each.get("class") == "guide" and "V" in each.get("d"))
                ends = [tuple(map(float, each)) for each in re.findall(r"M([0-9.]+) ([0-9.]+)V([0-9.]+)", guide.get("d"))]
                # Between the number of an eighth lane and the one before it.
                self.assertEqual([x for x, _, _ in ends],
                                 [(numbers[lane - 1] + numbers[lane]) / 2 for lane in sorted(numbers) if lane % 8 == 0 and lane - 1 in numbers])
                last = max(float(each.get("y")) for step in root.iter(f"{self.SVG}g") if step.get("class") == "step"
                           for each in step.iter(f"{self.SVG}text") if each.get("y"))
                self.assertTrue(all(bottom >= last for _, _, bottom in ends), (ends, last))

    def test_undefined_values_are_hatched_as_far_as_they_go(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder, "mine.hip")
            kernel.write_text("__global__ void mine(float* output, const float* input, int size) {\n"
                              "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                              "  if (i >= 16) return;\n"
                              "  output[i] = __shfl_down_sync(0xffffull, input[i], 1, 16) + __shfl_xor_sync(0xffffull, input[i], 16);\n}\n")
            picture = warpz("--neighbor", "--kernel", kernel, "--documented-only", "--no-cache", "--trace", "svg").stdout
        root = xml.etree.ElementTree.fromstring(picture)
        hatched = [each for each in root.iter(f"{self.SVG}path") if each.get("class") == "undefined" and each.get("data-lane")]
        # What the 16 lanes got from lanes that had returned, and what they stored.
        self.assertEqual(len(hatched), 32)


class OptionTest(unittest.TestCase):
    def test_both_warp_sizes_and_several_puzzles(self):
        document, done = trace_json("--neighbor", "--pair-swap", "--warp-size", "both")
        self.assertEqual([(run["puzzle"], run["warp_size"]) for run in document["traces"]],
                         [("neighbor", 32), ("neighbor", 64), ("pair-swap", 32), ("pair-swap", 64)])
        self.assertIn("OK", done.stderr)

    def test_lanes_and_block(self):
        document, _ = trace_json("--average", "--block", 1, "--lanes", "3,5-7")
        (run,) = document["traces"]
        self.assertEqual(run["block"], [1, 0, 0])
        self.assertEqual([lane["lane"] for lane in run["steps"][0]["lanes"]], [3, 5, 6, 7])
        self.assertEqual([lane["index"] for lane in run["steps"][0]["lanes"]], [35, 37, 38, 39])

    def test_the_value_may_be_left_out(self):
        for words in (["--trace", "--neighbor"], ["--neighbor", "--trace"], ["--neighbor", "--trace=text"]):
            done = warpz(*words)
            self.assertRegex(done.stdout, r"\ATrace of neighbor_difference")
            self.assertRegex(done.stdout, r"OK .*\n\Z")

    def test_what_is_refused(self):
        for words, message in (
                (["--trace", "yes"], "--trace takes"),
                (["--trace", "--check", "off"], "--trace and --check off cannot be combined: the trace shows each access"),
                (["--trace", "--debugger"], "cannot be combined"),
                (["--trace", "--backend", "nvidia"], "only the CPU machine sees the lanes"),
                (["--trace", "--format", "json"], "--trace and --format json cannot be combined: both write to standard output"),
                (["--trace", "--lanes", "7-3"], "--lanes takes"),
                (["--trace", "--lanes", "64"], "--lanes takes"),
                (["--trace", "--block", "1"], "--block 1: the grid has one block, number 0"),
                (["--trace", "--warp", "1"], "--warp 1: a block has one warp, number 0"),
                (["--lanes", "3"], "--lanes works only with --trace"),
                (["-o", "x"], "--trace-file works only with --trace")):
            done = warpz("--neighbor", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertNotIn("Trace of", done.stdout)
            self.assertIn(message, done.stderr)

    def test_a_file_that_cannot_be_written(self):
        done = warpz("--neighbor", "--trace", "-o", "/nowhere/trace.txt")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--trace-file /nowhere/trace.txt", done.stderr)

    @long
    def test_a_kernel_that_does_too_much_is_cut_off(self):
        options = ("--tiled-matmul", "--shape", "16x16x20000")
        document, _ = trace_json(*options)
        (run,) = document["traces"]
        self.assertGreater(run["events_left_out"], 0)
        # A warp at a barrier is one event.
        recorded = sum(lane["state"] == "active" for step in run["steps"] if step["kind"] != "barrier"
                       for lane in step["lanes"])
        self.assertLessEqual(recorded, 1_000_000)
        text = warpz(*options, "--quiet", "--trace").stdout
        self.assertIn(f"\n{run['events_left_out']} further events of lanes were not recorded: a trace holds 1000000\n", text)
        # Who reads on is told how.
        self.assertRegex(text, rf"\nShown: steps 1 to \d+ of {len(run['steps'])}: those of warp 0; --warp and --steps show others\n")
        self.assertEqual(len(re.findall(r"(?m)^ *\d+(?:-\d+)?  ", text)), 200)


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        recorded = {name: digest for name, digest in recorded_digests().items() if name.rpartition("-")[0] in PUZZLES}
        for each in [name for name in sys.argv[1:] if name != "--write"] or PUZZLES:
            for size in (32, 64):
                (GOLDEN / f"{each}-{size}.txt").write_text(trace_text(each, size))
                recorded[f"{each}-{size}"] = json_digest(each, size)
        DIGESTS.write_text("".join(f"{name} {digest}\n" for name, digest in sorted(recorded.items())))
    else:
        main()
