#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What belongs in a puzzle's output, from the models alone: for numbers of your own, or for a run of warpz.

    echo '{"puzzle": "average", "warp_size": 64, "input": [1, 2, 4.5]}' | tests/models/model.py
    warpz --all --random 7 --format json | tests/models/model.py
    warpz --partition --input FILE --format json | tests/models/model.py --numbers FILE

The first prints {"expected": [...]}; "pivot" may be given too. The others print one line per run, and the exit code is
1 if an output, an expected list or a verdict of warpz is not what the model says."""

import argparse
import json
import math
import pathlib
import sys

from floats import f32, text
from puzzles import PUZZLES
from splitmix import random_numbers


def as_float(number):
    """A number of warpz's JSON: those that JSON has no spelling for are strings. None: no lane has written it."""
    return None if number is None else f32(float(number))


def as_json(number):
    """A number as warpz's JSON has it."""
    return float(text(number)) if math.isfinite(number) else text(number)


def numbers_of(run, given):
    """What a run worked on, known without asking warpz; `given` is the content of its input file, if it had one."""
    size, source = run["size"], run["input"]["source"]
    if source == "documented":
        return PUZZLES[run["puzzle"]].numbers(size)
    if source == "random":
        return random_numbers(run["input"]["seed"], size)
    if given is None:
        raise SystemExit("model.py: this run had an input file; --numbers FILE names it")
    return given[:size]


def complaints(run, x):
    """What is wrong with a run over the numbers x, one sentence each."""
    puzzle, warp_size, pivot = PUZZLES[run["puzzle"]], run["warp_size"], as_float(run["pivot"])
    if run["size"] != len(x):
        return [f"its size is {run['size']}, and there are {len(x)} numbers"]
    told = []
    shape = run["shape"] and (run["shape"]["m"], run["shape"]["n"], run["shape"]["k"])
    # By their text: the two zeros are equal numbers.
    same = json.dumps(run["expected"]) == json.dumps(run["output"])
    for name in ("expected", "output"):
        if name == "output" and run["verdict"] == "broken_rule":
            continue
        if name == "expected" or not same:
            numbers = [as_float(number) for number in run[name]]
            wrong = puzzle.differences(numbers, x, warp_size, pivot, shape)
        if name == "expected" and wrong:
            told.append(f"{len(wrong)} expected elements are wrong, the first at {wrong[0]}: {numbers[wrong[0]]}")
        if name == "output" and run["mismatch_count"] != len(wrong):
            told.append(f"{len(wrong)} elements of the output are wrong, and warpz counts {run['mismatch_count']}")
        if name == "output" and run["verdict"] != ("wrong_result" if wrong else "passed"):
            told.append(f"the verdict is {run['verdict']}, and {len(wrong)} elements of the output are wrong")
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", type=pathlib.Path, metavar="FILE", help="the text file that was warpz's input")
    arguments = parser.parse_args()
    given = None
    if arguments.numbers:
        given = [f32(float(word)) for word in arguments.numbers.read_text().replace(",", " ").split()]

    document = json.load(sys.stdin)
    if "runs" not in document:
        puzzle = PUZZLES[document["puzzle"]]
        x = [as_float(number) for number in document["input"]]
        expected = puzzle.expected(x, document["warp_size"], as_float(document.get("pivot")))
        print(json.dumps({"expected": [as_json(number) for number in expected]}))
        return 0
    failed = False
    for run in document["runs"]:
        told = complaints(run, numbers_of(run, given))
        failed = failed or bool(told)
        judged = "; ".join(told) or "as the model says"
        print(f"{run['puzzle']}, {run['warp_size']} lanes, {run['size']} elements: {judged}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
