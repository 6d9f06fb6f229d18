#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--counters: random accesses against a model that knows nothing of the machine, cases counted by hand, and options."""

import csv
import json
import pathlib
import random
import sys
import unittest

from counters_support import CountersTest, on_buffers
from kernel_support import RUNTIME
from sampling import FULL
from skips import main

try:
    import jsonschema
except ImportError:
    jsonschema = None

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/models"))
import lane_costs

THREADS = 100  # the last warp is not full
ELEMENTS = 1024
TYPES = {1: "char", 2: "short", 4: "int", 8: "long long", 16: "int4"}
DOCUMENTED = ("neighbor", "average", "broadcast-basic", "broadcast-conditional", "broadcast-shuffle-coordination",
              "pair-swap", "parallel-max", "conditional-max", "prefix-sum", "partition")
COUNTS = ("instructions", "lanes", "needed", "fewest", "cache_lines")


def transpose(padding):
    return f"""{RUNTIME}constexpr int n = 32;
__global__ void transpose(float* out, const float* in) {{
  __shared__ float tile[n][n + {padding}];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}}
int main() {{
  float *out, *in;
  if (hipMalloc(&out, n * n * 4) != hipSuccess || hipMalloc(&in, n * n * 4) != hipSuccess) return 1;
  if (hipMemset(in, 0, n * n * 4) != hipSuccess) return 1;
  transpose<<<1, dim3(n, n)>>>(out, in);
  return hipFree(out) != hipSuccess || hipFree(in) != hipSuccess;
}}
"""


def random_indices(draw):
    """The element that each thread accesses; none where it does not."""
    kind = draw.choice(["stride", "permutation", "broadcast", "random", "few", "exclusive or", "reversed"])
    first, stride = draw.randrange(64), draw.choice([1, 1, 2, 3, 4, 5, 7, 8])
    order = draw.sample(range(ELEMENTS), THREADS)
    index = {
        "stride": lambda i: first + i * stride, "permutation": lambda i: order[i], "broadcast": lambda i: first,
        "random": lambda i: draw.randrange(ELEMENTS), "few": lambda i: 32 * draw.randrange(4) + first,
        "exclusive or": lambda i: i ^ first, "reversed": lambda i: first + THREADS - i,
    }[kind]
    mask = draw.choice([lambda i: True, lambda i: True, lambda i: draw.random() < 0.6, lambda i: i % 8 == 3,
                        lambda i: i < 41, lambda i: i == first])
    return {i: index(i) for i in range(THREADS) if mask(i)}


class Case:
    """One line of a kernel that accesses memory once, or once in each round of a loop."""

    def __init__(self, draw, number):
        self.number = number
        self.size = draw.choice(list(TYPES))
        self.is_shared = draw.random() < 0.5
        self.kind = draw.choice(["load", "load", "store", "atomic", "loop"])
        if self.kind in ("atomic", "loop"):
            self.size = 4
        self.indices = random_indices(draw)
        if self.kind == "loop":
            self.indices = {thread: index % 6 for thread, index in self.indices.items()}  # the number of rounds

    @property
    def table(self):
        return [self.indices.get(thread, -1) for thread in range(THREADS)]

    @property
    def code(self):
        memory = f"{'shared' if self.is_shared else 'global'}{self.size}"
        at = f"at{self.number}"
        return {
            "load": f"if ({at} >= 0) {{ const {TYPES[self.size]} it = {memory}[{at}]; sum += SUM{self.size}(it); }}",
            "store": f"if ({at} >= 0) {memory}[{at}] = ALL{self.size}({at});",
            "atomic": f"if ({at} >= 0) atomicAdd(&{memory}[{at}], 1);",
            "loop": f"for (int k = 0; k < {at}; ++k) sum += {memory}[k * 128 + threadIdx.x];",
        }[self.kind]

    def expected(self, warp_size):
        rounds = [self.indices]
        if self.kind == "loop":
            rounds = [{i: k * 128 + i for i, trips in self.indices.items() if k < trips} for k in range(6)]
        total = dict.fromkeys(COUNTS, 0)
        serial = 0
        for indices in rounds:
            addresses = {thread: index * self.size for thread, index in indices.items()}
            one = lane_costs.cost(addresses, self.size, warp_size, self.is_shared, self.kind == "store")
            total = {key: None if one[key] is None else total[key] + one[key] for key in COUNTS}
            serial += sum(map(lane_costs.serial_steps, lane_costs.warps(addresses, warp_size)))
        return {**total, "bytes": self.size, "serial": serial if self.kind == "atomic" else None}


def random_program(cases):
    """Its text, and the line of each case."""
    globals_ = ", ".join(f"{type_}* global{size}" for size, type_ in TYPES.items())
    lines = [
        "#include <hip/hip_runtime.h>",
        *(f"#define SUM{size}(it) static_cast<int>(it)" for size in (1, 2, 4, 8)),
        *(f"#define ALL{size}(it) static_cast<{TYPES[size]}>(it)" for size in (1, 2, 4, 8)),
        "#define SUM16(it) it.x + it.y + it.z + it.w",
        "#define ALL16(it) make_int4(it, it, it, it)",
        f"__global__ void accesses(const int* table, int* result, {globals_}) {{",
        *(f"  __shared__ {type_} shared{size}[{ELEMENTS}];" for size, type_ in TYPES.items()),
        f"  for (int i = threadIdx.x; i < {ELEMENTS}; i += {THREADS}) {{",
        *(f"    shared{size}[i] = ALL{size}(i);" for size in TYPES),
        "  }",
        "  int sum = 0;",
    ]
    places = []
    for case in cases:
        lines.append(f"  const int at{case.number} = table[{case.number * THREADS} + threadIdx.x];")
        lines.append("  __syncthreads();")
        lines.append("  " + case.code)
        places.append(len(lines))
    lines += ["  result[threadIdx.x] = sum;", "}"]
    lines.append("const int numbers[] = {" + ", ".join(str(each) for case in cases for each in case.table) + "};")
    lines += ["int main() {", "  int *table, *result;", "  (void)hipMalloc(&table, sizeof numbers);",
              f"  (void)hipMalloc(&result, {THREADS * 4});",
              "  (void)hipMemcpy(table, numbers, sizeof numbers, hipMemcpyHostToDevice);"]
    for size, type_ in TYPES.items():
        lines.append(f"  {type_}* global{size}; (void)hipMalloc(&global{size}, {ELEMENTS * size});")
        lines.append(f"  (void)hipMemset(global{size}, 0, {ELEMENTS * size});")
    arguments = ", ".join(f"global{size}" for size in TYPES)
    lines += [f"  accesses<<<1, {THREADS}>>>(table, result, {arguments});", "  return hipDeviceSynchronize();", "}"]
    return "\n".join(lines) + "\n", places


class Counters(CountersTest):
    def test_random_accesses_cost_what_the_model_says(self):
        seed = 20261124
        draw = random.Random(seed)
        cases = [Case(draw, number) for number in range(90 if FULL else 30)]
        program, places = random_program(cases)
        options = ["--warp-size", "both", "--leaks", "off"]
        for warp_size, costs in zip((32, 64), self.run_of(program, *options)):
            self.assertEqual(costs["left_out"], 0)
            for case, line in zip(cases, places):
                memory = "shared" if case.is_shared else "global"
                kind = "load" if case.kind == "loop" else case.kind
                found = self.rows(costs["kernels"][0], line, kind=kind, memory=memory)
                expected = case.expected(warp_size)
                if expected["instructions"] == 0:
                    self.assertEqual(found, [], case.code)
                    continue
                with self.subTest(code=case.code, warp_size=warp_size, indices=case.table):
                    self.assertEqual(len(found), 1)
                    self.assertEqual({key: found[0][key] for key in expected}, expected)

    def test_a_transpose_conflicts_without_padding_and_not_with_it(self):
        # Rows of 32 words: a column is one bank. 32 warps, or 16 of 64 lanes that take two passes at best.
        for padding, needed in ((0, 1024), (1, 32)):
            for costs in self.run_of(transpose(padding), "--warp-size", "both"):
                lanes = 32 if costs["rules"] == "nvidia" else 64
                self.assertEqual(self.counts(costs, "tile[threadIdx.x]"), {
                    ("load", "shared"): (needed, 32),
                    ("store", "global"): (128, 128) if lanes == 32 else (64, 64),
                })
                self.assertEqual(self.counts(costs, "= in["), {
                    ("store", "shared"): (32, 32), ("load", "global"): (128, 128) if lanes == 32 else (64, 64)})
                total = costs["kernels"][0]["total"]
                self.assertEqual(total["shared"], {"passes": needed + 32, "fewest": 64})
                self.assertEqual((total["barriers"], total["collectives"]), (1024 // lanes, 0))
                advice = [row["advice"] for row in costs["kernels"][0]["lines"] if row["advice"]]
                self.assertEqual(advice, [] if padding else
                                 ["32-way bank conflict: lanes are 128 bytes apart; pad each row by one element"])

    def test_the_readmes_example_is_what_is_printed(self):
        example = (SOURCE / "README.md").read_text().partition("$ scripts/warpz --run transpose.hip --counters\n")[2]
        self.write(transpose(0), "transpose.hip")
        done = self.warpz("--run", "transpose.hip", "--counters")
        self.assertEqual(done.stderr, example.partition("```")[0] + "warpz: nothing found\n")

    def test_strides_misalignment_broadcast_and_atomics(self):
        kernels = """
__global__ void mine(int* a, const int* b) {
  int sum = b[threadIdx.x * 8];
  sum += b[threadIdx.x + 1];
  sum += b[blockIdx.x];
  if (threadIdx.x < 8) sum += b[threadIdx.x * 64];
  atomicAdd(&a[0], sum);
  atomicMax(reinterpret_cast<float*>(a) + 64 + threadIdx.x % 4, 1.0f);
  unsafeAtomicAdd(reinterpret_cast<float*>(a) + 128 + threadIdx.x, 1.0f);
}"""
        runs = self.run_of(on_buffers(kernels, "mine<<<1, 64>>>(a, b);"), "--warp-size", "both")
        # The same for a warp of 32 and sectors of 32 bytes as for one of 64 and requests of 64.
        per_warp = {"* 8]": (32, 4), "+ 1]": (5, 4), "[blockIdx.x]": (1, 1)}
        for costs, warps in zip(runs, (2, 1)):
            for code, (needed, fewest) in per_warp.items():
                self.assertEqual(self.counts(costs, code)["load", "global"], (needed * warps, fewest * warps), code)
            self.assertEqual(self.counts(costs, "* 64]")["load", "global"], (8, 1))
            rows = {row["code"].split("(")[0].strip(): row for row in costs["kernels"][0]["lines"]
                    if row["kind"] == "atomic"}
            lanes = 64 // warps
            self.assertEqual(rows["atomicAdd"]["serial"], 64)
            self.assertIn(f"{lanes} of {lanes} lanes change one address", rows["atomicAdd"]["advice"])
            self.assertEqual(rows["atomicMax"]["serial"], 16)
            self.assertEqual((rows["unsafeAtomicAdd"]["serial"], rows["unsafeAtomicAdd"]["instructions"]),
                             (warps, warps))
            # Each is one instruction, however the machine carries it out.
            self.assertEqual(costs["kernels"][0]["total"]["atomics"]["instructions"], 3 * warps)

    def test_lanes_that_meet_alone_do_not_part_from_the_others(self):
        kernels = """
__global__ void mine(int* a, const int* b) {
  int v = b[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_xor_sync(0xffffull, v, 1);
  a[threadIdx.x] = v;
  if (threadIdx.x % 2 == 0) v += __ballot(1) != 0;
  a[threadIdx.x + 64] = v;
}"""
        costs, = self.run_of(on_buffers(kernels, "mine<<<1, 32>>>(a, b);"), "--rules", "amd")
        found = {row["line"]: (row["kind"], row["instructions"], row["lanes"]) for row in costs["kernels"][0]["lines"]}
        first = min(found)
        self.assertEqual({line - first: row for line, row in found.items()},
                         {0: ("load", 1, 32), 1: ("collective", 1, 16), 2: ("store", 1, 32),
                          3: ("collective", 1, 16), 4: ("store", 1, 32)})

    def test_launches_and_blocks_are_summed_by_kernel(self):
        kernels = """
__global__ void one(int* a, const int* b) { a[blockIdx.x * 32 + threadIdx.x] = b[threadIdx.x]; }
__global__ void two(int* a, const int* b) { a[threadIdx.x] = b[threadIdx.x]; }"""
        launches = "for (int i = 0; i < 3; ++i) one<<<4, 32>>>(a, b); two<<<1, 32>>>(a, b);"
        costs, = self.run_of(on_buffers(kernels, launches))
        one, two = costs["kernels"]
        self.assertEqual((one["kernel"], one["launches"], one["blocks"]), ("one", 3, 12))
        self.assertEqual((two["kernel"], two["launches"], two["blocks"]), ("two", 1, 1))
        self.assertEqual(one["total"]["global"], {"transactions": 12 * 8, "fewest": 12 * 8, "cache_lines": 12 * 2})
        self.assertEqual(two["total"]["global"], {"transactions": 8, "fewest": 8, "cache_lines": 2})

    def test_what_has_no_room_is_told(self):
        kernels = """
__global__ void mine(int* a, const int* b) {
  int sum = 0;
  for (int i = 0; i < (1 << 18) + 10; ++i) sum += b[(i + threadIdx.x) % 4096];
  a[threadIdx.x] = sum;
}"""
        costs, = self.run_of(on_buffers(kernels, "mine<<<1, 2>>>(a, b);"))
        self.assertEqual(costs["left_out"], 2 * 10 + 2)
        self.assertEqual(costs["kernels"][0]["lines"][0]["instructions"], 1 << 18)
        done = self.warpz("--run", "mine.hip", "--counters")
        self.assertIn("not counted: 22 accesses of lanes, for which there was no room\n", done.stderr)

    def test_puzzles(self):
        # A buffer begins with a sector, wherever the machine has it: 32 floats are four, and 4 are one.
        done = self.warpz("--average", "--size", "36", "--counters", "--format", "json")
        run = json.loads(done.stdout)["runs"][0]
        self.assertEqual(run["verdict"], "passed")
        total = run["costs"]["kernels"][0]["total"]
        self.assertEqual(total["global"], {"transactions": 10, "fewest": 10, "cache_lines": 4})
        self.assertEqual(total["shared"], {"passes": 0, "fewest": 0})
        for lanes, steps in ((32, 5), (64, 6)):
            done = self.warpz("--prefix-sum", "--warp-size", lanes, "--counters", "--format", "json")
            kernel = json.loads(done.stdout)["runs"][0]["costs"]["kernels"][0]
            self.assertEqual(kernel["total"]["collectives"], steps)

    def test_tuned_kernels_access_four_elements_at_once(self):
        for lanes in (32, 64):
            done = self.warpz("--partition", "--variant", "tuned", "--warp-size", lanes, "--counters", "--format", "json")
            kernel, = json.loads(done.stdout)["runs"][0]["costs"]["kernels"]
            found = {(row["kind"], row["memory"]): (row["instructions"], row["bytes"]) for row in kernel["lines"]
                     if row["memory"] == "global"}
            # The documented size is a warp's: a quarter of the lanes have four elements each, all others none.
            self.assertEqual(found, {("load", "global"): (1, 16), ("store", "global"): (1, 16)})
            self.assertEqual(kernel["total"]["global"]["transactions"], kernel["total"]["global"]["fewest"])
            self.assertIn(16, [row["bytes"] for row in kernel["lines"] if (row["kind"], row["memory"]) == ("load", "shared")])

    def test_amds_example_of_bank_conflicts(self):
        # ROCm Compute Profiler's page of examples has what an MI250 measures for one launch of each number of threads:
        # so many cycles, two of which are no conflict.
        kernels = """
__global__ void conflicts(int* a, const int*) {
  __shared__ int words[256 * 32];
  for (int i = threadIdx.x; i < 256 * 32; i += blockDim.x) words[i] = i;
  __syncthreads();
  a[threadIdx.x] = words[threadIdx.x * 32];
}"""
        for threads in (1, 2, 20):
            costs, = self.run_of(on_buffers(kernels, f"conflicts<<<1, {threads}>>>(a, b);"), "--warp-size", 64)
            self.assertEqual(self.counts(costs, "words[threadIdx.x * 32]")["load", "shared"], (threads + 1, 2))

    def test_a_kernel_of_ones_own_is_counted_once(self):
        self.write(
            "__global__ void mine(float* output, const float* input, int size) {\n"
            "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  const float mine = i < size ? input[i] : 0.0f;\n"
            "  const float next = __shfl_down(mine, 1);\n"
            "  if (i < size) output[i] = i + 1 < size ? next - mine : 0.0f;\n}\n", "mine.hip")
        done = self.warpz("--neighbor", "--kernel", "mine.hip", "--counters")
        self.assertEqual(done.returncode, 0, done.stderr)
        table = done.stdout[done.stdout.index("Costs of mine: 1 launch, 1 block, 32 lanes in a warp, by NVIDIA's rules"):]
        self.assertEqual(table.split("\n\n")[1], """\
  executed  lanes    needed    fewest
mine.hip:3  const float mine = i < size ? input[i] : 0.0f;
         1   32.0         4         4  load, global: transactions
mine.hip:4  const float next = __shfl_down(mine, 1);
         1   32.0                      __shfl_down: collective
mine.hip:5  if (i < size) output[i] = i + 1 < size ? next - mine : 0.0f;
         1   32.0         4         4  store, global: transactions
in all
  shared memory  not accessed
  global memory  8 transactions of 32 bytes, 8 at best; 2 cache lines of 128 bytes
  instructions   1 collective, 0 barriers, 0 atomics; 100.0 % of the lanes are active
""")

    def test_of_a_kernel_that_was_stopped_nothing_is_told(self):
        self.write("__global__ void mine(float* output, const float* input, int size) {\n"
                   "  if (threadIdx.x == 3) return;\n"
                   "  output[threadIdx.x] = __shfl_down(input[threadIdx.x], 1);\n}\n", "mine.hip")
        done = self.warpz("--neighbor", "--kernel", "mine.hip", "--counters")
        self.assertEqual((done.returncode, "Costs of" in done.stdout), (3, False))
        done = self.warpz("--neighbor", "--kernel", "mine.hip", "--counters", "--format", "json")
        self.assertIsNone(json.loads(done.stdout)["runs"][0]["costs"])

    def test_with_a_trace(self):
        done = self.warpz("--neighbor", "--counters", "--trace", "text")
        self.assertIn("Trace of neighbor_difference", done.stdout)
        self.assertIn("Costs of neighbor_difference: 1 launch, 1 block,", done.stdout)

    def test_an_h100_measures_the_same(self):
        measured = {}
        with open(SOURCE / "tests/gpu/costs.csv", encoding="utf-8") as table:
            for row in csv.DictReader(table):
                pattern = (row["stride"], row["offset"], row["flipped"], row["active"])
                measured.setdefault(pattern, {})[row["kernel"], int(row["bytes"])] = int(row["measured"])
        self.assertEqual(len(measured), 15)
        self.write((SOURCE / "tests/gpu/costs.hip").read_text(), "costs.hip")
        differences = {}
        for pattern, figures in measured.items():
            done = self.warpz("--run", "costs.hip", "--counters", "--format", "json", "--",
                              *pattern)
            counted = {}
            for kernel in json.loads(done.stdout)["runs"][0]["costs"]["kernels"]:
                name = kernel["kernel"].rstrip("0123456789")
                memory, _, kind = name.partition("_")
                row, = (row for row in kernel["lines"] if row["memory"] == memory and row["kind"] == kind)
                counted[name, row["bytes"]] = row["needed"]
            self.assertEqual(counted.keys(), figures.keys())
            differences.update({(pattern, key): (counted[key], figures[key])
                                for key in counted if counted[key] != figures[key]})
        broadcast = ("0", "7", "0", "32")
        self.assertEqual(differences, {(broadcast, ("shared_load", 8)): (2, 1), (broadcast, ("shared_load", 16)): (4, 2)})

    def test_the_readmes_table_is_what_is_counted(self):
        text = (SOURCE / "README.md").read_text()
        table = text.partition("| puzzle | the Mojo GPU Puzzles say |")[2].partition("\n\n")[0].splitlines()[2:]
        rows = {cells[0]: cells[2:] for cells in ([cell.strip() for cell in row.strip("|").split("|")] for row in table)}
        self.assertEqual(list(rows), list(DOCUMENTED))
        for puzzle, cells in rows.items():
            with self.subTest(puzzle=puzzle):
                self.assertEqual(cells, self.counted_cells(puzzle))

    def counted_cells(self, puzzle):
        """The README's row for it: what one warp does, with 32 / 64 lanes. Each block is a warp."""
        def totals(which):
            for lanes in (32, 64):
                done = self.warpz(f"--{puzzle}", "--variant", which, "--warp-size", lanes, "--counters", "--format", "json")
                runs = json.loads(done.stdout)["runs"]
                if not runs:
                    return
                kernel, = runs[0]["costs"]["kernels"]
                yield kernel["total"], kernel["blocks"], lanes

        def cell(counted, value):
            return " / ".join(str(value(*each)) for each in counted)

        own, traditional = list(totals("warp")), list(totals("shared"))
        through_shared = "–" if not traditional else ", ".join((
            cell(traditional, lambda total, warps, _: total["shared"]["passes"] // warps) + " passes",
            cell(traditional, lambda total, warps, _: (total["shared"]["passes"] - total["shared"]["fewest"]) // warps)
            + " for conflicts",
            cell(traditional, lambda total, warps, _: total["barriers"] // warps) + " barriers"))
        return [
            cell(own, lambda total, warps, _: total["collectives"] // warps),
            cell(own, lambda total, warps, _:
                 f"{total['global']['transactions'] // warps} ({total['global']['fewest'] // warps})"),
            cell(own, lambda total, warps, _: total["shared"]["passes"] // warps),
            cell(own, lambda total, _, lanes: f"{round(100 * total['lanes'] / total['instructions'] / lanes)} %"),
            through_shared,
        ]

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
    def test_schema(self):
        schema = json.loads((SOURCE / "docs/output.schema.json").read_text())
        for options in (["--average", "--variant", "shared", "--counters"], ["--average"]):
            done = self.warpz(*options, "--format", "json")
            document = json.loads(done.stdout)
            jsonschema.validate(document, schema)
            if "--counters" not in options:
                self.assertIsNone(document["runs"][0]["costs"])

    def test_options_that_do_not_go_together(self):
        for options, words in ((["--quiet"], "--counters and --quiet cannot be combined"),
                               (["--check", "off"], "--counters and --check off cannot be combined: each access is counted"),
                               (["--backend", "amd"], "only the CPU machine counts")):
            done = self.warpz("--neighbor", "--counters", *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    main()
