# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many instructions the device library's operations may add to a kernel: for test_amd_code.py and
test_nvidia_code.py, which count those of a kernel with the operation, less those of one that only copies. Waits that
the hardware needs count; so does the move of a result that is the same in all lanes from its scalar register, which a
kernel that goes on with it does without. docs/gpu.md has the same numbers."""

from dataclasses import dataclass


# The last is sm_90 with WARPZ_FULL_WARPS.
ARCHITECTURES = ("gfx90a", "gfx1030", "sm_90", "sm_90, full warps")


@dataclass(frozen=True)
class Operation:
    kind: str  # of its input and its output, in the names of tests/amd/kernels.hpp
    call: str
    title: str  # in docs/gpu.md
    most: dict  # by architecture


def operation(kind, call, title, *most):
    return Operation(kind, call, title, dict(zip(ARCHITECTURES, most)))


# By shuffles alone it would be 44 with 64 lanes and 34 with 32 for a sum, 55 and 43 for a scan, 8 for an xor. The goals
# were 15 and 7 for integers' sums and extremes, 13 and 8 for a scan, 3 for an xor.
OPERATIONS = {
    "sum_i32": operation("i32", "warp::sum(v)", "sum of `int`", 15, 7, 2, 2),
    "max_i32": operation("i32", "warp::max(v)", "max of `int`", 15, 7, 2, 2),
    "min_i32": operation("i32", "warp::min(v)", "min of `int`", 15, 7, 2, 2),
    "sum_f32": operation("f32", "warp::sum(v)", "sum of `float`", 17, 8, 38, 10),
    "max_f32": operation("f32", "warp::max(v)", "max of `float`", 17, 8, 8, 8),
    "min_f32": operation("f32", "warp::min(v)", "min of `float`", 17, 8, 8, 8),
    "prefix_sum_i32": operation("i32", "warp::prefix_sum(v)", "inclusive scan of `int`", 11, 6, 18, 18),
    "prefix_sum_f32": operation("f32", "warp::prefix_sum(v)", "inclusive scan of `float`", 13, 6, 22, 22),
    "broadcast": operation("f32", "warp::broadcast(v)", "`broadcast(v)`", 2, 2, 1, 1),
    "xor_1": operation("i32", "warp::shuffle_xor(v, 1)", "`shuffle_xor(v, 1)`", 1, 1, 14, 1),
    "xor_2": operation("i32", "warp::shuffle_xor(v, 2)", "`shuffle_xor(v, 2)`", 1, 1, 14, 1),
    "xor_4": operation("i32", "warp::shuffle_xor(v, 4)", "`shuffle_xor(v, 4)`", 3, 1, 14, 1),
    "xor_8": operation("i32", "warp::shuffle_xor(v, 8)", "`shuffle_xor(v, 8)`", 1, 1, 14, 1),
}


def source(tests_amd):
    """A file of a kernel for each operation, and one that copies for each kind."""
    kinds = dict.fromkeys(each.kind for each in OPERATIONS.values())
    return "\n".join([f'#include "{tests_amd}/kernels.hpp"',
                      *(f"WARP_OPERATION(copy_{kind}, {kind}, {kind}, v);" for kind in kinds),
                      *(f"WARP_OPERATION({name}, {each.kind}, {each.kind}, ({each.call}));"
                        for name, each in OPERATIONS.items())])


def added(counts):
    """Operation to what it adds, of the number of instructions of each of the file's kernels."""
    return {name: counts[name] - counts[f"copy_{each.kind}"] for name, each in OPERATIONS.items()}


def check(test, counts, architecture):
    for name, more in added(counts).items():
        with test.subTest(name, architecture=architecture):
            test.assertGreater(more, 0)
            test.assertLessEqual(more, OPERATIONS[name].most[architecture])


def documented(text):
    """By title, the rows of docs/gpu.md's table."""
    head = f"| | {' | '.join(ARCHITECTURES)} |\n| --- |{' --- |' * len(ARCHITECTURES)}\n"
    rows = [line.strip("| ").split(" | ") for line in text.partition(head)[2].partition("\n\n")[0].splitlines()]
    return {title: dict(zip(ARCHITECTURES, map(int, counts))) for title, *counts in rows}
