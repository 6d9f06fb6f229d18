# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks at all kernels of some code objects and prints one line for each. Owns what counts as the code of one build:
that all its architectures have the same kernels, and that every declared kernel is there."""

from dataclasses import dataclass

from . import bundle, disassembly, rules
from .code_object import CodeObject, code_objects
from .problem import Problem
from .table import Table
from .toolchain import SOURCE

HEADINGS = ("kernel", "lanes", "LDS", "scratch", "VGPRs", "lane moves", "DPP", "verdict", "architectures")


@dataclass(frozen=True)
class Code:
    """A code object, and where it comes from."""

    code_object: CodeObject
    source: str
    sharing: frozenset  # the kernels that may work on LDS


def counted(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


def read(path, folder):
    """The code objects of a module, bundle or object file; `folder` takes those that are parts of it."""
    if not path.is_file():
        raise Problem(f"{path}: there is no such file")
    sharing = rules.sharing_kernels(sorted([*SOURCE.glob("puzzles/*/*.hip"), *SOURCE.glob("src/bench/*.hip")]))
    return [Code(each, path.name, sharing) for each in code_objects(bundle.files(path, folder, path), path)]


def _figures(kernel, instructions):
    """What a row shows of a kernel, besides its registers."""
    moves = sum(each.name in rules.LANE_MOVES for each in instructions)
    return (kernel.function, kernel.count(".wavefront_size"), kernel.count(".group_segment_fixed_size"),
            kernel.count(".private_segment_fixed_size"), moves, sum(each.is_dpp for each in instructions))


def _table(looked_at, markdown):
    """One row for all architectures on which a kernel shows the same figures."""
    table = Table(HEADINGS, markdown)
    for (figures, verdict), seen in looked_at.items():
        name, lanes, lds, scratch, moves, dpp = figures
        registers = sorted({count for _, count in seen})
        table.add([name, lanes, lds, scratch, "-".join(str(each) for each in dict.fromkeys(
            (registers[0], registers[-1]))), moves, dpp, verdict, " ".join(architecture for architecture, _ in seen)])
    return table.text()


def _missing(codes, declarations, all_declared):
    """What should be there and is not, one sentence each."""
    kernels = {}
    for code in codes:
        kernels.setdefault(code.code_object.architecture, set()).update(
            kernel.function for kernel in code.code_object.kernels if not rules.is_left_out(kernel))
    everything = set().union(*kernels.values())
    for architecture, present in kernels.items():
        if everything - present:
            yield f"{architecture} lacks {', '.join(sorted(everything - present))}, which another architecture has"
    if all_declared and declarations.keys() - everything:
        yield f"declared, and in no file: {', '.join(sorted(declarations.keys() - everything))}"


def check(codes, declarations, all_declared, markdown):
    """Prints the table and what is wrong. Whether all is well."""
    looked_at, told = {}, []
    for code in codes:
        for kernel in code.code_object.kernels:
            if rules.is_left_out(kernel):
                continue
            instructions = disassembly.instructions(code.code_object, kernel)
            declared = declarations.get(kernel.function)
            wrong = list(rules.complaints(code.code_object.architecture, kernel, instructions, declared,
                                          kernel.function in code.sharing))
            verdict = "FAIL" if wrong else "as declared" if declared else "OK"
            looked_at.setdefault((_figures(kernel, instructions), verdict), []).append(
                (code.code_object.architecture, kernel.count(".vgpr_count")))
            told += [f"{code.code_object.architecture} {kernel.function} ({code.source}): {each}" for each in wrong]
    told += _missing(codes, declarations, all_declared)
    print(_table(looked_at, markdown))
    for each in told:
        print(f"FAIL {each}")
    count, architectures = sum(map(len, looked_at.values())), {code.code_object.architecture for code in codes}
    print(f"{counted(count, 'kernel')} on {counted(len(architectures), 'architecture')}; {len(told) or 'no'} complaints")
    return not told
