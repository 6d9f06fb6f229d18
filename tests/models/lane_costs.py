# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an access of a warp costs a GPU, by the rules in docs/counters.md. It knows nothing of the CPU machine.

An access is a dict from lane to byte address, all of `size` bytes.
"""

# AMD's ds_read_b128, as the documentation of Composable Kernel lists the lanes that are served together.
AMD_READ_GROUPS = [
    [0, 1, 2, 3, 20, 21, 22, 23], [4, 5, 6, 7, 16, 17, 18, 19],
    [8, 9, 10, 11, 28, 29, 30, 31], [12, 13, 14, 15, 24, 25, 26, 27],
    [32, 33, 34, 35, 52, 53, 54, 55], [36, 37, 38, 39, 48, 49, 50, 51],
    [40, 41, 42, 43, 60, 61, 62, 63], [44, 45, 46, 47, 56, 57, 58, 59],
]


def together(warp_size, size, is_store):
    """The lists of lanes among which banks can conflict."""
    if size == 16 and warp_size == 64 and not is_store:
        return AMD_READ_GROUPS
    lanes = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}[size]
    return [list(range(first, first + lanes)) for first in range(0, warp_size, lanes)]


def passes(access, size, warp_size, is_store):
    """(needed, fewest) of an access to shared memory."""
    needed = fewest = 0
    for group in together(warp_size, size, is_store):
        by_bank = {}
        for lane in group:
            if lane in access:
                for byte in range(access[lane], access[lane] + size):
                    by_bank.setdefault(byte // 4 % 32, set()).add(byte // 4)
        # A wavefront takes its time where no lane of a group is active, too.
        if by_bank or warp_size == 64:
            needed += max((len(words) for words in by_bank.values()), default=1)
            fewest += 1
    return needed, fewest


def transactions(access, size, warp_size):
    """(needed, fewest, lines of 128 bytes) of an access to global memory."""
    unit = 32 if warp_size == 32 else 64
    touched = {byte for address in access.values() for byte in range(address, address + size)}
    return len({byte // unit for byte in touched}), -(-len(touched) // unit), len({byte // 128 for byte in touched})


def serial_steps(access):
    """The lanes on the address that most lanes have."""
    addresses = list(access.values())
    return max(addresses.count(each) for each in addresses)


def warps(by_thread, warp_size):
    """Splits {thread: address} into the accesses of warps, without those that no lane takes part in."""
    result = {}
    for thread, address in by_thread.items():
        result.setdefault(thread // warp_size, {})[thread % warp_size] = address
    return list(result.values())


def cost(by_thread, size, warp_size, is_shared, is_store):
    """The sums over a block, by their names in JSON."""
    accesses = warps(by_thread, warp_size)
    total = {'instructions': len(accesses), 'lanes': len(by_thread), 'needed': 0, 'fewest': 0, 'cache_lines': 0}
    for access in accesses:
        if is_shared:
            needed, fewest = passes(access, size, warp_size, is_store)
            lines = 0
        else:
            needed, fewest, lines = transactions(access, size, warp_size)
        total['needed'] += needed
        total['fewest'] += fewest
        total['cache_lines'] += lines
    if is_shared:
        total['cache_lines'] = None
    return total
