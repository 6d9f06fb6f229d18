# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a wavefront executes of a kernel if it takes the longest way to the end: in code without branches all of it, in
the operations of a block what the first wavefront does. How many rounds a loop has it is told. Knows nothing of files."""

import fnmatch
from dataclasses import dataclass, fields

from .problem import Problem
from .rules import LANE_MOVES

END = "s_endpgm"
# A hint which of the instructions behind it depend on which; assembly has none.
NO_INSTRUCTION = ("s_delay_alu",)
SCALAR_MOVES = ("v_permlane*", "v_readlane_b32", "v_readfirstlane_b32", "v_writelane_b32")


@dataclass(frozen=True)
class Counts:
    """`slots` are instructions, one that does nothing for several cycles counted as often as it does."""

    instructions: int = 0
    slots: int = 0
    valu: int = 0
    moves: int = 0  # between lanes
    lds: int = 0  # accesses
    barriers: int = 0
    waits: int = 0

    def _by_field(self, other, combine):
        return Counts(*(combine(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)))

    def __add__(self, other):
        return self._by_field(other, int.__add__)

    def __sub__(self, other):
        return self._by_field(other, int.__sub__)

    def __mul__(self, times):
        return Counts(*(getattr(self, each.name) * times for each in fields(self)))


def counts_of(together):
    """Of instructions at the same address: one, or two that gfx11 issues as one (v_dual_…)."""
    found = Counts()
    for each in together:
        is_move = each.is_dpp or each.name in LANE_MOVES or any(
            fnmatch.fnmatchcase(each.name, pattern) for pattern in SCALAR_MOVES)
        found += Counts(valu=each.name.startswith("v_"), moves=is_move,
                        lds=each.name.startswith("ds_") and each.name not in LANE_MOVES,
                        barriers=each.name.startswith("s_barrier"), waits=each.name.startswith("s_waitcnt"))
    first = together[0]
    if first.name in NO_INSTRUCTION:
        return found
    return found + Counts(instructions=1, slots=int(first.operands) + 1 if first.name == "s_nop" else 1)


def _target(address, instruction):
    """Where a branch goes: so many words behind the next instruction, 16 bits with a sign."""
    words = int(instruction.operands.split()[0])
    return address + 4 + 4 * (words - (1 << 16) if words >= 1 << 15 else words)


def _is_branch(instruction):
    return instruction.name.startswith(("s_cbranch_", "s_branch"))


def longest_path(located, rounds=1):
    """The counts of the way with the most slots, of a kernel's (address, instruction) pairs, and whether it has a loop:
    each of them of so many rounds."""
    places = {}
    for address, instruction in located:
        places.setdefault(address, []).append(instruction)
    addresses = list(places)
    loops = [(_target(address, instruction), address) for address, instruction in located
             if _is_branch(instruction) and _target(address, instruction) <= address]

    def times(address):
        return rounds if any(first <= address <= last for first, last in loops) else 1

    best = {}  # from an address to the end
    for place in reversed(range(len(addresses))):
        address = addresses[place]
        together = places[address]
        name, ways = together[0].name, []
        if name == END:
            best[address] = counts_of(together)
            continue
        if _is_branch(together[0]):
            target = _target(address, together[0])
            if target not in places:
                raise Problem(f"a branch at {address:#x} leads to {target:#x}, which is no instruction of the kernel")
            elif target in best:
                ways.append(best[target])
        # What is behind a jump back is reached by the branch that leaves the loop.
        if name != "s_branch" or target <= address:
            behind = addresses[place + 1 : place + 2]
            ways += [best[each] for each in behind if each in best]
        if ways:  # none behind the last end, where compilers fill up
            best[address] = counts_of(together) * times(address) + max(ways, key=lambda counts: counts.slots)
    if addresses[0] not in best:
        raise Problem(f"the kernel does not come to an {END}")
    return best[addresses[0]], bool(loops)
