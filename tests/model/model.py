#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a puzzle's output must be for any input, one number a line.

    model.py --puzzle average --warp-size 64 < numbers
    model.py --puzzle partition --warp-size 32 --pivot 2.5 < numbers

Numbers are separated by blanks, commas or lines, and are rounded to 32-bit floats. With --tolerance a second
column tells how far a right output may be away.
"""

import argparse
import sys

from floats import f32, text
from puzzles import PUZZLES, Case


def read_numbers(stream):
    return [f32(float(word)) for word in stream.read().replace(",", " ").split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzle", required=True, choices=PUZZLES)
    parser.add_argument("--warp-size", type=int, default=32, choices=(32, 64))
    parser.add_argument("--pivot", type=float, help="default: the documented one")
    parser.add_argument("--documented", type=int, metavar="N", help="the documented input of N elements, not stdin")
    parser.add_argument("--input", action="store_true", help="print the input instead of what must come out")
    parser.add_argument("--tolerance", action="store_true")
    arguments = parser.parse_args()

    puzzle = PUZZLES[arguments.puzzle]
    x = read_numbers(sys.stdin) if arguments.documented is None else puzzle.numbers(arguments.documented)
    if not x:
        parser.error("there is no number to work on")
    if arguments.input:
        print("\n".join(text(number) for number in x))
        return
    pivot = puzzle.pivot if arguments.pivot is None else f32(arguments.pivot)
    case = Case(x, arguments.warp_size, pivot)
    for i, number in enumerate(puzzle.expected(x, arguments.warp_size, pivot)):
        line = text(number)
        if arguments.tolerance:
            line += f" {puzzle.tolerance(case, i, number)!r}"
        print(line)


if __name__ == "__main__":
    main()
