# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose result may depend on the size of their blocks, within their __launch_bounds__. What is right comes from
computing their results in blocks of every size."""

import dataclasses
import json
import os
import pathlib
import subprocess

from batch import HEAD

BLOCK = "blockDim.x"


@dataclasses.dataclass(frozen=True)
class Term:
    """A part of each element: `factor` times the index made with `block` for the block's size; or its remainder by, or
    its quotient by, a number."""
    form: str  # of FORMS
    block: object  # BLOCK, or a number in its place
    number: int
    factor: int


FORMS = {
    "index": ("(blockIdx.x * {b} + threadIdx.x)", lambda block, thread, size, number: block * size + thread),
    "part": ("(threadIdx.x + {b}) % {n}", lambda block, thread, size, number: (thread + size) % number),
    "round": ("(blockIdx.x * {b} + threadIdx.x) / {n}", lambda block, thread, size, number: (block * size + thread) // number),
}


@dataclasses.dataclass(frozen=True)
class Blocks:
    warp_size: int
    most_warps: int  # of __launch_bounds__
    size: int
    terms: tuple

    def results(self):
        """What comes out in blocks of each size."""
        return {self.result(warps * self.warp_size) for warps in range(1, self.most_warps + 1)}

    def result(self, threads):
        def of(term, i):
            block = threads if term.block == BLOCK else term.block
            return term.factor * FORMS[term.form][1](i // threads, i % threads, block, term.number)

        return tuple(sum(of(term, i) for term in self.terms) for i in range(self.size))

    def text(self, _):
        lines = [f"__global__ void __launch_bounds__({self.most_warps * self.warp_size})",
                 "    kernel_under_test(float* output, const float* input, int size) {",
                 "  const int i = blockIdx.x * blockDim.x + threadIdx.x;", "  if (i >= size) return;", "  int sum = 0;"]
        for term in self.terms:
            index = FORMS[term.form][0].format(b=term.block, n=term.number)
            lines.append(f"  sum += {term.factor} * static_cast<int>({index});")
        return lines + ["  output[i] = sum;", "}"]


def random_blocks(rng, warp_size):
    most_warps = rng.randint(2, 256 // warp_size)

    def term():
        block = rng.choice((BLOCK, BLOCK, BLOCK, warp_size, most_warps * warp_size))
        return Term(rng.choice(tuple(FORMS)), block, rng.choice((2, 4, 16, warp_size, 3, 2 * warp_size)), rng.randint(1, 9))

    return Blocks(warp_size, most_warps, rng.randint(1, 3 * most_warps * warp_size),
                  tuple(term() for _ in range(rng.randint(1, 3))))


class KernelBatch:
    """Kernels in a folder of their own, each of them run as one of a puzzle, in blocks of all sizes."""

    def __init__(self, program, folder, cases, warp_size, prelude="", options=()):
        self.program, self.folder, self.cases, self.warp_size = program, pathlib.Path(folder), cases, warp_size
        self.options = options
        self.folder.mkdir(parents=True, exist_ok=True)
        for number, case in enumerate(cases):
            (self.folder / f"c{number}.hip").write_text(HEAD + prelude + "\n".join(case.text("")) + "\n")

    def kinds(self, numbers, options=()):
        """The kinds and severities of the findings of these cases, by their numbers."""
        found = {}
        for number in numbers:
            words = [self.program, "--neighbor", "--kernel", f"c{number}.hip", "--format", "json", "--documented-only",
                     "--warp-size", str(self.warp_size), "--backend", "cpu", "--size", str(self.cases[number].size),
                     *self.options, *options]
            done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  check=False, env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")})
            document = json.loads(done.stdout)
            if document["error"]:
                raise SystemExit(f"{self.folder}/c{number}.hip: {document['error']['message']}\n{done.stderr[:2000]}")
            told = [(each["kind"], each["severity"]) for run in document["runs"] for each in run["findings"]
                    if each["kind"] != "warp_size_assumption"]
            if told:
                found[number] = told
        return found

    def all_kinds(self, alone=True):
        """The same of every case."""
        return self.kinds(range(len(self.cases)))
