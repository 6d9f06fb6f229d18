# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For scripts/mutate: which lines are mutated, how, and whether the tests notice."""
