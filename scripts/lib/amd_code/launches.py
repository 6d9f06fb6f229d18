# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How each puzzle's kernel is launched: the grid, the block and the arguments, asked of the program itself, which says
so in its JSON (`launch` in docs/output.schema.json). Nothing here knows a puzzle."""

import json
import os
import subprocess
import threading
from dataclasses import dataclass

from .problem import TOOL_MISSING, Problem
from .toolchain import SOURCE

SECONDS = 600  # scripts/warpz builds the program first, where it has to


@dataclass(frozen=True)
class Plan:
    """One launch: blocks and threads in x and y; how many elements the output and each input has, how many words the
    state; the counts."""

    kernel: str
    grid: tuple
    block: tuple
    output: int
    inputs: tuple
    state: int
    counts: tuple

    def of_kinds(self, has_pivot):
        """What the kernel's arguments have to be, as its metadata calls them."""
        buffers = 1 + len(self.inputs) + (1 if self.state else 0)
        return ["global_buffer"] * buffers + ["by_value"] * (len(self.counts) + has_pivot)


def parsed(run):
    """The plan of one run of warpz's JSON."""
    launch = run["launch"]
    return Plan(launch["kernel"], tuple(launch["grid"]), tuple(launch["block"]), launch["output"],
                tuple(launch["inputs"]), launch["state"], tuple(launch["counts"]))


class Launches:
    """Asks once for each length; `program` runs puzzles on the CPU."""

    def __init__(self, flags, program=None):
        self.program = str(program or os.environ.get("WARPZ_PROGRAM") or SOURCE / "scripts/warpz")
        self.flags, self._known, self._lock = tuple(flags), {}, threading.Lock()

    def plan(self, flag, warp_size, size=None, variant="warp"):
        """Of a run on so many numbers; without a size, on the documented ones."""
        key = warp_size, size, variant
        with self._lock:
            if key not in self._known:
                self._known[key] = self._ask(*key)
            return self._known[key][flag]

    def _ask(self, warp_size, size, variant):
        length = () if size is None else ("--size", str(size), "--random", "1")
        flags = [flag for flag in self.flags if variant == "warp" or (SOURCE / f"puzzles/{flag}/{variant}.hip").is_file()]
        command = [self.program, "--backend", "cpu", "--warp-size", str(warp_size), "--format", "json", *length,
                   "--variant", variant, *(f"--{flag}" for flag in flags)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Problem(f"warpz, which knows how its puzzles are launched, does not run: {error}",
                          TOOL_MISSING) from None
        try:
            plans = {run["puzzle"]: parsed(run) for run in json.loads(done.stdout)["runs"]}
        except (ValueError, KeyError) as error:
            raise Problem(f"{' '.join(command)} does not say how its puzzles are launched ({error}):\n{done.stderr}",
                          TOOL_MISSING) from None
        missing = [flag for flag in flags if flag not in plans]
        if missing:
            raise Problem(f"{' '.join(command)} says nothing of {', '.join(missing)}:\n{done.stderr}", TOOL_MISSING)
        return plans
