# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels of tests/amd have to give that work on whole blocks (blocks.hip) or hand values over (waiting.hip),
from the documentation of warpz/block.hpp and warpz/sync.hpp. The warps' own results are models.py's."""

WORD = 0xFFFFFFFF


def warps_of(values, warp_size):
    return [values[start : start + warp_size] for start in range(0, len(values), warp_size)]


def reduced(values, warp_size, tree):
    """Each warp, then the warps' results as if each were a lane's."""
    return tree([tree(warp) for warp in warps_of(values, warp_size)])


def scanned(values, warp_size, scan, add):
    """Each warp, then the warps' sums, which are added to what comes behind them."""
    warps = [scan(warp) for warp in warps_of(values, warp_size)]
    before = scan([warp[-1] for warp in warps])
    return [value if number == 0 else add(before[number - 1], value)
            for number, warp in enumerate(warps) for value in warp]


def repeated(values, warp_size):
    for number in range(4):
        total, least, sums = sum(values), min(values), [sum(values[: i + 1]) for i in range(len(values))]
        mixed = [(each ^ total & WORD) & WORD for each in ((each & WORD) for each in sums)]
        # A block without that thread leaves each its own.
        values = [(each + least * (mixed[number] if number < len(mixed) else each)) & WORD for each in mixed]
    return values


def in_pairs(values, warp_size):
    """Two warps each, which turn their values round, the later ones more often."""
    found = []
    for group, start in enumerate(range(0, len(values), 2 * warp_size)):
        part = values[start : start + 2 * warp_size]
        for number in range(2 + group):
            part = [(each + number) & WORD for each in reversed(part)]
        found += part
    return found


def turned(values, additions):
    for number in additions:
        values = [(each + number) & WORD for each in reversed(values)]
    return values


def bulk(values, first_block):
    """Copied by 16 bytes; the rest stays 7."""
    whole = len(values) // 4 * 4
    source = values if whole == len(values) else first_block
    return [*source[:whole], *[7] * (len(values) - whole)][::-1]


def of_blocks(name, blocks, warp_size):
    """What the kernels of waiting.hip give for the blocks' values, block by block."""
    firsts, found, handed = [block[0] for block in blocks], [], 0
    for number, values in enumerate(blocks):
        count = len(values)
        if name == "wait_semaphore":
            found.append([(each + handed) & WORD for each in values])
            handed = (handed * 3 + number + 1) & WORD
        else:
            found.append({
                "wait_barrier": lambda: turned(values, (0, 1, 2)),
                "wait_waitcnt_barrier": lambda: turned(values, (0,)),
                "wait_syncwarp": lambda: [values[i ^ 1] if i ^ 1 < count else values[i] for i in range(count)],
                "wait_named_barrier": lambda: in_pairs(values, warp_size),
                "wait_named_barrier_arrive": lambda: [
                    each if i < warp_size else each + 1 & WORD for i, each in enumerate(values)],
                "wait_threadfence": lambda: [sum(firsts) & WORD] * count,
                "wait_mbarrier": lambda: turned(values, (0, 1)),
                "wait_async_copy": lambda: turned(values, (0,)),
                "wait_async_bulk_copy": lambda: bulk(values, blocks[0]),
            }[name]())
    return found


WAITING = ("wait_barrier", "wait_waitcnt_barrier", "wait_syncwarp", "wait_named_barrier", "wait_named_barrier_arrive",
           "wait_semaphore", "wait_threadfence", "wait_mbarrier", "wait_async_copy", "wait_async_bulk_copy")
BLOCK = ("block_sum", "block_max", "block_min", "block_broadcast", "block_prefix_sum", "block_exclusive_prefix_sum",
         "block_repeated")
