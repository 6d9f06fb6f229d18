#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes, or with --check compares, the files of expected/: what `warpz --<flag>` prints, from the models alone."""

import argparse
import pathlib
import sys

from floats import f32, text
from puzzles import PUZZLES

WARP_SIZES = (32, 64)
ROOT = pathlib.Path(__file__).resolve().parents[2]


LONGEST_LIST = 1024  # of a longer one the ends are printed


def listed(numbers):
    is_long = len(numbers) > LONGEST_LIST
    words = [text(f32(number)) for number in (numbers[:3] + numbers[-3:] if is_long else numbers)]
    if is_long:
        words.insert(3, "...")
    return "[" + ", ".join(words) + "]"


def printed(puzzle, warp_size):
    """The whole output of a passing run on the documented input."""
    size = puzzle.size(warp_size)
    x = puzzle.numbers(size)
    numbers = listed(puzzle.expected(x, warp_size))
    if puzzle.boxed:
        numbers = f"HostBuffer({numbers})"
    lines = [
        f"WARP_SIZE:  {warp_size}",
        f"{puzzle.label}:  {size}",
        f"output: {numbers}",
        f"expected: {numbers}",
    ]
    if puzzle.pivot is not None:
        lines.append(f"pivot: {text(puzzle.pivot)}")
    if puzzle.shape is not None:
        lines.append(f"shape: {'x'.join(map(str, puzzle.shape))}")
    if puzzle.path is not None:
        lines.append(f"path: {puzzle.path}")
    lines.append(f"OK {puzzle.title} test passed!")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file differs")
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / "expected")
    arguments = parser.parse_args()

    due = {
        arguments.directory / f"warp{warp_size}" / f"{flag}.txt": printed(puzzle, warp_size).encode()
        for warp_size in WARP_SIZES
        for flag, puzzle in PUZZLES.items()
    }
    if not arguments.check:
        for path, content in due.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return 0

    wrong = [path for path, content in due.items() if not path.is_file() or path.read_bytes() != content]
    folders = {path.parent for path in due}
    unknown = [path for folder in folders if folder.is_dir() for path in folder.iterdir() if path not in due]
    for path in sorted(wrong):
        print(f"{path}: not what the model prints", file=sys.stderr)
    for path in sorted(unknown):
        print(f"{path}: no puzzles/*/model.py is for it", file=sys.stderr)
    if not wrong and not unknown:
        print(f"{len(due)} files are what the models print")
    return 1 if wrong or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
