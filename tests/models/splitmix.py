# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers of `warpz --random SEED`, from their description: splitmix64 (Steele, Lea, Flood, 2014), of each output
the upper nine bits, less 256, in quarters."""

MASK = 2**64 - 1


def outputs(seed):
    """The 64-bit numbers that splitmix64 gives from this seed on."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = state
        mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & MASK
        yield mixed ^ mixed >> 31


def random_numbers(seed, size):
    return [((output >> 55) - 256) / 4 for output, _ in zip(outputs(seed), range(size))]
