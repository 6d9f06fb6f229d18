# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All puzzles by their names, in warpz's order: each puzzles/NAME/model.py, which is found by itself."""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "puzzles"


def number(file):
    """The puzzle's place among all, which only puzzle.cpp has."""
    return int(re.search(r"\.number = (\d+),", (file.parent / "puzzle.cpp").read_text())[1])


def puzzle_in(file):
    """Read as text: an import would leave compiled files in the puzzle's folder."""
    names = {}
    exec(compile(file.read_text(), file, "exec"), names)
    return names["PUZZLE"]


PUZZLES = {file.parent.name: puzzle_in(file) for file in sorted(FOLDER.glob("*/model.py"), key=number)}
