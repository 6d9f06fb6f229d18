# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What AMD code has to be like: rules for every kernel, and for some of them the instructions that are declared in
tests/amd/instructions.toml. Knows nothing of files and disassemblers."""

import collections
import fnmatch
import re
import tomllib
from dataclasses import dataclass, field

from .code_object import warp_size
from .problem import Problem

# These move values between lanes; the memory behind LDS takes no part.
LANE_MOVES = ("ds_bpermute_b32", "ds_bpermute_fi_b32", "ds_permute_b32", "ds_swizzle_b32")
# Cache control, which shares its prefix with memory accesses.
CACHE_CONTROL = ("buffer_gl0_inv", "buffer_gl1_inv", "buffer_inv", "buffer_wb*", "buffer_invl2", "buffer_wbl2",
                 "buffer_wbinvl1*")
LDS = ("ds_*", "lds_*", "*_load_lds_*")
SCRATCH = ("scratch_*", "buffer_*")
GENERIC = ("flat_*",)
CALLS = ("s_swappc_b64", "s_call_b64", "s_setpc_b64")


@dataclass(frozen=True)
class Declaration:
    """Patterns of instruction names, each with how often it occurs, by warp size; those that never do; whether the
    kernel is one that goes through LDS; and whether it may spill registers."""

    counts: dict = field(default_factory=dict)
    never: tuple = ()
    lds: bool = False
    spills: bool = False


def load(path):
    """The declarations by kernel."""
    found = {}
    for kernel, table in tomllib.loads(path.read_text()).items():
        unknown = table.keys() - {"lds", "never", "spills", "wave32", "wave64"}
        if unknown:
            raise Problem(f"{path}: {kernel}: {', '.join(sorted(unknown))} is none of lds, never, spills, wave32, wave64")
        found[kernel] = Declaration({32: table.get("wave32", {}), 64: table.get("wave64", {})},
                                    tuple(table.get("never", ())), table.get("lds", False),
                                    table.get("spills", False))
    return found


# Where a file includes one of these its kernels may work on LDS; whether they do is up to the operations they use.
_SHARING = re.compile(r'^#include "warpz/(block|device|sync|mbarrier|semaphore|async_copy)\.hpp"', re.MULTILINE)
_KERNEL = re.compile(r"^WARPZ_KERNEL\((\w+)\);", re.MULTILINE)


def may_share(source):
    """Whether the kernels of this file may work on LDS."""
    return bool(_SHARING.search(source.read_text()))


def sharing_kernels(sources):
    """The names of the registered kernels that may."""
    return frozenset(name for source in sources if may_share(source) for name in _KERNEL.findall(source.read_text()))


def is_of_vendor(kernel):
    """Whether it is rocPRIM at a puzzle's task, for --bench (src/bench/vendor_library.hip): no code of ours."""
    return re.match(r"library_|_ZN(7rocprim|13warpz_library)", kernel.function) is not None


def is_of_several_gpus(kernel):
    """Whether it is one of warpz/distributed.hpp: they sort and merge in LDS, and have no declarations yet."""
    return re.match(r"_ZN5warpz6detail\w*11distributed", kernel.function) is not None


def is_left_out(kernel):
    return is_of_vendor(kernel) or is_of_several_gpus(kernel)


def _matches(instructions, patterns, without=()):
    names = collections.Counter(
        each.name for each in instructions
        if any(fnmatch.fnmatchcase(each.name, pattern) for pattern in patterns)
        and not any(fnmatch.fnmatchcase(each.name, pattern) for pattern in without))
    return names


def _listed(names):
    return ", ".join(f"{count} {name}" for name, count in sorted(names.items()))


def complaints(architecture, kernel, instructions, declared, sharing=False):
    """What is wrong with a kernel, one sentence each; `declared` is its Declaration or None. One that is `sharing` may
    work on LDS."""
    lanes = warp_size(architecture)
    if kernel.count(".wavefront_size") != lanes:
        yield f"its wavefront has {kernel.count('.wavefront_size')} lanes instead of {lanes}"
    through_lds = declared is not None and declared.lds
    if through_lds and not kernel.count(".group_segment_fixed_size") or not (through_lds or sharing) and kernel.count(
            ".group_segment_fixed_size"):
        yield "it has no LDS to go through" if through_lds else f"{kernel.count('.group_segment_fixed_size')} bytes of LDS"
    may_spill = declared is not None and declared.spills
    for name, label in ((".private_segment_fixed_size", "bytes of scratch memory"),
                       (".vgpr_spill_count", "vector registers are spilled"),
                       (".sgpr_spill_count", "scalar registers are spilled")):
        if kernel.count(name) and not may_spill:
            yield f"{kernel.count(name)} {label}"
    if kernel.count(".uses_dynamic_stack"):
        yield "its stack grows at run time"
    for patterns, without, label in ((() if through_lds or sharing else LDS, LANE_MOVES, "work on LDS"),
                                    (() if may_spill else SCRATCH, CACHE_CONTROL, "work on scratch memory"),
                                    (GENERIC, (), "may work on LDS or scratch memory"),
                                    (CALLS, (), "call a function that was not inlined")):
        found = _matches(instructions, patterns, without)
        if found:
            yield f"these instructions {label}: {_listed(found)}"
    if declared:
        yield from _declared_complaints(lanes, instructions, declared)


def _declared_complaints(lanes, instructions, declared):
    found = _matches(instructions, declared.never)
    if found:
        yield f"declared never to occur: {_listed(found)}"
    for pattern, wanted in declared.counts[lanes].items():
        found = _matches(instructions, [pattern]).total()
        if found != wanted:
            yield f"{found} {pattern} instead of {wanted}"
