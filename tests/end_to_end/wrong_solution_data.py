# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The data that the wrong kernels of tests/corpus/wrong_solutions name in their comments."""

import re

from puzzle_runs import PUZZLES, WARP_SIZES, Data, adversarial, documented, random_data, typed

import adversarial as inputs_of  # tests/models, found through puzzle_runs

# Numbers by their name, for a warp size. All other names are those of tests/models/adversarial.py.
NUMBERS = {
    "200 times the same": lambda warp_size: [2.5] * 200,
    "both zeros": lambda warp_size: [(0.0, -0.0, 1.0)[i % 3] for i in range(warp_size + 5)],
    "counting on": lambda warp_size: [float(i + 1) for i in range(3 * warp_size + 5)],
    "falling halves": lambda warp_size: [-0.5 - i for i in range(200)],
    "many thirds": lambda warp_size: inputs_of.thirds(500),
    "one in the first warp": lambda warp_size: [9.0] + [0.5] * 127,
    "opposites": lambda warp_size: [-3.0, 3.0, 2.0, 1.0, -1.0],
}


def shaped(m, n, k, warp_size):
    """The documented pattern in matrices of this shape."""
    shape = f"{m}x{n}x{k}"
    numbers = PUZZLES["tiled-matmul"].numbers(m * k + k * n)
    return Data(f"--shape {shape}", warp_size, ("--shape", shape), given=tuple(numbers))


def _for_warp_size(name, warp_size):
    if name == "documented":
        return documented(warp_size)
    if name in NUMBERS:
        return typed(name, NUMBERS[name](warp_size), warp_size)
    if match := re.fullmatch(r"--random (\d+) --size (\d+)", name):
        return random_data(int(match[1]), int(match[2]), warp_size)
    if match := re.fullmatch(r"--shape (\d+)x(\d+)x(\d+)", name):
        return shaped(*map(int, match.groups()), warp_size)
    counts = {"one element more than a warp": warp_size + 1, "two warps": 2 * warp_size}
    return adversarial(f"{counts[name]} random numbers" if name in counts else name, warp_size)


def data_named(name):
    """The data of this name: for both warp sizes, or for the one that it ends with, as in "documented (64 lanes)"."""
    name, only = re.fullmatch(r"(.*?)(?: \((32|64) lanes\))?", name).groups()
    return [_for_warp_size(name, warp_size) for warp_size in WARP_SIZES if only in (None, str(warp_size))]
